/** Why a journal is not copied, in one sentence. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}
