import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RunMemory } from "../../../provider/core/ports.ts";
import type { RunFact } from "../../../provider/core/records/run-fact.ts";
import { createRunMemory } from "../../../provider/journals/file/run-memory.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { makeFolder } from "./folders.ts";

function twoProcesses(isUnique = true) {
  const folder = makeFolder();
  const open = (processId: string) =>
    createRunMemory(folder, { text: "127.0.0.1:4000", isUnique }, processId, machineTime);
  return { folder, open, first: open("first"), second: open("second") };
}

const stops = (reason: string): RunFact => ({ kind: "stops", account: "a", reason });

/** The folder of the only run. */
function folderOfRun(folder: string): string {
  const [run = ""] = readdirSync(join(folder, "shared-runs"));
  return join(folder, "shared-runs", run);
}

/** What the others have told a process since it asked last. */
const factsFor = async (process: RunMemory): Promise<RunFact[]> =>
  (await process.hear()).map(({ fact }) => fact);

describe("what the processes of a run tell each other", () => {
  test("is heard once, in its order, also if much is told at once", async () => {
    const { first, second } = twoProcesses();
    const facts = Array.from({ length: 100 }, (_, index) => stops(`${index}`));
    await Promise.all(facts.map((fact) => first.tell(fact)));
    expect(await factsFor(second)).toEqual(facts);
    expect(await factsFor(second)).toEqual([]);
    expect(await factsFor(first)).toEqual([]);
  });

  test("is heard in the order of who told last, by whoever hears all of it at once", async () => {
    const { first, second, open } = twoProcesses();
    for (const [index, process] of [first, second, first, second, first].entries()) {
      await process.tell(stops(`${index}`));
      const heard = await factsFor(open(`listener ${index}`));
      expect(heard.at(-1)).toEqual(stops(`${index}`));
    }
  });

  test("259: is heard in its order, whoever tells something else after that", async () => {
    const { first, second, open } = twoProcesses();
    for (const [process, reason] of [
      [first, "has it"],
      [second, "it is gone"],
      [first, "something else"],
    ] as const) {
      await process.tell(stops(reason));
    }
    const heard = await factsFor(open("listener"));
    expect(heard).toEqual(["has it", "it is gone", "something else"].map(stops));
  });

  test("is there as soon as it is told, also beside something else that is being told", async () => {
    const { first, open } = twoProcesses();
    await Promise.all(
      ["a", "b", "c"].map(async (reason) => {
        await first.tell(stops(reason));
        expect(await factsFor(open(`who reads ${reason}`))).toContainEqual(stops(reason));
      }),
    );
  });

  test("is written one after the other, also if a line takes several writes of the system", async () => {
    const { first, second } = twoProcesses();
    await first.tell(stops("begun"));
    const facts = [stops("long ".repeat(1_000_000)), stops("a"), stops("b")];
    const told = facts.map(async (fact, index) => {
      await sleep(index);
      await first.tell(fact);
    });
    await Promise.all(told);
    expect(await factsFor(second)).toEqual([stops("begun"), ...facts]);
  });

  test("fails for all that could not be written, which is told before anything else", async () => {
    const { folder, first, second } = twoProcesses();
    await second.tell(stops("begun"));
    const inTheWay = join(folderOfRun(folder), "first.jsonl");
    mkdirSync(inTheWay);
    const told = await Promise.allSettled([first.tell(stops("a")), first.tell(stops("b"))]);
    expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    rmdirSync(inTheWay);
    writeFileSync(inTheWay, '{"kind":"stops","acc');
    await first.tell(stops("c"));
    expect(await factsFor(second)).toEqual(["a", "b", "c"].map(stops));
  });

  test("is written once its folder can be made, also if that failed before", async () => {
    const { folder, first, second } = twoProcesses();
    const inTheWay = join(folder, "shared-runs");
    writeFileSync(inTheWay, "");
    await expect(first.tell(stops("a"))).rejects.toThrow();
    rmSync(inTheWay);
    await first.tell(stops("b"));
    expect(await factsFor(second)).toEqual([stops("a"), stops("b")]);
  });

  test("is heard whole the next time if one of the files can't be read once", async () => {
    const { folder, open, first, second } = twoProcesses();
    await first.tell(stops("a"));
    await second.tell(stops("b"));
    const listener = open("listener");
    // Whichever is read first, one of the two was read before the other one failed.
    for (const name of ["first.jsonl", "second.jsonl"]) {
      const file = join(folderOfRun(folder), name);
      renameSync(file, `${file}.away`);
      mkdirSync(file);
      await expect(listener.hear()).rejects.toThrow();
      rmdirSync(file);
      renameSync(`${file}.away`, file);
    }
    const heard = await factsFor(listener);
    expect(heard).toHaveLength(2);
    expect(heard).toEqual(expect.arrayContaining([stops("a"), stops("b")]));
  });

  test.skipIf(process.platform === "win32")(
    "is not taken for nothing if the folder can't be read once",
    async () => {
      const { folder, first, second } = twoProcesses();
      await first.tell(stops("a"));
      const run = folderOfRun(folder);
      renameSync(run, `${run}.away`);
      symlinkSync(run, run);
      await expect(second.hear()).rejects.toThrow("ELOOP");
      rmSync(run);
      renameSync(`${run}.away`, run);
      expect(await factsFor(second)).toEqual([stops("a")]);
    },
  );

  test("is nothing where no journal can be", async () => {
    const { folder, second } = twoProcesses();
    writeFileSync(join(folder, "shared-runs"), "");
    expect(await factsFor(second)).toEqual([]);
  });
});

