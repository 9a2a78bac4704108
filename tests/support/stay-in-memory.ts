import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A folder in memory, if there is one: each step of a purchase is flushed to disk, which would only cost time. */
const MEMORY = "/dev/shm";

/** So much must be free in memory. All tests together use some hundred megabytes at a time. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * From now on this process and those that it starts keep their temporary files in memory, if the machine has a folder there
 * with enough room: the journals, the stacks, and the products that keep shared journals. What TMPDIR says goes first.
 */
export async function stayInMemory(): Promise<void> {
  if (process.env.TMPDIR === undefined && (await isFit(MEMORY))) process.env.TMPDIR = MEMORY;
}

/** Whether the folder has room, and programs in it can be run: containers often forbid that. */
async function isFit(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < ENOUGH_BYTES) return false;
    const probe = await mkdtemp(join(folder, "proxyrental-probe-"));
    try {
      const script = join(probe, "run");
      await writeFile(script, "#!/bin/sh\n", { mode: 0o755 });
      await promisify(execFile)(script);
      return true;
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
  } catch {
    return false;
  }
}
