import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder in memory, where there is one: each step of a purchase is flushed to the disk, and no disk is tried here. */
const MEMORY = "/dev/shm";

/** Does something with a new folder, and removes it. */
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
