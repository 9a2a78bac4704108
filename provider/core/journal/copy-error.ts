/** Why a journal is not copied, in one sentence. */
export class CopyError extends Error {
  override readonly name = "CopyError";
  /** Whether it can be copied to another place, because this one has another journal. */
  readonly isTaken: boolean;

  constructor(message: string, isTaken = false) {
    super(message);
    this.isTaken = isTaken;
  }
}
