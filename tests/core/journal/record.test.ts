import { describe, expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { type RawStore, StoreFailure } from "../../../provider/core/journal/raw-store.ts";
import { keepTime, openRecord, type RecordFormat } from "../../../provider/core/journal/record.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const numbers: RecordFormat<readonly number[]> = {
  empty: [],
  parse: (text) => JSON.parse(text),
  format: (state) => JSON.stringify(state),
};

const NAME = "numbers.json";

function makeProcesses() {
  const bench = makeDocumentBench();
  return { ...bench, process: () => openRecord(bench.open(), NAME, numbers) };
}

const add = (number: number) => (state: readonly number[]) => ({
  state: [...state, number],
  result: state.length,
});

describe("a record", () => {
  test("is empty before anybody has written it, and nothing is written to say so", async () => {
    const { raw, process } = makeProcesses();
    expect(await process().read()).toEqual([]);
    expect(await process().update((state) => ({ state, result: 7 }))).toBe(7);
    expect(raw.historyOf(NAME)).toEqual([]);
  });

  test("is what all processes have made of it", async () => {
    const { process } = makeProcesses();
    const [first, second] = [process(), process()];
    expect(await first.update(add(1))).toBe(0);
    expect(await second.update(add(2))).toBe(1);
    expect(await first.update(add(3))).toBe(2);
    expect(await second.read()).toEqual([1, 2, 3]);
    expect(await first.seen()).toEqual([1, 2, 3]);
  });

  test("is changed also where somebody has put the same text there once more", async () => {
    const { raw, clock } = makeDocumentBench();
    let copies = 0;
    let writes = 0;
    const product: RawStore = {
      ...raw,
      async read(name, limitMs) {
        const { value, at } = await raw.read(name, limitMs);
        return { value: value && { ...value, version: `${copies} ${value.version}` }, at };
      },
      async replace(name, version, text, limitMs) {
        const [copy = "", own = ""] = version.split(" ");
        if (++writes > 10) throw new StoreFailure("refused", "it is written to for ever");
        if (copy !== String(copies)) return { value: undefined, at: clock.now() };
        const { value, at } = await raw.replace(name, own, text, limitMs);
        return { value: value && `${copies} ${value}`, at };
      },
    };
    const record = openRecord(keepTime(openDocuments(product, clock), clock), NAME, numbers);
    await record.update(add(1));
    await record.update(add(2));
    copies++;
    await record.update(add(3));
    expect(await record.read()).toEqual([1, 2, 3]);
  });

  test("takes many changes at once in few writes, and loses none", async () => {
    const { raw, process } = makeProcesses();
    const [first, second] = [process(), process()];
    const all = Array.from({ length: 40 }, (_, n) => n);
    await Promise.all(all.map((n) => (n % 2 === 0 ? first : second).update(add(n))));
    expect((await first.read()).toSorted((a, b) => a - b)).toEqual(all);
    expect(raw.historyOf(NAME).length).toBeLessThan(8);
  });

  test("refuses a change to the one who asked for it, and takes the others", async () => {
    const { process } = makeProcesses();
    const record = process();
    const refuse = () => {
      throw new Error("not this one");
    };
    const [taken, refused] = await Promise.allSettled([
      record.update(add(1)),
      record.update(refuse),
    ]);
    expect([taken.status, refused.status]).toEqual(["fulfilled", "rejected"]);
    expect(await record.read()).toEqual([1]);
  });

  test("believes no refusal of what has changed meanwhile", async () => {
    const { process } = makeProcesses();
    const [first, second] = [process(), process()];
    await first.update(add(1));
    await second.update(add(2));
    const addThird = (state: readonly number[]) => {
      if (state.length < 2) throw new Error("too early");
      return add(3)(state);
    };
    expect(await first.update(addThird)).toBe(2);
  });

  test("believes a fresh look only that there is nothing to write", async () => {
    const { process } = makeProcesses();
    const [first, second] = [process(), process()];
    await first.read();
    await second.update(add(2));
    expect(await first.update((state) => ({ state, result: state.length }))).toBe(1);
  });

  test("that can't be written says so to all who wait, and is written by the next", async () => {
    const { raw, process } = makeProcesses();
    const record = process();
    await record.update(add(1));
    raw.expect("refused");
    const lost = await Promise.allSettled([record.update(add(2)), record.update(add(3))]);
    expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await record.update(add(4));
    expect(await record.read()).toEqual([1, 4]);
  });

  test("is as this process has written it, although an earlier answer comes after that", async () => {
    const { raw, process } = makeProcesses();
    const record = process();
    await record.update(add(1));
    raw.meanwhile(() => record.update(add(2)));
    expect(await record.read()).toEqual([1, 2]);
    expect(await record.seen()).toEqual([1, 2]);
    expect(record.peek()).toEqual([1, 2]);
  });

  test("is as it was read, although the answer to an earlier write comes after that", async () => {
    const { raw, process } = makeProcesses();
    const [record, other] = [process(), process()];
    await record.update(add(1));
    raw.meanwhile(async () => {
      await other.update(add(3));
      await record.read();
    });
    await record.update(add(2));
    expect(await record.seen()).toEqual([1, 2, 3]);
  });

  test("does not go back to an earlier answer that comes after a write has failed", async () => {
    const { raw, process } = makeProcesses();
    const [record, other] = [process(), process()];
    await record.update(add(1));
    raw.meanwhile(async () => {
      await other.update(add(2));
      await record.update(add(3));
      raw.expect("refused");
      await record.update(add(4)).catch(() => undefined);
      expect(record.peek()).toBeUndefined();
    });
    await record.read();
    expect(record.peek()).toBeUndefined();
    expect(await record.seen()).toEqual([1, 2, 3]);
  });

  test("is taken as it is found where somebody has made it anew", async () => {
    const { process, open } = makeProcesses();
    const [record, other] = [process(), process()];
    for (const number of [1, 2, 3]) await record.update(add(number));
    await open().documents.erase(NAME);
    await other.update(add(4));
    expect(await record.read()).toEqual([4]);
    await record.update(add(5));
    expect(await other.read()).toEqual([4, 5]);
  });

  test("whose answer was lost was written once", async () => {
    const { raw, process } = makeProcesses();
    const record = process();
    raw.expect("none", "lostAnswer");
    await record.update(add(1));
    expect(await record.read()).toEqual([1]);
  });

  test("that can't be read is named, with its place", async () => {
    const { raw, process, open } = makeProcesses();
    await open().documents.create(NAME, "{");
    const { reason, message } = await troubleOf(process().read());
    expect(reason).toBe("unreadable");
    expect(message).toContain("numbers.json in memory:");
    expect(raw.historyOf(NAME)).toHaveLength(1);
  });

  test("is read once for all who ask at the same time, and anew for who asks later", async () => {
    const { raw, process } = makeProcesses();
    const [record, other] = [process(), process()];
    await other.update(add(1));
    const before = raw.requests();
    await Promise.all([record.read(), record.read(), record.read()]);
    expect(raw.requests() - before).toBe(1);
    const early = record.read();
    await other.update(add(2));
    await early;
    expect(await record.read()).toEqual([1, 2]);
  });
});

