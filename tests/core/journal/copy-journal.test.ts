import { describe, expect, test } from "vitest";
import { accountFormat } from "../../../provider/core/journal/account-document.ts";
import { openAccountTurn } from "../../../provider/core/journal/account-turn.ts";
import {
  assertCopyable,
  copyJournal,
  type JournalEnd,
} from "../../../provider/core/journal/copy-journal.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { openPurchases } from "../../../provider/core/journal/purchases.ts";
import { openRecord } from "../../../provider/core/journal/record.ts";
import type { JournalStore, Locks } from "../../../provider/core/ports.ts";
import { changeIntent, type Intent } from "../../../provider/core/records/intent.ts";
import { orderIntent } from "../records/intents.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const times = { holdMs: 60_000, waitMs: 0 };

/** A journal, and who uses it: each time that it is opened, another process. */
function makeJournal(place: string) {
  const { raw, clock, open } = makeDocumentBench();
  function enter(runId = "run-1"): JournalEnd & { store: JournalStore; locks: Locks } {
    const timed = open();
    const account = openRecord(timed, "account.json", accountFormat);
    const presence = presenceByTime(timed, account);
    const locks = openAccountTurn({ store: timed, account, presence, clock, runId });
    const store = openPurchases(timed, account);
    return { place, url: `${place}://journal`, documents: timed.documents, store, locks };
  }
  const write = async (name: string, text: string) => {
    await open().documents.create(name, text);
  };
  const read = async (name: string) => (await open().documents.read(name)).value?.text;
  /** Buys something, which is at rest afterwards, or not. */
  async function buy(sequence: number, isAtRest = true, account?: string): Promise<void> {
    const { store, locks } = enter();
    const own = account === undefined ? {} : { account };
    const intent: Intent = { ...orderIntent({ sequence, ...own }), id: `id-${sequence}` };
    await locks.withAccount(times, () => store.create(intent));
    await store.replace(
      changeIntent(intent, { phase: isAtRest ? "confirmed" : "placed" }, clock.now()),
    );
    await store.putAway();
  }
  const readAll = async () =>
    (await enter().store.readAll()).toSorted((a, b) => a.id.localeCompare(b.id));
  const movedTo = async () => (await enter().store.movedTo())?.url;
  /** Whether a copy of a journal has begun here, so that somebody can buy with it. */
  const isOpen = async () =>
    (await read("account.json")) !== undefined && (await movedTo()) === undefined;
  return { raw, clock, enter, write, read, buy, readAll, movedTo, isOpen };
}

/** An end of a copy, and what happens before each of its requests. */
function interrupted(end: JournalEnd, before: () => Promise<unknown>): JournalEnd {
  const between =
    <Args extends unknown[], Value>(question: (...args: Args) => Promise<Value>) =>
    async (...args: Args) => {
      await before();
      return question(...args);
    };
  const { read, create, replace, list } = end.documents;
  const documents = {
    ...end.documents,
    ...{ read: between(read), create: between(create) },
    ...{ replace: between(replace), list: between(list) },
  };
  return { ...end, documents };
}

/** A journal with two pages in its book, a purchase that is not at rest, and all that stands beside. */
async function makeFull() {
  const journal = makeJournal("old");
  for (const sequence of [1, 2, 60]) await journal.buy(sequence);
  await journal.buy(61, false);
  const beside = ["salt.json", "flags.json", "runs.json", "previews.json"];
  for (const name of [...beside, "fitness.json", "probe/x/read.json"]) {
    await journal.write(name, `what ${name} says`);
  }
  return journal;
}

