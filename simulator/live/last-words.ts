import type { Socket } from "node:net";

const patienceMs = 5000;

/**
 * Ends a connection with an answer. What the client still sends is read. If it were left, a TCP RST would destroy the
 * answer.
 */
export function endWith(client: Socket, words: string | Buffer): void {
  client.setTimeout(patienceMs, () => client.destroy());
  client.end(words);
  client.resume();
}
