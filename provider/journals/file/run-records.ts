import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunHolder, RunRecords } from "../../core/ports.ts";
import { readIfThere } from "./disk.ts";

/** Where the process of a run is, or was. */
const holderSchema = z.object({ pid: z.number(), host: z.string() });

/** Longer than any order lives without an extension: older records say nothing that matters. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** One small file a run: `process` while it goes on, `ended` afterwards. */
export function createRunRecords(folder: string, holder: RunHolder, now: () => Date): RunRecords {
  const dir = join(folder, "run-records");
  const pathOf = (runId: string, what: "process" | "ended") => join(dir, `${runId}.${what}`);

  async function write(path: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(path, JSON.stringify(holder), { mode: 0o600 });
  }

  async function sweep(): Promise<void> {
    for (const name of await readdir(dir)) {
      const path = join(dir, name);
      if ((await stat(path)).mtimeMs < now().getTime() - KEPT_MS) await rm(path, { force: true });
    }
  }

  return {
    begin: (runId) =>
      write(pathOf(runId, "process"))
        .then(sweep)
        .catch(() => undefined),

    async end(runId) {
      // A run that has bought nothing has nothing to tell.
      const began = await readIfThere(pathOf(runId, "process")).catch(() => undefined);
      if (began === undefined) return;
      await write(pathOf(runId, "ended")).catch(() => undefined);
    },

    async hasEnded(runId) {
      const text = await readIfThere(pathOf(runId, "ended")).catch(() => undefined);
      return text !== undefined;
    },

    async holderOf(runId) {
      const text = await readIfThere(pathOf(runId, "process")).catch(() => undefined);
      if (text === undefined) return undefined;
      try {
        return holderSchema.parse(JSON.parse(text));
      } catch {
        return undefined;
      }
    },
  };
}