describe("a copy of a journal", () => {
  test("has every purchase and what stands beside them, and nothing that was found out about the store", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    const before = await from.raw.list("", 1_000);
    expect(await copyJournal(from.enter(), to.enter())).toEqual({ purchases: 4, wasThere: false });
    expect(await to.readAll()).toEqual(await from.readAll());
    const { value: names } = await to.enter().documents.list("");
    expect(names).toEqual([
      ...["account.json", "book/000000.json", "book/000001.json", "flags.json"],
      ...["previews.json", "runs.json", "salt.json"],
    ]);
    expect(await to.read("salt.json")).toBe("what salt.json says");
    const after = await from.raw.list("", 1_000);
    expect(after.value.map(({ name }) => name)).toEqual(before.value.map(({ name }) => name));
    expect(await copyJournal(from.enter(), to.enter())).toEqual({ purchases: 4, wasThere: true });
  });

  test.each(["old", "new"])(
    "that is cut off at any request of the %s place has begun no journal, or the whole one, and the next one completes it",
    async (place) => {
      let cutOff = 0;
      for (; ; cutOff++) {
        const from = await makeFull();
        const to = makeJournal("new");
        const { raw } = place === "old" ? from : to;
        raw.expect(...Array.from({ length: cutOff }, () => "none" as const), "refused");
        const isWhole = await copyJournal(from.enter(), to.enter()).then(
          () => true,
          () => false,
        );
        if (isWhole) break;
        // Somebody buys where everybody is still, if that is a place at all: never in both.
        const isHere = await from.buy(62).then(
          () => true,
          () => false,
        );
        if (isHere) expect(await to.isOpen()).toBe(false);
        await copyJournal(from.enter(), to.enter());
        expect(await to.readAll()).toEqual(await from.readAll());
        expect(await from.movedTo()).toBe("new://journal");
      }
      expect(cutOff).toBeGreaterThan(10);
    },
  );

  test("has what was written meanwhile", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    to.raw.meanwhile(() => from.buy(62));
    expect(await copyJournal(from.enter(), to.enter())).toMatchObject({ purchases: 5 });
    expect(await to.readAll()).toEqual(await from.readAll());
  });

  test("of a journal that is written to all the time is given up, and begins none", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    let sequence = 100;
    const goOn = async () => {
      await from.buy(sequence++);
      to.raw.meanwhile(goOn);
    };
    to.raw.meanwhile(goOn);
    await expect(copyJournal(from.enter(), to.enter())).rejects.toThrow(
      "runs write to the journal in old all the time",
    );
    expect(await to.isOpen()).toBe(false);
  });

  test("leaves out whose turn it was, when that run is gone", async () => {
    const from = makeJournal("old");
    const to = makeJournal("new");
    const { store, locks } = from.enter("killed");
    const sent = { ...orderIntent({ sequence: 1 }), runId: "killed" };
    await locks.withAccount(times, () => store.create(sent));
    const refusal = "a run that buys with the journal in old goes on: wait until it has ended";
    await expect(assertCopyable(from.enter(), to.enter())).rejects.toThrow(refusal);
    await expect(copyJournal(from.enter(), to.enter())).rejects.toThrow(refusal);
    expect(to.raw.historyOf("account.json")).toEqual([]);

    from.clock.advance(10 * 60_000);
    expect(await copyJournal(from.enter(), to.enter())).toMatchObject({ purchases: 1 });
    expect(await to.readAll()).toMatchObject([{ phase: "sending", runId: "killed" }]);
    expect(await to.read("account.json")).not.toContain("turn");
  });

  const others: [string, (to: ReturnType<typeof makeJournal>) => Promise<void>][] = [
    ["purchases of its own", (to) => to.buy(1)],
    ["accounts of its own", (to) => to.write("salt.json", "another salt")],
  ];

  test.each(others)(
    "is refused by a place that has %s, and changes nothing there",
    async (_, fill) => {
      const from = await makeFull();
      const to = makeJournal("new");
      await fill(to);
      const before = await to.raw.list("", 1_000);
      const refusal = "new has another journal of this service already";
      await expect(assertCopyable(from.enter(), to.enter())).rejects.toThrow(refusal);
      await expect(copyJournal(from.enter(), to.enter())).rejects.toThrow(refusal);
      expect((await to.raw.list("", 1_000)).value).toEqual(before.value);
    },
  );

  test("is refused where somebody begins to buy in the new place meanwhile", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    from.raw.meanwhile(() => to.buy(1));
    await expect(copyJournal(from.enter(), to.enter())).rejects.toThrow("another journal");
    expect(await to.readAll()).toMatchObject([{ id: "id-1" }]);
  });

  test("takes the place of what a preview has left", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    await to.write("previews.json", "an earlier preview");
    await copyJournal(from.enter(), to.enter());
    expect(await to.read("previews.json")).toBe("what previews.json says");
  });

  test("names a document that does not say what was written", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    const end = to.enter();
    const forgetful: JournalEnd = {
      ...end,
      documents: {
        ...end.documents,
        create: (name, text) =>
          end.documents.create(name, name === "flags.json" ? text.slice(1) : text),
      },
    };
    await expect(copyJournal(from.enter(), forgetful)).rejects.toThrow(
      "flags.json in new does not say what was written there: do not use that journal",
    );
    expect(await to.isOpen()).toBe(false);
  });
});

