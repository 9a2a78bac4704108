import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { messageOf } from "../provider/core/values/message-of.ts";
import { CliError } from "./failure.ts";

/** A file that was named on the command line. */
export interface GivenFile {
  /** Its name in a message. */
  name: string;
  /** Its content if it is JSON, else undefined. */
  json: unknown;
}

/**
 * Reads a file, or standard input for `-`.
 * @param expected what the file should be, for the message if it can't be read
 */
export async function readGivenFile(file: string, expected: string): Promise<GivenFile> {
  const name = file === "-" ? "standard input" : file;
  return { name, json: parseJson(await readText(file, name, expected)) };
}

/** Writes a file that was named on the command line, in place of what was there. A reader never sees half of it. */
export async function writeGivenFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, content);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CliError(
      `${file} can't be written (${codeOf(error)}): name a file in a folder that is there`,
    );
  }
}

async function readText(file: string, name: string, expected: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw new CliError(`${name} can't be read (${codeOf(error)}): ${expected}`);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : messageOf(error);
}

/** Undefined if it is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
