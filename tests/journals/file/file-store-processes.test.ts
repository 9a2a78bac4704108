import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFileStore } from "../../../provider/journals/file/file-store.ts";
import { orderIntent } from "../../core/records/intents.ts";
import { begin, beginCommand, pathOf } from "./children.ts";
import { filesIn, makeFolder } from "./folders.ts";

test("of processes that change one purchase at the same time, one writes each revision, and none is lost that was promised", async () => {
  const folder = makeFolder();
  await createFileStore(folder).create(orderIntent({ id: "x-1" }));
  const children = ["a", "b", "c"].map(async (name) => {
    const child = begin("store-child.ts", "compete", folder, name, "150");
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
  const [last] = await createFileStore(folder).readOpen();
  // Each winner added its letter to what the winner before it had written.
  expect(last?.remark).toHaveLength(149);
  for (const { name, revision } of won) expect(last?.remark?.[revision - 2]).toBe(name);
  expect(filesIn(folder)).toEqual(["open/x-1.150.json"]);
}, 30_000);

test("of processes that open purchases by the same ids, exactly one opens each", async () => {
  const folder = makeFolder();
  const children = ["a", "b", "c"].map((name) =>
    begin("store-child.ts", "claim", folder, name, "60"),
  );
  const opened = (await Promise.all(children.map((child) => child.allLines()))).flat();
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0]);
  expect(opened.map((line) => line.split(" ")[0]).sort()).toEqual(
    Array.from({ length: 60 }, (_, index) => `shared-${index + 1}`).sort(),
  );
  expect(await createFileStore(folder).readOpen()).toEqual([]);
}, 30_000);

const RANK = ["sending", "placed", "returned", "confirmed"];

test("a process that is killed at any moment leaves every document readable and every promise kept", async () => {
  const folder = makeFolder();
  const promised = new Map<string, number>();
  const killAll = async (from: number, to: number) => {
    for (let kill = from; kill <= to; kill++) {
      const child = begin("store-child.ts", "write", folder, `k${kill}`);
      const lines: string[] = [];
      const reading = child.nextLine().then(async (line) => {
        if (line !== undefined) lines.push(line);
        lines.push(...(await child.allLines()));
      });
      while (lines.length === 0) await sleep(5);
      await sleep((kill * 7) % 40);
      child.signal("SIGKILL");
      await reading;
      for (const line of lines) {
        const [id = "", , phase = ""] = line.split(" ");
        promised.set(id, RANK.indexOf(phase));
      }
    }
  };
  await Promise.all([killAll(1, 15), killAll(16, 30)]);
  const store = createFileStore(folder);
  const intents = [...(await store.readOpen()), ...(await store.readDone())];
  const found = new Map(intents.map(({ id, phase }) => [id, RANK.indexOf(phase)]));
  expect(found.size).toBe(intents.length);
  // Each has promised something before it was killed.
  expect(promised.size).toBeGreaterThanOrEqual(30);
  for (const [id, rank] of promised) {
    expect(found.get(id), `${id} was promised to be ${RANK[rank]}`).toBeGreaterThanOrEqual(rank);
  }
  const unreadable = filesIn(folder).filter((path) => {
    if (!path.endsWith(".json")) return false;
    return typeof JSON.parse(readFileSync(join(folder, path), "utf8")).id !== "string";
  });
  expect(unreadable).toEqual([]);
}, 60_000);

test("a disk that has no room for a whole document keeps none, and says so", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "open"));
  const write = (length: string) =>
    beginCommand("prlimit", [
      "--fsize=4096:4096",
      process.execPath,
      pathOf("store-child.ts"),
      "once",
      folder,
      length,
    ]).allLines();
  const [said = ""] = await write("100000");
  expect(said).toMatch(/^unavailable: the journal in .* can't be used \(EFBIG/);
  expect(said).toContain(folder);
  expect(filesIn(folder)).toEqual([]);
  expect(await createFileStore(folder).readOpen()).toEqual([]);
  expect(await write("10")).toEqual(["0123456789ab-1 1 sending"]);
  expect(await createFileStore(folder).readOpen()).toHaveLength(1);
}, 30_000);
