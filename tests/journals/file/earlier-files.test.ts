import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { JournalParts } from "../../../provider/core/ports.ts";
import { makeFolder, troubleOf } from "./folders.ts";
import { folderIn, openHere, times } from "./real-journal.ts";

const recorded = fileURLToPath(import.meta.resolve("../../core/records/releases/0.1.0/journal"));

/** A machine with the journal that release 0.1.0 has left on it. */
function makeMachine(): { journalDir: string; folder: string } {
  const journalDir = makeFolder();
  const folder = folderIn(journalDir);
  cpSync(recorded, folder, { recursive: true });
  return { journalDir, folder };
}

const phasesOf = async ({ store }: JournalParts) =>
  (await store.readAll()).map(({ phase }) => phase).sort();

const recordedPhases = [
  ...["closed", "closed", "closed", "confirmed", "placed", "returned", "sending", "unknown"],
];

describe("the purchases of release 0.1.0", () => {
  test("are in the journal of this one, from its first use on, and stay beside it", async () => {
    const { journalDir, folder } = makeMachine();
    expect(await phasesOf(openHere(journalDir))).toEqual(recordedPhases);
    expect(existsSync(join(folder, "open"))).toBe(false);
    expect(existsSync(join(folder, "open-of-0.1.0"))).toBe(true);
    expect(await phasesOf(openHere(journalDir))).toEqual(recordedPhases);
  });

  test("are taken over once by processes that begin at the same time", async () => {
    const { journalDir } = makeMachine();
    const all = await Promise.all([1, 2, 3].map(() => phasesOf(openHere(journalDir))));
    expect(all).toEqual([recordedPhases, recordedPhases, recordedPhases]);
  });

  test("are in the way of a purchase, also where that is the first that is asked", async () => {
    const { journalDir } = makeMachine();
    const { locks, store, runId } = openHere(journalDir);
    const [known] = await openHere(journalDir).store.readAll();
    if (known === undefined) throw new Error("nothing was taken over");
    const isMade = await locks.withAccount(times, () => store.create({ ...known, runId }));
    expect(isMade).toBe(false);
  });

  test("stop everything if one is not understood, and it is named", async () => {
    const { journalDir, folder } = makeMachine();
    writeFileSync(join(folder, "open", "later-1.1.json"), '{"version": 9}');
    const { reason, message } = await troubleOf(openHere(journalDir).store.readAll());
    expect([reason, message]).toEqual(["unreadable", expect.stringContaining("later-1.1.json")]);
  });

  test("fall back to the revision before where a crash has torn the newest, and one torn at its end says nothing", async () => {
    const journalDir = makeFolder();
    const folder = folderIn(journalDir);
    for (const name of ["open", "done"]) mkdirSync(join(folder, name), { recursive: true });
    cpSync(join(recorded, "open", "sending-1.1.json"), join(folder, "open", "sending-1.1.json"));
    writeFileSync(join(folder, "open", "sending-1.2.json"), '{"version"');
    writeFileSync(join(folder, "done", "torn-1.json"), "{");
    expect(await phasesOf(openHere(journalDir))).toEqual(["sending"]);
  });
});
