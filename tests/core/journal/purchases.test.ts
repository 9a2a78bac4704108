import { describe, expect, test } from "vitest";
import { accountFormat } from "../../../provider/core/journal/account-document.ts";
import { openAccountTurn } from "../../../provider/core/journal/account-turn.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { openPurchases } from "../../../provider/core/journal/purchases.ts";
import { openRecord } from "../../../provider/core/journal/record.ts";
import type { JournalStore, Locks } from "../../../provider/core/ports.ts";
import { changeIntent, type Intent } from "../../../provider/core/records/intent.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { extensionIntent, orderIntent } from "../records/intents.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const now = new Date("2026-03-01T12:00:05Z");
const sending = orderIntent({ sequence: 1 });
const { id } = sending;
const placed = changeIntent(sending, { phase: "placed", orderNumber: "8000" }, now);
const returned = changeIntent(placed, { phase: "returned", orderIds: ["8000"] }, now);
const confirmed = changeIntent(returned, { phase: "confirmed" }, now);

interface Process {
  store: JournalStore;
  locks: Locks;
  /** Writes a purchase down in a turn of its own. */
  create(intent: Intent): Promise<boolean>;
}

/** @param readsLastMs see `TimedStore` */
function makeProcesses(readsLastMs = 0) {
  const { raw, clock, open } = makeDocumentBench(readsLastMs);
  const process = (runId = "run-1"): Process => {
    const timed = open();
    const account = openRecord(timed, "account.json", accountFormat);
    const presence = presenceByTime(timed, account);
    const locks = openAccountTurn({ store: timed, account, presence, clock, runId });
    const store = openPurchases(timed, account);
    const times = { holdMs: 60_000, waitMs: 0 };
    return {
      store,
      locks,
      create: (intent) => locks.withAccount(times, () => store.create(intent)),
    };
  };
  return { raw, clock, process };
}

const phasesIn = async ({ store }: Process) => (await store.readAll()).map(({ phase }) => phase);

