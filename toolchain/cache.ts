import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Log, logToStderr } from "./progress.ts";

const stagingPrefix = ".staging-";
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** What a source needs in order to make a CLI and put it into the cache. */
export interface MakeOptions {
  readonly cacheDir: string;
  /** The environment of the tools that the source starts. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** The cache is outside the clone: a fresh clone on the same machine finds the CLI that an older clone has made. */
export function locateCache(env: NodeJS.ProcessEnv): string {
  const xdg = env.XDG_CACHE_HOME;
  // The XDG convention says that a relative path in the variable is ignored.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME ?? homedir(), ".cache");
  return join(base, "pulumi-proxyrental", "toolchain");
}

/** What a program of this repository makes goes into this machine's cache, and standard error says what takes time. */
export function onThisMachine(): MakeOptions {
  return { cacheDir: locateCache(process.env), env: process.env, log: logToStderr };
}

/** A short hash of names and contents. The order of the parts does not change it. */
export function hashParts(parts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // The lengths keep the boundary, so that "ab"+"c" and "a"+"bc" have different hashes.
    hash.update(`${name.length}:${name}${text.length}:${text}`);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * True if every program is there. A folder gets its name only when it is complete, but people may delete files from a
 * cache later.
 */
export function isComplete(binDir: string, names: readonly string[]): boolean {
  return names.every((name) => existsSync(join(binDir, name)));
}

/**
 * Fills a new folder and gives it its name in one rename, so no other process ever sees an incomplete folder. If
 * another run was faster, its result stays and ours is deleted. Both are made from the same key.
 */
export async function publish(
  cacheDir: string,
  key: string,
  options: {
    /** Puts all programs into the given folder. */
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
    // The folder under that name is incomplete: a person has deleted files from it. It is moved aside and not removed
    // in place. Otherwise a faster run's complete folder could be emptied while it is used.
    const aside = `${staging}-replaced`;
    await rename(target, aside);
    await rename(staging, target);
    await rm(aside, { recursive: true, force: true });
  }
}

/** Removes the folders of killed runs. A folder must be a day old, because a slow build may still use a younger one. */
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
