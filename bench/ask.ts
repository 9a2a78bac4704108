/** A process that answers each message with one of its own. */
interface Answering {
  getOneMessage(): Promise<unknown>;
  sendMessage(question: string): Promise<unknown>;
}

export async function ask(child: Answering, question: string): Promise<unknown> {
  // It may answer before the sending has ended.
  const answer = child.getOneMessage();
  await child.sendMessage(question);
  return answer;
}
