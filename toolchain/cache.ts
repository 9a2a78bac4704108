import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Log } from "./progress.ts";

const stagingPrefix = ".staging-";
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** What a source needs that makes a CLI and puts it into the cache. */
export interface MakeOptions {
  readonly cacheDir: string;
  /** The environment of the tools it starts. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Outside the clone, so that a fresh clone on the same machine finds what an older one made. */
export function locateCache(env: NodeJS.ProcessEnv): string {
  const xdg = env.XDG_CACHE_HOME;
  // The XDG convention: a relative path in the variable counts as none.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME ?? homedir(), ".cache");
  return join(base, "pulumi-proxyrental", "toolchain");
}

/** A short hash over names and contents; the order of the parts does not count. */
export function hashParts(parts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // Lengths keep the boundary: "ab"+"c" is not "a"+"bc".
    hash.update(`${name.length}:${name}${text.length}:${text}`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** True when every program is there. A folder gets its name only when complete, but people clean caches. */
export function isComplete(binDir: string, names: readonly string[]): boolean {
  return names.every((name) => existsSync(join(binDir, name)));
}

/**
 * Fills a new folder and gives it its name in one rename: nobody ever sees half of it. When another
 * run was faster, its result stays and ours is thrown away; both are made from the same key.
 */
export async function publish(
  cacheDir: string,
  key: string,
  options: {
    /** Puts everything into the folder it is given. */
    readonly fill: (folder: string) => Promise<void>;
    readonly isComplete: (folder: string) => boolean;
  },
): Promise<string> {
  await mkdir(cacheDir, { recursive: true });
  await removeAbandoned(cacheDir);
  const target = join(cacheDir, key);
  const staging = await mkdtemp(join(cacheDir, stagingPrefix));
  try {
    await options.fill(staging);
    if (!options.isComplete(staging)) throw new Error(`${key} lacks a program after it was made`);
    await takeName(staging, target, options.isComplete);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}

async function takeName(
  staging: string,
  target: string,
  isComplete: (folder: string) => boolean,
): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (isComplete(target)) return;
    if (!existsSync(target)) throw error;
    // Half a folder under that name: somebody cleaned up. Moved aside rather than removed in
    // place, so that a faster run's complete folder cannot be emptied under its feet.
    const aside = `${staging}-replaced`;
    await rename(target, aside);
    await rename(staging, target);
    await rm(aside, { recursive: true, force: true });
  }
}

/** What a run left behind that was killed. A day old, because a slow build may be at work. */
async function removeAbandoned(cacheDir: string): Promise<void> {
  const names = await readdir(cacheDir);
  for (const name of names.filter((entry) => entry.startsWith(stagingPrefix))) {
    const folder = join(cacheDir, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
