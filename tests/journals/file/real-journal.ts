import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, JournalParts } from "../../../provider/core/ports.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { journalFolder } from "../../../provider/journals/file/folders.ts";

/** Time as it passes for processes. */
const realClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: (ms) => sleep(ms),
};

const baseUrl = "https://service.test/api";

/** How long a turn lasts here, and how long it is waited for. */
export const times = { holdMs: 60_000, waitMs: 60_000 };

/** Opens a journal as a process of its own does. */
export function openHere(journalDir: string, clock: Clock = realClock): JournalParts {
  return openFileJournal({ journalDir, baseUrl, project: "/project" }, clock);
}

/** Where the documents of that journal are. */
export function folderIn(journalDir: string): string {
  return journalFolder(journalDir, baseUrl);
}
