import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
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

async function readText(file: string, name: string, expected: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "unreadable";
    throw new CliError(`${name} can't be read (${code}): ${expected}`);
  }
}

/** Undefined if it is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
