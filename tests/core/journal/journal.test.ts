import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Journal, openJournal } from "../../../provider/core/journal/journal.ts";
import type { OrderIntent, OrderSpec } from "../../../provider/core/records/intent.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { journalFolder } from "../../../provider/journals/file/folders.ts";
import { makeFolder } from "../../journals/file/folders.ts";
import { orderDraft } from "../records/intents.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { failureOf } from "../support/orders-under-test.ts";

const draft = orderDraft();

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
  const begin = (project = "/project"): Journal =>
    openJournal(openFileJournal({ journalDir, baseUrl, project }, clock), log, 90_000);
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

const phasesOf = async (journal: Journal) => (await journal.readAll()).map(({ phase }) => phase);

describe("a purchase in the journal", () => {
  test("is named by its request and numbered by its attempts, over runs and endings", async () => {
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
    expect(await journal.isAlive(sent)).toBe(true);
    // Other processes see its heartbeat, so it is alive for them, too.
    expect(await begin().isAlive(sent)).toBe(true);
    expect(await begin().isAlive({ ...sent, runId: "nobody" })).toBe(false);
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
    await begin().confirmPurchase(known(more));
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
    await begin(project).confirmPurchase(known(more));
    expect(await phasesOf(begin())).toEqual([phase]);
  });

  test("confirms each of many, and reads what was left only once", async () => {
    const { begin } = makeMachine();
    const journal = begin();
    for (const orderNumber of ["8000", "8001", "8002"]) {
      const sent = await send(journal);
      await journal.note(sent, { phase: "placed", orderNumber });
    }
    const next = begin();
    await Promise.all(
      ["8000", "8001", "8000"].map((orderNumber) => next.confirmPurchase(known({ orderNumber }))),
    );
    expect((await phasesOf(begin())).sort()).toEqual(["confirmed", "confirmed", "placed"]);
  });

  test("is read from a journal in trouble without failing", async () => {
    const { begin, folder } = makeMachine();
    await send(begin());
    spoil(folder, "");
    await begin().confirmPurchase(known());
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