describe("purchases", () => {
  test("are none before anything is bought, and nothing is written to say so", async () => {
    const { raw, process } = makeProcesses();
    expect(await process().store.readAll()).toEqual([]);
    expect(raw.historyOf("account.json")).toEqual([]);
  });

  test("are given back as they were put down, whatever they are about", async () => {
    const { process } = makeProcesses();
    const extension = {
      ...extensionIntent([{ ipAddressId: "ip-1", address: "a 1" }]),
      ...{ id: "ext-1", runId: "run-1" },
    };
    const first = process();
    expect(await first.create(sending)).toBe(true);
    expect(await first.create(extension)).toBe(true);
    expect(await process().store.readAll()).toEqual([sending, extension]);
  });

  test("take an id once: under way, at rest and confirmed", async () => {
    const { process } = makeProcesses();
    const first = process();
    await first.create(sending);
    for (const next of [placed, returned, confirmed]) {
      expect(await first.create(sending)).toBe(false);
      await first.store.replace(next);
    }
    expect(await process().create(sending)).toBe(false);
    expect(await process().store.readAll()).toEqual([confirmed]);
  });

  test("at rest leave the account's document at the end of a run, and stand in the book", async () => {
    const { raw, process } = makeProcesses();
    const { create, store } = process();
    await create(sending);
    await store.replace(placed);
    expect(raw.historyOf("account.json").at(-1)).toContain(id);
    await store.replace(returned);
    expect(raw.historyOf("account.json").at(-1)).toContain(id);
    await store.putAway();
    expect(raw.historyOf("account.json").at(-1)).not.toContain(id);
    expect(raw.historyOf("book/000000.json").at(-1)).toContain(id);
  });

  test("change in the book as they do in the account, and every process sees it", async () => {
    const { process } = makeProcesses();
    const [mine, theirs] = [process(), process("run-2")];
    await mine.create(sending);
    await mine.store.replace(placed);
    await mine.store.replace(returned);
    expect(await phasesIn(theirs)).toEqual(["returned"]);
    await mine.store.replace(confirmed);
    expect(await phasesIn(theirs)).toEqual(["confirmed"]);
    await theirs.store.replace(
      changeIntent(confirmed, { phase: "closed", closedBecause: "released" }, now),
    );
    expect(await phasesIn(mine)).toEqual(["closed"]);
  });

  test("stand on pages by their sequence; those of release 0.1.0 have none", async () => {
    const { raw, process } = makeProcesses();
    const { create, store } = process();
    for (const sequence of [1, 60, undefined]) {
      const intent = { ...sending, id: `purchase-${sequence}`, sequence };
      await create(intent);
      await store.replace(changeIntent(intent, { phase: "confirmed" }, now));
    }
    await store.putAway();
    for (const page of ["000000", "000001", "early"]) {
      expect(raw.historyOf(`book/${page}.json`)).toHaveLength(1);
    }
    expect(await process().store.readAll()).toHaveLength(3);
  });

  test("that were never sent leave no trace, and their id may be taken again", async () => {
    const { process } = makeProcesses();
    const [mine, theirs] = [process(), process("run-2")];
    await mine.locks.withAccount({ holdMs: 60_000, waitMs: 0 }, async () => {
      await mine.store.create(sending);
      await mine.store.remove(sending);
    });
    expect(await theirs.store.readAll()).toEqual([]);
    const later = { ...sending, price: 8, runId: "run-2" };
    expect(await theirs.create(later)).toBe(true);
    expect(await mine.store.readAll()).toEqual([later]);
  });

  test("156: that were never sent keep their sequence: no other purchase is given it", async () => {
    const { process } = makeProcesses();
    const [mine, theirs] = [process(), process("run-2")];
    expect(await mine.store.nextSequence()).toBe(1);
    let seenMeanwhile = 0;
    await mine.locks.withAccount({ holdMs: 60_000, waitMs: 0 }, async () => {
      await mine.store.create(sending);
      seenMeanwhile = await theirs.store.nextSequence();
      await mine.store.remove(sending);
      expect(await mine.store.nextSequence()).toBe(seenMeanwhile);
    });
    expect(seenMeanwhile).toBe(2);
    expect(await process("run-3").store.nextSequence()).toBe(2);
  });

  test("are put away as soon as there are ten", async () => {
    const { raw, process } = makeProcesses();
    const { create, store } = process();
    for (let n = 1; n <= 10; n++) {
      expect(raw.historyOf("book/000000.json")).toEqual([]);
      const intent = { ...sending, id: `p-${n}`, sequence: n };
      await create(intent);
      await store.replace(changeIntent(intent, { phase: "returned" }, now));
    }
    expect(raw.historyOf("book/000000.json")).toHaveLength(1);
    expect(raw.historyOf("account.json").at(-1)).not.toContain('"p-1"');
    expect(await process().store.readAll()).toHaveLength(10);
  });

  test("are never lost sight of while others put them away, also where reads may be a second old", async () => {
    const { process, clock } = makeProcesses(1_000);
    const [mine, theirs] = [process(), process("run-2")];
    for (const sequence of [1, 2]) {
      const intent = { ...sending, id: `p-${sequence}`, sequence };
      await mine.create(intent);
      await mine.store.replace(changeIntent(intent, { phase: "returned" }, now));
      if (sequence === 1) await mine.store.putAway();
    }
    expect(await theirs.store.readAll()).toHaveLength(2);
    clock.advance(300);
    await mine.store.putAway();
    clock.advance(300);
    await theirs.create({ ...sending, id: "p-3", sequence: 3, runId: "run-2" });
    const known = await theirs.store.readInTurn();
    expect(known.map(({ id }) => id).toSorted()).toEqual(["p-1", "p-2", "p-3"]);
  });

  test("come to rest together in few writes", async () => {
    const { raw, process } = makeProcesses();
    const { create, store } = process();
    const many = Array.from({ length: 30 }, (_, n) => ({ ...sending, id: `p-${n}`, sequence: n }));
    for (const intent of many) await create(intent);
    const before = raw.requests();
    await Promise.all(
      many.map((intent) => store.replace(changeIntent(intent, { phase: "returned" }, now))),
    );
    expect(raw.requests() - before).toBeLessThan(8);
    expect(await phasesIn(process())).toEqual(many.map(() => "returned"));
  });
});

