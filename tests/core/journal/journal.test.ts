import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Journal, openJournal } from "../../../provider/core/journal/journal.ts";
import type { KnownPurchase } from "../../../provider/core/journal/known-purchases.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import type { Heir } from "../../../provider/core/records/hand-over.ts";
import {
  begunAt,
  type IntentChange,
  type OrderIntent,
  type OrderSpec,
} from "../../../provider/core/records/intent.ts";
import {
  type FileJournalPlace,
  openFileJournal,
} from "../../../provider/journals/file/file-journal.ts";
import { journalFolder } from "../../../provider/journals/file/folders.ts";
import { makeFolder } from "../../journals/file/folders.ts";
import { orderDraft } from "../records/intents.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { failureOf } from "../support/orders-under-test.ts";

const draft = orderDraft();

const { proxyType } = draft.purchase.request;

const baseUrl = "https://service.test/api";

/** Processes on one machine, one after the other. */
function makeMachine() {
  const journalDir = makeFolder();
  const clock = createManualClock();
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    progress: () => undefined,
    remark: () => undefined,
    warn: (message: string) => void warnings.push(message),
  };
  const begin = (project = "/project", more: Partial<FileJournalPlace> = {}): Journal =>
    openJournal(openFileJournal({ journalDir, baseUrl, project, ...more }, clock), log, 90_000);
  return { begin, clock, warnings, folder: journalFolder(journalDir, baseUrl) };
}

/** Writes something else into the newest revision of the account's document. */
function spoil(folder: string, text: string): void {
  const document = join(folder, "account.json@");
  const [newest = ""] = readdirSync(document).toSorted((a, b) => Number(b) - Number(a));
  writeFileSync(join(document, newest), text);
}

/** Writes a purchase down in a turn of its own. */
function send(journal: Journal): Promise<OrderIntent> {
  return journal.withAccount(() => journal.begin<OrderSpec>(draft));
}

/** What a run does that meets this purchase in a state, from its beginning to its end. */
async function confirmInRun(run: Journal, ...known: KnownPurchase[]): Promise<void> {
  await Promise.all(
    known.map((purchase) => run.confirmPurchase({ owner: draft.owner, proxyType }, purchase)),
  );
  await run.endRun();
}

const phasesOf = async (journal: Journal) => (await journal.readAll()).map(({ phase }) => phase);

