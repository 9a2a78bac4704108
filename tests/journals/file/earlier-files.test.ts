import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { JournalParts } from "../../../provider/core/ports.ts";
import type { Intent } from "../../../provider/core/records/intent.ts";
import { orderIntent } from "../../core/records/intents.ts";
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

/** A machine on which this release has begun the journal, and bought something. */
async function makeBegunMachine(bought: Partial<Intent> = {}) {
  const journalDir = makeFolder();
  const { locks, store, runId } = openHere(journalDir);
  const intent = { ...orderIntent({ sequence: 7, runId }), ...bought };
  await locks.withAccount(times, () => store.create(intent));
  return { journalDir, folder: folderIn(journalDir) };
}

/** Leaves one purchase as release 0.1.0 does, with what is given in place of what was recorded. */
function leaveOpen(folder: string, name: string, given: object = {}): void {
  const text = readFileSync(join(recorded, "open", name), "utf8");
  mkdirSync(join(folder, "open"), { recursive: true });
  writeFileSync(join(folder, "open", name), JSON.stringify({ ...JSON.parse(text), ...given }));
}

const idsOf = async ({ store }: JournalParts) => (await store.readAll()).map(({ id }) => id).sort();

const phasesOf = async ({ store }: JournalParts) =>
  (await store.readAll()).map(({ phase }) => phase).sort();

const recordedPhases = [
  ...["closed", "closed", "closed", "confirmed", "placed", "returned", "sending", "unknown"],
];

describe("the purchases of release 0.1.0", () => {
  test("are in the journal of this one, from its first use on, and stay where that release finds them", async () => {
    const { journalDir, folder } = makeMachine();
    expect(await phasesOf(openHere(journalDir))).toEqual(recordedPhases);
    expect(readdirSync(join(folder, "open"))).toEqual(readdirSync(join(recorded, "open")));
    expect(readdirSync(join(folder, "done"))).toEqual(readdirSync(join(recorded, "done")));
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

  test("are taken in where this release has begun the journal before, and none counts as sent since", async () => {
    const { journalDir, folder } = await makeBegunMachine();
    leaveOpen(folder, "accepted-1.2.json");
    const { store } = openHere(journalDir);
    const all = await store.readAll();
    expect(all.map(({ id }) => id).sort()).toEqual(["0123456789ab-1", "accepted-1"]);
    expect(all.find(({ id }) => id === "accepted-1")?.sequence).toBeUndefined();
    expect(await store.nextSequence()).toBe(8);
  });

  test("are taken in by processes that begin at the same time, also into a journal that was begun", async () => {
    const { journalDir, folder } = await makeBegunMachine();
    cpSync(recorded, folder, { recursive: true });
    const all = await Promise.all([1, 2, 3].map(() => idsOf(openHere(journalDir))));
    expect(all.map(({ length }) => length)).toEqual([9, 9, 9]);
  });

  test("that somebody has made who went back are taken in", async () => {
    const { journalDir, folder } = makeMachine();
    const before = await idsOf(openHere(journalDir));
    const text = readFileSync(join(recorded, "open", "sending-1.1.json"), "utf8");
    writeFileSync(join(folder, "open", "later-1.1.json"), text.replace("sending-1", "later-1"));
    const after = [...before, "later-1"].sort();
    expect(await idsOf(openHere(journalDir))).toEqual(after);
    expect(await idsOf(openHere(journalDir))).toEqual(after);
  });

  test("count by their newest revision, where release 0.1.0 has gone on with one", async () => {
    const { journalDir, folder } = makeMachine();
    await idsOf(openHere(journalDir));
    const text = readFileSync(join(folder, "open", "sending-1.1.json"), "utf8");
    const gone = { ...JSON.parse(text), revision: 2, phase: "accepted", orderNumber: "8009" };
    writeFileSync(join(folder, "open", "sending-1.2.json"), JSON.stringify(gone));
    const all = await openHere(journalDir).store.readAll();
    expect(all).toHaveLength(recordedPhases.length);
    const sent = all.find(({ id }) => id === "sending-1");
    expect(sent).toMatchObject({ phase: "placed", orderNumber: "8009" });
  });

  test("stay apart from another purchase of the same id", async () => {
    const { journalDir, folder } = await makeBegunMachine({ id: "accepted-1" });
    leaveOpen(folder, "accepted-1.2.json", { sentAt: "2026-02-01T12:00:00.000Z" });
    const both = ["accepted-1", "accepted-1-earlier"];
    expect(await idsOf(openHere(journalDir))).toEqual(both);
    expect(await idsOf(openHere(journalDir))).toEqual(both);
  });
});
