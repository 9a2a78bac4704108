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

/** What a program knows of its run, and its providers do not. */
type ProgramPhase = "preview" | "update";

/** Ports come again: what is older than this was said of another run. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

const PREFIX = "phase-";

/** Where a program's process and its providers' find the same folder, whatever is configured. */
const defaultFolder = () => join(tmpdir(), `pulumi-proxyrental-${process.getuid?.() ?? "user"}`);

/**
 * Says to the providers of one phase which one it is. A folder that is not this user's alone is left as it is: what
 * others may have written there proves nothing. Returns the file, or undefined where nothing could be said.
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
    // Renamed into place, so that nobody reads half of it.
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

/** Which phase the program of this engine has said; undefined where none has, or long ago. */
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

/** Takes markers away that no run can mean any more, those of killed programs among them. */
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