describe("a journal that was copied", () => {
  const moved = { reason: "moved", message: expect.stringContaining("was moved to new://journal") };

  test("lets nobody buy, not even a run that has read it before, and says where it is now", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    const early = from.enter("early");
    const [known] = await early.store.readAll();
    await copyJournal(from.enter(), to.enter());
    const late = from.enter("late");
    for (const { locks } of [early, late]) {
      const buying = locks.withAccount(times, async () => "has the turn");
      await expect(buying).rejects.toMatchObject(moved);
    }
    if (known === undefined) throw new Error("it holds no purchase");
    const change = changeIntent(known, { phase: "closed" }, from.clock.now());
    await expect(early.store.replace(change)).rejects.toMatchObject(moved);
    await expect(from.enter().store.remove(known)).rejects.toMatchObject(moved);
    // A person may still look at it.
    expect(await from.readAll()).toEqual(await to.readAll());
    expect(await from.movedTo()).toBe("new://journal");
    expect(await to.movedTo()).toBeUndefined();
    await to.buy(62);
  });

  test("also where nobody had bought with it yet", async () => {
    const from = makeJournal("old");
    await from.write("salt.json", "salt");
    const to = makeJournal("new");
    await copyJournal(from.enter(), to.enter());
    const buying = from.enter().locks.withAccount(times, async () => "has the turn");
    await expect(buying).rejects.toMatchObject(moved);
    await to.buy(1);
  });

  test("has moved with all that was bought at any moment of the copy, or is where it was", async () => {
    const requests = async (from: ReturnType<typeof makeJournal>, act?: number) => {
      let asked = 0;
      const end = interrupted(from.enter(), async () => {
        if (asked++ === act) await from.buy(62);
      });
      const to = makeJournal("new");
      const outcome = await copyJournal(end, to.enter()).then(
        ({ purchases }) => purchases,
        () => "refused" as const,
      );
      return { asked, outcome, to };
    };
    const { asked } = await requests(await makeFull());
    expect(asked).toBeGreaterThan(10);
    for (let act = 0; act < asked; act++) {
      const from = await makeFull();
      const { outcome, to } = await requests(from, act);
      expect([act, outcome]).toEqual([act, 5]);
      expect(await to.readAll()).toEqual(await from.readAll());
      expect(await from.movedTo()).toBe("new://journal");
    }
  });

  test("comes back with what was bought meanwhile, and the other place is the one that was left", async () => {
    const from = await makeFull();
    const to = makeJournal("new");
    await copyJournal(from.enter(), to.enter());
    await to.buy(62);
    await copyJournal(to.enter(), from.enter());
    expect(await from.readAll()).toHaveLength(5);
    expect(await from.readAll()).toEqual(await to.readAll());
    expect([await from.movedTo(), await to.movedTo()]).toEqual([undefined, "old://journal"]);
    await from.buy(63);
    // And there again.
    await copyJournal(from.enter(), to.enter());
    expect(await to.readAll()).toHaveLength(6);
    expect(await from.movedTo()).toBe("new://journal");
  });

  test("that comes back may be cut off at any request, too", async () => {
    let cutOff = 0;
    for (; ; cutOff++) {
      const from = await makeFull();
      const to = makeJournal("new");
      await copyJournal(from.enter(), to.enter());
      await to.buy(62);
      from.raw.expect(...Array.from({ length: cutOff }, () => "none" as const), "refused");
      const isWhole = await copyJournal(to.enter(), from.enter()).then(
        () => true,
        () => false,
      );
      if (isWhole) break;
      await copyJournal(to.enter(), from.enter());
      expect(await from.readAll()).toEqual(await to.readAll());
      expect([await from.movedTo(), await to.movedTo()]).toEqual([undefined, "old://journal"]);
    }
    expect(cutOff).toBeGreaterThan(10);
  });

  test("is not copied from, but from where it is now", async () => {
    const from = await makeFull();
    await copyJournal(from.enter(), makeJournal("new").enter());
    const third = makeJournal("third");
    const refusal = "old was moved to new://journal: copy from there";
    await expect(assertCopyable(from.enter(), third.enter())).rejects.toThrow(refusal);
    await expect(copyJournal(from.enter(), third.enter())).rejects.toThrow(refusal);
  });

  test("may be used again when a person says so", async () => {
    const from = await makeFull();
    await copyJournal(from.enter(), makeJournal("new").enter());
    await from.enter().store.reopen();
    expect(await from.movedTo()).toBeUndefined();
    await from.buy(62);
  });
});

