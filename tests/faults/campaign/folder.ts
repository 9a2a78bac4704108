import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder in memory, if there is one: each step of a purchase is flushed to disk, which would only cost time. */
const MEMORY = "/dev/shm";

/** Calls `work` with a new folder, and removes the folder afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const isThere = await access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
  const folder = await mkdtemp(join(isThere ? MEMORY : tmpdir(), "proxyrental-faults-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
