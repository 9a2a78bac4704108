import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a new file that only this user may read, and flushes it to the disk. */
export async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the names in a folder to the disk. Some systems can't do that, and need not. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** How often a folder is tried that whoever clears up may have taken away once more. */
const MOST_TRIES = 20;

/**
 * Makes a folder that only this user may read, and those above it. Node's own way never ends where a folder is there in which
 * none can be made, as in /proc.
 * @returns the uppermost that was made; undefined if all were there
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  let uppermost: string | undefined;
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(path, { mode: 0o700 });
      return uppermost ?? path;
    } catch (error) {
      if (await isFolder(path)) return uppermost;
      // Above a drive that is not there is nothing else.
      const isLast = tries === MOST_TRIES || dirname(path) === path;
      if (codeOf(error) !== "ENOENT" || isLast) throw error;
    }
    uppermost = (await makeFolders(dirname(path))) ?? uppermost;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The names in a folder; none if there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Why a call to the system failed, as Node names it. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