describe("what a run has told", () => {
  const HOUR_MS = 60 * 60 * 1000;

  /** Makes all that runs have left so old. */
  function passHours(folder: string, hours: number): void {
    const runs = join(folder, "shared-runs");
    const then = new Date(Date.now() - hours * HOUR_MS);
    for (const name of readdirSync(runs)) utimesSync(join(runs, name), then, then);
  }

  /** The same, and another run begins. */
  async function beginLater(folder: string, hours: number): Promise<void> {
    passHours(folder, hours);
    const run = { text: "127.0.0.1:5000", isUnique: true };
    await createRunMemory(folder, run, "later", machineTime).tell(stops("later"));
  }

  test("is kept while its machine sleeps over a weekend", async () => {
    const { folder, first, second } = twoProcesses();
    await first.tell(stops("a"));
    await beginLater(folder, 72);
    expect(await factsFor(second)).toEqual([stops("a")]);
    await first.tell(stops("b"));
    expect(await factsFor(second)).toEqual([stops("b")]);
  });

  test("is removed a week later", async () => {
    const { folder, first, second } = twoProcesses();
    await first.tell(stops("a"));
    await beginLater(folder, 8 * 24);
    expect(readdirSync(join(folder, "shared-runs"))).toHaveLength(1);
    expect(await factsFor(second)).toEqual([]);
  });

  test("is not removed by a process of the same run, however wrong a clock is", async () => {
    const { folder, first, second, open } = twoProcesses();
    await first.tell(stops("a"));
    const [run] = readdirSync(join(folder, "shared-runs"));
    const longAgo = new Date(0);
    utimesSync(join(folder, "shared-runs", `${run}`), longAgo, longAgo);
    await open("third").tell(stops("b"));
    expect(await second.hear()).toHaveLength(2);
  });

  test("is not taken for what a later run has told that is called the same: by hearing, and by telling", async () => {
    const { folder, first, second, open } = twoProcesses(false);
    await first.tell(stops("a"));
    passHours(folder, 11);
    expect(await factsFor(open("beside"))).toEqual([stops("a")]);
    passHours(folder, 13);
    expect(await factsFor(second)).toEqual([]);
    await first.tell(stops("b")).catch(() => undefined);
    passHours(folder, 13);
    const third = open("third");
    await third.tell(stops("c"));
    expect(await factsFor(open("fourth"))).toEqual([stops("c")]);
  });

  test("is not taken for what was told before the machine was started again", async () => {
    const { folder, first, second } = twoProcesses(false);
    await first.tell(stops("a"));
    const before = { toldAtMs: second.nowMs() + 3_600_000, fact: stops("before") };
    writeFileSync(join(folderOfRun(folder), "former.jsonl"), `${JSON.stringify(before)}\n`);
    expect(await factsFor(second)).toEqual([stops("a")]);
  });

  test("is missed by whoever has told or heard some of it: it tells and hears nothing more", async () => {
    const { folder, first, second } = twoProcesses();
    await first.tell(stops("a"));
    await second.hear();
    await beginLater(folder, 8 * 24);
    await expect(first.tell(stops("b"))).rejects.toThrow("was removed while it went on");
    await expect(first.hear()).rejects.toThrow("was removed while it went on");
    await expect(second.hear()).rejects.toThrow("was removed while it went on");
    // Also if another process of the run has begun anew.
    await second.tell(stops("c"));
    await expect(first.tell(stops("d"))).rejects.toThrow("was removed while it went on");
    await expect(first.hear()).rejects.toThrow("was removed while it went on");
    await expect(second.hear()).rejects.toThrow("was removed while it went on");
  });
});