describe("a purchase in the journal", () => {
  test("is named by its request and its sequence, over runs and endings", async () => {
    const { begin } = makeMachine();
    const first = begin();
    const one = await send(first);
    const two = await send(first);
    await first.note(one, { phase: "closed", closedBecause: "rejected" });
    await first.note(two, { phase: "unknown" });
    const three = await send(begin());
    expect([one, two, three].map(({ id }) => id)).toEqual([
      "0123456789ab-1",
      "0123456789ab-2",
      "0123456789ab-3",
    ]);
    expect(one).toMatchObject({ project: "/project", runId: first.runId, phase: "sending" });
  });

  test("has an id of its own, also if the one before was never sent: what is found out of that one is not written down of it", async () => {
    const { begin } = makeMachine();
    const run = begin();
    const unsent = await send(run);
    await run.discard(unsent);
    const sent = await send(run);
    expect(sent.id).not.toBe(unsent.id);
    const conclusion = { phase: "closed", closedBecause: "notPlaced" } as const;
    expect((await failureOf(begin().conclude(unsent, conclusion))).code).toBe(
      "JOURNAL_UNAVAILABLE",
    );
    expect(await phasesOf(begin())).toEqual(["sending"]);
  });

  test.each([
    ["the next purchase of its process", async (run: Journal) => void (await send(run))],
    ["the end of its run", (run: Journal) => run.endRun()],
  ])("that was never sent, and could not be removed, is removed by %s", async (_, next) => {
    const { begin } = makeMachine();
    let isAway = false;
    const run = begin("/project", {
      interpose: (real) => ({
        ...real,
        async replace(...change) {
          if (isAway) throw new JournalError("unavailable", "the disk gave no answer");
          return real.replace(...change);
        },
      }),
    });
    const unsent = await send(run);
    isAway = true;
    await run.discard(unsent);
    isAway = false;
    expect((await begin().readAll()).map(({ id }) => id)).toEqual([unsent.id]);
    await next(run);
    expect((await begin().readAll()).map(({ id }) => id)).not.toContain(unsent.id);
  });

  test("is carried on by whoever holds an older version of it in this process", async () => {
    const { begin } = makeMachine();
    const journal = begin();
    const sent = await send(journal);
    await journal.note(sent, { phase: "placed", orderNumber: "8000" });
    const returned = await journal.note(sent, { phase: "returned" });
    expect(returned).toMatchObject({ revision: 3, orderNumber: "8000" });
    expect(await phasesOf(begin())).toEqual(["returned"]);
  });

  test("is not lost to whom the disk fails after it was paid", async () => {
    const { begin, warnings } = makeMachine();
    const sent = await send(begin());
    const [mine, theirs] = [begin(), begin()];
    await theirs.change(sent, { phase: "unknown" });
    const noted = await mine.note(sent, { phase: "placed", orderNumber: "8000" });
    expect(noted).toMatchObject({ phase: "placed", orderNumber: "8000" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(sent.id);
    const failure = await failureOf(mine.change(sent, { phase: "placed" }));
    expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
    expect(await phasesOf(begin())).toEqual(["unknown"]);
  });

  test("that nobody can read stops every run, and says which file it is", async () => {
    const { begin, folder } = makeMachine();
    await send(begin());
    spoil(folder, '{"version": 2}');
    const failure = await failureOf(begin().readOpen());
    expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
    expect(failure.message).toContain(`account.json in file://${folder}`);
    expect(failure.message).toContain("may speak of an order that was paid");
  });

  test("of this run is alive, and one of a run that is gone is not", async () => {
    const { begin } = makeMachine();
    const journal = begin();
    const sent = await send(journal);
    expect(await journal.isUnderWay(sent)).toBe(true);
    // Other processes see its heartbeat, so it is alive for them, too.
    expect(await begin().isUnderWay(sent)).toBe(true);
    expect(await begin().isUnderWay({ ...sent, runId: "nobody" })).toBe(false);
  });
});

describe("what the engine's state shows", () => {
  const known = (more: object = {}) => ({
    requestId: draft.requestId,
    orderNumber: "8000",
    at: "2026-03-02T00:00:00.000Z",
    ...more,
  });

  test.each([
    ["by its number", {}, "confirmed"],
    ["by its number under another request", { requestId: "other" }, "confirmed"],
    ["not by its request where the number is another's", { orderNumber: "7999" }, "returned"],
  ])("confirms an order that was paid %s", async (_what, more, phase) => {
    const { begin } = makeMachine();
    const journal = begin();
    const sent = await send(journal);
    await journal.note(sent, { phase: "placed", orderNumber: "8000" });
    await journal.note(sent, { phase: "returned" });
    await confirmInRun(begin(), known(more));
    expect(await phasesOf(begin())).toEqual([phase]);
  });

  test.each([
    ["by its request", {}, "/project", "confirmed"],
    [
      "not by a purchase made before it was sent",
      { at: "2026-02-01T00:00:00.000Z" },
      "/project",
      "sending",
    ],
    ["not by another request", { requestId: "other" }, "/project", "sending"],
    ["not by the state of another checkout", {}, "/elsewhere", "sending"],
  ])("confirms one whose answer was not written down %s", async (_what, more, project, phase) => {
    const { begin } = makeMachine();
    await send(begin());
    await confirmInRun(begin(project), known(more));
    expect(await phasesOf(begin())).toEqual([phase]);
  });

  test("confirms each of many, and reads what was left only once", async () => {
    const { begin } = makeMachine();
    const journal = begin();
    for (const orderNumber of ["8000", "8001", "8002"]) {
      const sent = await send(journal);
      await journal.note(sent, { phase: "placed", orderNumber });
    }
    const all = ["8000", "8001", "8000"].map((orderNumber) => known({ orderNumber }));
    await confirmInRun(begin(), ...all);
    expect((await phasesOf(begin())).sort()).toEqual(["confirmed", "confirmed", "placed"]);
  });

  test("is read from a journal in trouble without failing", async () => {
    const { begin, folder } = makeMachine();
    await send(begin());
    spoil(folder, "");
    await confirmInRun(begin(), known());
  });

  test.each([
    ["by its number", ["8000"], true, { orderNumber: "8000", orderIds: ["8000"] }],
    [
      "by another id",
      ["9000"],
      true,
      { orderNumber: "8000", orderIds: ["9000"], isNumberTaken: true },
    ],
    ["not yet", ["8000"], false, {}],
  ])(
    "tells how one was found whose answer was not written down: %s",
    async (_what, orderIds, isFound, told) => {
      const { begin } = makeMachine();
      const { orderNumber, ...sent } = await send(begin());
      expect(orderNumber).toBeUndefined();
      const run = begin();
      const at = begunAt(sent);
      await run.confirmPurchase(
        { owner: draft.owner, proxyType },
        known({ orderIds, at }),
        isFound,
      );
      await run.endRun();
      const confirmed = { ...sent, phase: "confirmed", revision: 2, history: expect.anything() };
      expect(await begin().readAll()).toEqual([{ ...confirmed, ...told }]);
      // What is found out later is told later.
      await confirmInRun(begin(), known({ orderIds, at }));
      expect((await begin().readAll())[0]?.orderNumber).toBe("8000");
    },
  );

  test.each([
    ["is released with it", draft.owner, new Map<string, Heir>(), "closed"],
    [
      "is not released with it if somebody goes on with it",
      draft.owner,
      new Map<string, Heir>([["8000", "unsaved"]]),
      "placed",
    ],
    [
      "of another resource that it has taken over is that one's",
      "org/other",
      new Map<string, Heir>(),
      "placed",
    ],
  ])("what a deleted resource has bought %s", async (_what, owner, goingOn, phase) => {
    const { begin } = makeMachine();
    await begin().change(await send(begin()), { phase: "placed", orderNumber: "8000" });
    const held = {
      ...{ owner, proxyType, orderNumber: "8000" },
      ...{ orderIds: ["8000"], purchases: [] },
    };
    await begin().release(held, async () => goingOn);
    expect(await phasesOf(begin())).toEqual([phase]);
  });

  test.each([
    ["that very one", 0, "confirmed"],
    ["not a later one of another stack that is named alike", 1, "sending"],
  ])("confirms one that its stack has made in another scope: %s", async (_what, laterMs, phase) => {
    const { begin } = makeMachine();
    const sent = await send(begin("/project", { scope: "test" }));
    const at = new Date(Date.parse(begunAt(sent)) + laterMs).toISOString();
    await confirmInRun(begin("/project", { scope: "staging" }), known({ at }));
    expect(await phasesOf(begin())).toEqual([phase]);
  });

  describe("beside a change of the same process that is under way", () => {
    async function makeChanging(changes: IntentChange) {
      const { begin } = makeMachine();
      const sent = await send(begin());
      const placed = await begin().change(sent, { phase: "placed", orderNumber: "8000" });
      const run = begin();
      await run.readAtBeginning();
      const change = run.change(placed, changes);
      await confirmInRun(run, known());
      await change;
      return (await begin().readAll()).at(0);
    }

    test("it goes on from that change", async () => {
      const kept = await makeChanging({ orderIds: ["9000"] });
      expect(kept).toMatchObject({ phase: "confirmed", orderIds: ["9000"] });
    });

    test("it does not open what that change closes", async () => {
      const kept = await makeChanging({ phase: "closed", closedBecause: "released" });
      expect(kept).toMatchObject({ phase: "closed", closedBecause: "released" });
    });
  });

  describe("while a store is slow", () => {
    /** Six purchases that are in the book, and a run whose first write waits until it may go on. */
    async function makeSlowRun(trouble?: JournalError) {
      const { begin } = makeMachine();
      const buyer = begin();
      const numbers = ["8000", "8001", "8002", "8003", "8004", "8005"];
      for (const orderNumber of numbers) {
        const sent = await send(buyer);
        await buyer.note(sent, { phase: "placed", orderNumber });
        await buyer.note(sent, { phase: "returned" });
      }
      await buyer.endRun();
      const { promise: mayWrite, resolve: goOn } = Promise.withResolvers<void>();
      const written: string[] = [];
      const run = begin("/project", {
        interpose: (documents) => ({
          ...documents,
          async replace(name, ...rest) {
            await mayWrite;
            if (trouble) throw trouble;
            written.push(name);
            return documents.replace(name, ...rest);
          },
        }),
      });
      // The engine plans one after the other, and each plan has to be over before the next.
      for (const orderNumber of numbers)
        await run.confirmPurchase({ owner: draft.owner, proxyType }, known({ orderNumber }));
      return { begin, run, written, goOn };
    }

    test("no plan waits for it, and one write is for many", async () => {
      const { begin, run, written, goOn } = await makeSlowRun();
      expect(written).toEqual([]);
      goOn();
      await run.endRun();
      expect(new Set(await phasesOf(begin()))).toEqual(new Set(["confirmed"]));
      expect(written.filter((name) => name.startsWith("book/")).length).toBeLessThan(4);
    });

    test.each<[string, (run: Journal) => Promise<unknown>]>([
      ["reads purchases", (run) => run.readAll()],
      ["reads them in its turn", (run) => run.readInTurn()],
    ])("whoever %s in this process sees it already", async (_what, ask) => {
      const { run, written } = await makeSlowRun();
      expect(await ask(run)).toEqual(
        Array(6).fill(expect.objectContaining({ phase: "confirmed" })),
      );
      expect(written).toEqual([]);
    });

    test("what another process writes meanwhile is not written over", async () => {
      const { begin, run, goOn } = await makeSlowRun();
      const [seen] = await run.readAll();
      const person = begin();
      const theirs = (await person.readAll()).find(({ id }) => id === seen?.id);
      if (seen === undefined || theirs === undefined) throw new Error("no purchase is seen");
      await person.change(theirs, { phase: "closed", closedBecause: "resolved" });
      expect((await run.readAll()).find(({ id }) => id === seen.id)?.phase).toBe("closed");
      goOn();
      expect((await failureOf(run.change(seen, { orderIds: ["x"] }))).message).toContain(
        "another process has changed the purchase",
      );
      const kept = (await begin().readAll()).find(({ id }) => id === seen.id);
      expect(kept).toMatchObject({ phase: "closed", closedBecause: "resolved" });
    });

    test("a later run does it again if it could not be written", async () => {
      const { begin, run, goOn } = await makeSlowRun(new JournalError("unavailable", "away"));
      goOn();
      await run.putAway();
      expect(new Set(await phasesOf(run))).toEqual(new Set(["returned"]));
      expect(new Set(await phasesOf(begin()))).toEqual(new Set(["returned"]));
      await confirmInRun(begin(), known());
      expect(await phasesOf(begin())).toContain("confirmed");
    });

    test("whoever changes the purchase goes on from it", async () => {
      const { begin, run, goOn } = await makeSlowRun();
      const holding = (owner: string, orderNumber: string) => ({
        ...{ owner, proxyType, orderNumber, orderIds: [orderNumber] },
        purchases: [known({ orderNumber })],
      });
      const renamed = run.follow(holding("org/somebody", "8002"));
      const released = run.release(holding(draft.owner, "8003"));
      goOn();
      await Promise.all([renamed, released]);
      const all = await begin().readAll();
      expect(all.find(({ orderNumber }) => orderNumber === "8002")).toMatchObject({
        ...{ owner: "org/somebody", phase: "confirmed" },
      });
      expect(all.find(({ orderNumber }) => orderNumber === "8003")).toMatchObject({
        ...{ phase: "closed", closedBecause: "released" },
      });
    });
  });
});

describe("each service has a folder of its own", () => {
  test.each([
    ["the same with a slash", "https://service.test/api/", true],
    ["another path", "https://service.test/other", false],
    ["another port", "https://service.test:8443/api", false],
    ["another scheme", "http://service.test/api", false],
    ["another host", "https://other.test/api", false],
  ])("%s: %s", (_what, url, same) => {
    expect(journalFolder("/journals", url) === journalFolder("/journals", baseUrl)).toBe(same);
  });

  test("whose name a person can read", () => {
    expect(journalFolder("/journals", "http://127.0.0.1:8080/x")).toMatch(
      /^\/journals\/127\.0\.0\.1_8080-[0-9a-f]{8}$/,
    );
  });
});