describe("of two processes that change one purchase", () => {
  test("the one that comes second is told, and nothing of the first is lost", async () => {
    const { process } = makeProcesses();
    const [mine, theirs] = [process(), process("run-2")];
    await mine.create(sending);
    await theirs.store.replace(placed);
    const rival = changeIntent(sending, { phase: "unknown" }, now);
    const { reason, message } = await troubleOf(mine.store.replace(rival));
    expect([reason, message]).toEqual(["conflict", expect.stringContaining(id)]);
    expect(await mine.store.readAll()).toEqual([placed]);
  });

  test.each([
    ["skips a revision", [], returned],
    ["comes after the end", [changeIntent(sending, { phase: "closed" }, now)], placed],
    ["knows an old page of the book", [placed, returned, confirmed], confirmed],
  ])("the one that %s is told, and nothing changes", async (_how, before, late) => {
    const { process } = makeProcesses();
    const [mine, theirs] = [process(), process("run-2")];
    await mine.create(sending);
    for (const next of before) await theirs.store.replace(next);
    expect((await troubleOf(mine.store.replace(late))).reason).toBe("conflict");
    expect(await mine.store.readAll()).toEqual([before.at(-1) ?? sending]);
  });

  test("the one that finds it discarded is told, and nothing comes back to life", async () => {
    const { process } = makeProcesses();
    const { create, store } = process();
    await create(sending);
    await store.remove(sending);
    expect((await troubleOf(store.replace(placed))).reason).toBe("conflict");
    expect(await store.readAll()).toEqual([]);
  });
});

test("a change in the book that was written and could not be counted is seen by who wrote it, and by who is refused for it", async () => {
  const { raw, process } = makeProcesses();
  const [mine, theirs] = [process(), process("run-2")];
  await mine.create(sending);
  for (const next of [placed, returned]) await mine.store.replace(next);
  await mine.store.putAway();
  for (const one of [mine, theirs]) expect(await phasesIn(one)).toEqual(["returned"]);
  raw.expect("none", "none", "refused");
  await expect(mine.store.replace(confirmed)).rejects.toThrow();
  expect(await phasesIn(mine)).toEqual(["confirmed"]);
  const rival = changeIntent(returned, { phase: "closed" }, now);
  expect((await troubleOf(theirs.store.replace(rival))).reason).toBe("conflict");
  expect(await phasesIn(theirs)).toEqual(["confirmed"]);
});

describe("what a process leaves that is killed", () => {
  /** It is killed after so many requests to the store. */
  const killAfter = async (requests: number) => {
    const { raw, process } = makeProcesses();
    const { create, store } = process();
    await create(sending);
    await store.replace(placed);
    raw.expect(...Array.from({ length: requests }, () => "none" as const), "refused");
    await store.replace(returned);
    await store.putAway();
    return { process };
  };

  test.each([1, 2, 3])(
    "on the way into the book, after %i requests, is there once",
    async (requests) => {
      const { process } = await killAfter(requests);
      const later = process("run-2");
      expect(await later.store.readAll()).toEqual([returned]);
      await later.store.replace(confirmed);
      expect(await process("run-3").store.readAll()).toEqual([confirmed]);
    },
  );
});

test("a document of a later release stops everything, and is named", async () => {
  const { raw, process } = makeProcesses();
  const { create } = process();
  await create(sending);
  const text = raw.historyOf("account.json").at(-1) ?? "";
  await raw.force("account.json", text.replace('"version": 2', '"version": 9'));
  const { reason, message } = await troubleOf(process().store.readAll());
  expect([reason, message]).toEqual(["unreadable", expect.stringContaining("account.json")]);
});