describe("the time of a store", () => {
  test("is the store's, whatever this machine's clock says", async () => {
    const { clock, open } = makeDocumentBench();
    const own = createManualClock();
    own.advance(5 * 60 * 60_000);
    const store = open(own);
    await store.ask(() => store.documents.read(NAME));
    expect(store.now()).toEqual(clock.now());
    own.advance(1_500);
    expect(store.now().getTime() - clock.now().getTime()).toBe(1_500);
  });

  test("is at the latest what the faster of two clocks says: one of them stands still while a machine sleeps", async () => {
    const { clock, open } = makeDocumentBench();
    let sleptMs = 0;
    const own = createManualClock();
    const store = open({ ...own, now: () => new Date(own.now().getTime() + sleptMs) });
    await store.ask(() => store.documents.read(NAME));
    sleptMs = 60_000;
    expect(store.now()).toEqual(clock.now());
    expect(store.latest().getTime() - clock.now().getTime()).toBe(60_000);
  });

  test("is at the latest what has passed, also where the time of day is set back meanwhile", async () => {
    const { clock, open } = makeDocumentBench();
    const own = createManualClock();
    const store = open(own);
    await store.ask(() => store.documents.read(NAME));
    own.advance(60_000);
    own.suspend(-60_000);
    expect(store.latest().getTime() - clock.now().getTime()).toBe(60_000);
  });

  test("is at the latest what it may have become while the answer that told it was on its way", async () => {
    const { clock, open } = makeDocumentBench();
    const store = open();
    await store.ask(async () => {
      const told = await store.documents.read(NAME);
      clock.advance(60_000);
      return told;
    });
    expect(clock.now().getTime() - store.now().getTime()).toBe(60_000);
    expect(store.latest()).toEqual(clock.now());
  });
});
