import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineAddress } from "./engine-address.ts";

/** The phase of a run. The program knows it, and its providers do not. */
type ProgramPhase = "preview" | "update";

/** Ports are used again: an older marker is of another run. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

const PREFIX = "phase-";

/** A folder that a program and its providers both find, whatever is configured. */
const defaultFolder = () => join(tmpdir(), `pulumi-proxyrental-${process.getuid?.() ?? "user"}`);

/**
 * Tells the providers of one phase which phase it is. If the folder is not this user's alone, nothing is written:
 * others may write there too. Returns the file, or undefined if nothing was written.
 */
export function writePhaseMarker(
  engine: EngineAddress,
  phase: ProgramPhase,
  now: Date,
  folder: string = defaultFolder(),
): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(folder)) return undefined;
    sweep(folder, now);
    const file = fileOf(folder, engine);
    // It is renamed into place, so that nobody reads half of it.
    const draft = `${file}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, JSON.stringify({ phase, at: now.toISOString() }), {
      ...{ flag: "wx", mode: 0o600 },
    });
    renameSync(draft, file);
    return file;
  } catch {
    return undefined;
  }
}

/** The phase that the program of this engine has told; undefined if it told none, or long ago. */
export function readPhaseMarker(
  engine: EngineAddress,
  now: Date,
  folder: string = defaultFolder(),
): ProgramPhase | undefined {
  try {
    const file = fileOf(folder, engine);
    if (!isPrivateFolder(folder)) return undefined;
    const stats = lstatSync(file);
    if (!stats.isFile() || !isOurs(stats)) return undefined;
    const { phase, at }: { phase?: unknown; at?: unknown } = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecent(Date.parse(String(at)), now)) return undefined;
    return phase === "preview" || phase === "update" ? phase : undefined;
  } catch {
    return undefined;
  }
}

/** Removes markers that are too old for any run, for instance those of killed programs. */
function sweep(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(PREFIX)) continue;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && now.getTime() - stats.mtimeMs >= LIFETIME_MS) rmSync(path, { force: true });
  }
}

function fileOf(folder: string, { text }: EngineAddress): string {
  return join(folder, `${PREFIX}${text.replace(/[^\w.-]/g, "-")}.json`);
}

function isRecent(atMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - atMs) < LIFETIME_MS;
}

function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOurs(stats) && isClosedToOthers(stats);
}

/** On Windows there are no such ids, and the folder for temporary files is the user's own. */
function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function isClosedToOthers({ mode }: Stats): boolean {
  return process.getuid === undefined || (mode & 0o077) === 0;
}