test("200: a journal that was taken back and is copied again has what previews have shown since", async () => {
  const from = makeJournal("old");
  await from.buy(1);
  const to = makeJournal("new");
  await copyJournal(from.enter(), to.enter());
  await from.enter().store.reopen();
  await from.write("previews.json", "a preview since");
  await copyJournal(from.enter(), to.enter());
  expect(await to.read("previews.json")).toBe("a preview since");
  expect(await to.readAll()).toEqual(await from.readAll());
  expect([await from.movedTo(), await to.movedTo()]).toEqual(["new://journal", undefined]);
});

describe("several copies at once", () => {
  /** Ends a copy at one of its requests, as a kill does. */
  function killedAt(end: JournalEnd, request: number): JournalEnd {
    let asked = 0;
    return interrupted(end, async () => {
      if (asked++ >= request) throw new Error("killed");
    });
  }

  /** How many requests a copy makes to both ends. */
  async function countRequests(): Promise<number> {
    let asked = 0;
    const count = async () => asked++;
    const [from, to] = [await makeFull(), makeJournal("new")];
    await copyJournal(interrupted(from.enter(), count), interrupted(to.enter(), count));
    return asked;
  }

  test("of one journal to two places leave at most one place to buy with, at every moment, also if both are killed at any request", async () => {
    const requests = await countRequests();
    for (let at = 0; at < requests; at++) {
      for (let killed = at % 4; killed <= requests; killed += 4) {
        const from = await makeFull();
        const [first, second] = [makeJournal("first"), makeJournal("second")];
        const assertOne = async () => {
          const open = await Promise.all([from, first, second].map(({ isOpen }) => isOpen()));
          expect([at, killed, open.filter(Boolean).length]).not.toEqual([at, killed, 2]);
        };
        const other = () =>
          copyJournal(
            interrupted(from.enter(), assertOne),
            interrupted(killedAt(first.enter(), killed), assertOne),
          ).catch(() => undefined);
        let asked = 0;
        const before = async () => {
          if (asked++ === at) await other();
          await assertOne();
        };
        const ends = [from, second].map((journal) => interrupted(journal.enter(), before));
        const [source = from.enter(), target = second.enter()] = ends;
        await copyJournal(source, target).catch(() => undefined);
        await assertOne();
        // Whoever has left the old place is completed, and the other one is told where the journal is.
        const isFirst = (await from.movedTo()) === "first://journal";
        const [winner, loser] = isFirst ? [first, second] : [second, first];
        await copyJournal(from.enter(), winner.enter());
        const refusal = `old was moved to ${isFirst ? "first" : "second"}://journal: copy from there`;
        await expect(copyJournal(from.enter(), loser.enter())).rejects.toThrow(refusal);
        expect([await winner.isOpen(), await loser.isOpen()]).toEqual([true, false]);
        expect(await winner.readAll()).toHaveLength(4);
      }
    }
  });

  test("into one place: one that stands still at any request, and goes on later, changes nothing that a later one has written", async () => {
    const requests = await countRequests();
    for (let still = 0; still < requests; still++) {
      for (let again = still; again < requests; again += 2) {
        const from = await makeFull();
        const to = makeJournal("new");
        let asked = 0;
        let kept: unknown;
        const before = async () => {
          const request = asked++;
          if (request === still) {
            // A newer copy is written whole, and killed before it leaves the old place.
            await from.buy(63);
            const kill = async () => Promise.reject(new Error("killed"));
            const end = from.enter();
            const documents = { ...end.documents, replace: kill };
            await copyJournal({ ...end, documents }, to.enter()).catch(() => undefined);
          }
          if (request === again) {
            await copyJournal(from.enter(), to.enter());
            await to.buy(64);
            kept = await to.readAll();
          }
        };
        const ends = [from, to].map((journal) => interrupted(journal.enter(), before));
        const [source = from.enter(), target = to.enter()] = ends;
        const outcome = await copyJournal(source, target).then(
          ({ wasThere }) => wasThere,
          () => "refused",
        );
        if (kept === undefined) continue;
        expect([still, again, outcome]).not.toEqual([still, again, false]);
        expect([still, again, await to.readAll()]).toEqual([still, again, kept]);
      }
    }
  });
});

