import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { orderIntent } from "../../core/records/intents.ts";
import { begin, beginCommand, pathOf } from "./children.ts";
import { makeFolder } from "./folders.ts";
import { openHere, times } from "./real-journal.ts";

test("of processes that change one purchase at the same time, one writes each revision, and none is lost that was promised", async () => {
  const folder = makeFolder();
  const { store, locks, runId } = openHere(folder);
  await locks.withAccount(times, () => store.create(orderIntent({ id: "x-1", runId })));
  const children = ["a", "b", "c"].map(async (name) => {
    const child = begin("journal-child.ts", "compete", folder, name, "150");
    const won = (await child.allLines()).map((line) => ({
      name,
      revision: Number(line.split(" ")[1]),
    }));
    expect(await child.ended()).toBe(0);
    return won;
  });
  const won = (await Promise.all(children)).flat();
  expect(new Set(won.map(({ revision }) => revision)).size).toBe(won.length);
  expect(won.length).toBeGreaterThan(140);
  const [last] = await store.readAll();
  // Each winner added its letter to what the winner before it had written.
  expect(last?.remark).toHaveLength(149);
  for (const { name, revision } of won) expect(last?.remark?.[revision - 2]).toBe(name);
}, 30_000);

test("of processes that open purchases by the same ids, exactly one opens each", async () => {
  const folder = makeFolder();
  const children = ["a", "b", "c"].map((name) =>
    begin("journal-child.ts", "claim", folder, name, "60"),
  );
  const opened = (await Promise.all(children.map((child) => child.allLines()))).flat();
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0]);
  expect(opened.map((line) => line.split(" ")[0]).sort()).toEqual(
    Array.from({ length: 60 }, (_, index) => `shared-${index + 1}`).sort(),
  );
  const phases = (await openHere(folder).store.readAll()).map(({ phase }) => phase);
  expect(phases).toEqual(Array.from({ length: 60 }, () => "confirmed"));
}, 60_000);

const RANK = ["sending", "placed", "returned", "confirmed"];

test("a process that is killed at any moment leaves every document readable and every promise kept", async () => {
  const killAll = async (from: number, to: number) => {
    for (let kill = from; kill <= to; kill++) await killOne((kill * 7) % 40);
  };
  await Promise.all([killAll(1, 15), killAll(16, 30)]);
}, 60_000);

/** Kills a process some time after it has promised something, and looks at what it has left. */
async function killOne(afterMs: number): Promise<void> {
  const folder = makeFolder();
  const child = begin("journal-child.ts", "write", folder, "x");
  const lines: string[] = [];
  const reading = child.nextLine().then(async (line) => {
    if (line !== undefined) lines.push(line);
    lines.push(...(await child.allLines()));
  });
  while (lines.length === 0) await sleep(5);
  await sleep(afterMs);
  child.signal("SIGKILL");
  await reading;
  const intents = await openHere(folder).store.readAll();
  const found = new Map(intents.map(({ id, phase }) => [id, RANK.indexOf(phase)]));
  for (const line of lines) {
    const [id = "", , phase = ""] = line.split(" ");
    const promised = RANK.indexOf(phase);
    expect(found.get(id), `${id} was promised to be ${phase}`).toBeGreaterThanOrEqual(promised);
  }
}

test("a disk that has no room for a whole document keeps none, and says so", async () => {
  const folder = makeFolder();
  const write = (length: string) =>
    beginCommand("prlimit", [
      "--fsize=8192:8192",
      process.execPath,
      pathOf("journal-child.ts"),
      "once",
      folder,
      length,
    ]).allLines();
  const [said = ""] = await write("100000");
  expect(said).toMatch(/^unavailable: the journal in .* can't be used \(EFBIG/);
  expect(said).toContain(folder);
  expect(await openHere(folder).store.readAll()).toEqual([]);
  expect(await write("10")).toEqual(["0123456789ab-1 1 sending"]);
  expect(await openHere(folder).store.readAll()).toHaveLength(1);
}, 30_000);
