import { closeSync, openSync, writeSync } from "node:fs";
import type { CallObserver } from "../../client/index.ts";
import { environmentVariables } from "../setting-names.ts";
import { writeCallLine } from "./call-line.ts";
import type { CallSettings } from "./call-settings.ts";

/** What a record needs beside its settings. */
interface RecordParts {
  apiKey: string;
  /** Says once that the file can't be written. */
  warn(message: string): void;
}

/** The files of which this process has said that they can't be written. */
const told = new Set<string>();

/**
 * Writes down each call that it is told of, in a file that only this user can read. It never fails: what can't be written
 * is said once a process. A line is there when the call returns, so that a process that is killed leaves it too, and it is
 * written at once and at the end of the file, so that several processes don't mix their lines. Not guaranteed on a file
 * system of the network.
 */
export function openCallRecord(
  settings: CallSettings | undefined,
  { apiKey, warn }: RecordParts,
): CallObserver | undefined {
  if (settings === undefined) return undefined;
  const { file, bodies } = settings;
  return (call) => {
    const place = { processId: process.pid, time: new Date() };
    try {
      append(file, writeCallLine(call, { apiKey, bodies }, place));
    } catch (error) {
      if (told.has(file)) return;
      told.add(file);
      warn(describeTrouble(file, error));
    }
  };
}

/** Opened for each line: nothing has to be closed, and a file that was moved away meanwhile begins anew. */
function append(file: string, line: string): void {
  const descriptor = openSync(file, "a", 0o600);
  try {
    const bytes = Buffer.from(line);
    const written = writeSync(descriptor, bytes);
    if (written < bytes.length) {
      // Only a full disk does that. Without an end, the next line would be a part of this one.
      writeSync(descriptor, "\n");
      throw Object.assign(new Error("it was cut"), { code: "ENOSPC" });
    }
  } finally {
    closeSync(descriptor);
  }
}

function describeTrouble(file: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return `calls can't be recorded: ${file} can't be written (${code}). Everything else goes on. Set ${environmentVariables.calls} to a file in a folder that exists and that you may write to, or unset it.`;
}