describe("a copy from a store", () => {
  /** An end at which a document does not show: in listings, or at all. */
  function without(end: JournalEnd, hidden: string, isGone: boolean): JournalEnd {
    const { list, read } = end.documents;
    const documents: JournalEnd["documents"] = {
      ...end.documents,
      list: async (prefix) => {
        const { value, at } = await list(prefix);
        return { value: value.filter((name) => name !== hidden), at };
      },
      read: async (name) => {
        const { value, at } = await read(name);
        return { value: isGone && name === hidden ? undefined : value, at };
      },
    };
    return { ...end, documents };
  }

  const documents = [
    "book/000000.json",
    "book/000001.json",
    "salt.json",
    "flags.json",
    "runs.json",
  ];

  test.each(documents)("whose listing lags behind has %s all the same", async (hidden) => {
    const from = await makeFull();
    const to = makeJournal("new");
    await copyJournal(without(from.enter(), hidden, false), to.enter());
    expect(await to.readAll()).toEqual(await from.readAll());
    expect(await to.read(hidden)).toBe(await from.read(hidden));
  });

  test.each(["book/000001.json", "salt.json"])("that has lost %s is refused", async (hidden) => {
    const from = await makeFull();
    await from.buy(62, true, "a fingerprint");
    const to = makeJournal("new");
    for (const act of [assertCopyable, copyJournal]) {
      const acting = act(without(from.enter(), hidden, true), to.enter());
      await expect(acting).rejects.toThrow(`${hidden} is missing in old`);
    }
    expect(to.raw.historyOf("account.json")).toEqual([]);
  });

  test("that was left is refused by a place of the same name that has no copy", async () => {
    const from = await makeFull();
    await copyJournal(from.enter(), makeJournal("new").enter());
    const namesake = makeJournal("new");
    const refusal = "old was moved to new://journal, and new has no copy of it";
    await expect(assertCopyable(from.enter(), namesake.enter())).rejects.toThrow(refusal);
    await expect(copyJournal(from.enter(), namesake.enter())).rejects.toThrow(refusal);
    expect(namesake.raw.historyOf("account.json")).toEqual([]);
  });
});

test.each([
  ["a journal", makeFull],
  [
    "a journal with which nobody has bought yet",
    async () => {
      const journal = makeJournal("old");
      await journal.write("salt.json", "salt");
      return journal;
    },
  ],
])("199: %s is not copied to its own place under another name", async (_what, make) => {
  const journal = await make();
  const alias = { ...journal.enter(), place: "alias", url: "alias://journal" };
  await expect(assertCopyable(journal.enter(), alias)).rejects.toThrow(
    "old and alias are one place: give another one to copy to",
  );
  expect(await journal.movedTo()).toBeUndefined();
  await journal.buy(62);
});
