import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JournalError } from "../../../provider/core/ports.ts";
import { whenFileEnds } from "../../support/file-end.ts";

/** An empty folder that goes with the test file. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "proxyrental-journal-"));
  whenFileEnds(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Every file of a journal, by its path in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Why the journal could not be used. */
export async function troubleOf(action: Promise<unknown>): Promise<JournalError> {
  const error = await action.then(
    (value) => new Error(`it did not fail but gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof JournalError) return error;
  throw error;
}
