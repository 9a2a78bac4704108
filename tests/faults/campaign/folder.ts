import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder in memory, if there is one: each step of a purchase is flushed to disk, which would only cost time. */
const MEMORY = "/dev/shm";

/** So much must be free in memory. A command with two workers uses some hundred megabytes at most. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * From now on this process and those that it starts keep their temporary files in memory, if the machine has a folder there
 * with enough room: the journals, and the products that keep shared ones. What TMPDIR says goes first.
 */
export async function stayInMemory(): Promise<void> {
  if (process.env.TMPDIR === undefined && (await hasRoom(MEMORY))) process.env.TMPDIR = MEMORY;
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Calls `work` with a new folder, and removes the folder afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-faults-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
