import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createShownQuotes } from "../../../provider/core/journal/shown.ts";
import { createManualClock } from "../account-under-test.ts";
import { makeFolder } from "./folders.ts";

const quote = { requestId: "request-1", quantity: 5, price: 7, currency: "USD" };

const HOUR_MS = 60 * 60 * 1000;

/** Two processes that use one journal, and their time. */
function makeProcesses() {
  const folder = makeFolder();
  const clock = createManualClock();
  const process = (runId: string) => createShownQuotes(folder, runId, clock);
  return { folder, clock, preview: process("preview"), up: process("up"), process };
}

describe("what an earlier process has shown", () => {
  test("binds, and says when it was shown", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.show(quote);
    expect(await up.shownBefore("request-1")).toEqual({ ...quote, at: clock.now().toISOString() });
    expect(await up.shownBefore("request-2")).toBeUndefined();
  });

  test("binds in its newest version, whichever process showed that", async () => {
    const { preview, up, clock, process } = makeProcesses();
    await preview.show(quote);
    clock.advance(1_000);
    await process("later").show({ ...quote, price: 9 });
    clock.advance(1_000);
    await preview.show({ ...quote, price: 8 });
    expect(await up.shownBefore("request-1")).toMatchObject({ price: 8 });
  });

  test("does not bind the process that showed it", async () => {
    const { preview } = makeProcesses();
    await preview.show(quote);
    expect(await preview.shownBefore("request-1")).toBeUndefined();
  });

  test.each([
    [2 * HOUR_MS, 7],
    [2 * HOUR_MS + 1, undefined],
  ])("binds for two hours: after %i ms %s", async (ms, price) => {
    const { preview, up, clock } = makeProcesses();
    await preview.show(quote);
    clock.advance(ms);
    expect((await up.shownBefore("request-1"))?.price).toBe(price);
  });

  test("stops binding in the middle of a run as well", async () => {
    const { preview, up, clock } = makeProcesses();
    await preview.show(quote);
    expect(await up.shownBefore("request-1")).toMatchObject({ price: 7 });
    clock.advance(3 * HOUR_MS);
    expect(await up.shownBefore("request-1")).toBeUndefined();
  });

  test("binds as far as it was written: torn lines are none", async () => {
    const { folder, preview, up } = makeProcesses();
    await preview.show(quote);
    const lines = ["", "{", '{"requestId":"request-1"}', `{"requestId":"request-1","price":"7"}`];
    writeFileSync(join(folder, "shown", "torn.jsonl"), lines.join("\n"));
    expect(await up.shownBefore("request-1")).toMatchObject({ price: 7 });
  });

  test("is told in full by many checks at the same time", async () => {
    const { preview, up } = makeProcesses();
    const ids = Array.from({ length: 50 }, (_, n) => `request-${n}`);
    await Promise.all(ids.map((requestId) => preview.show({ ...quote, requestId })));
    for (const requestId of ids)
      expect(await up.shownBefore(requestId)).toMatchObject({ requestId });
  });

  test("is swept when it is old, and only then", async () => {
    const { folder, preview, up, clock, process } = makeProcesses();
    await preview.show(quote);
    await process("old").show(quote);
    const seconds = clock.now().getTime() / 1000;
    const age = (name: string, s: number) => utimesSync(join(folder, "shown", name), s, s);
    age("preview.jsonl", seconds - 7_100);
    age("old.jsonl", seconds - 7_300);
    await up.shownBefore("request-1");
    expect(readdirSync(join(folder, "shown"))).toEqual(["preview.jsonl", "up.jsonl"]);
  });

  test("is not binding where it was a run that went on to buy: a refused one must not pave the way", async () => {
    const { preview, up, process } = makeProcesses();
    await preview.show(quote);
    const refused = process("refused");
    await refused.show({ ...quote, price: quote.price + 1 });
    expect(await refused.shownBefore("request-1")).toMatchObject({ price: quote.price });
    expect(await up.shownBefore("request-1")).toMatchObject({ price: quote.price });
    await refused.show({ ...quote, price: quote.price + 2 });
    expect(await process("later").shownBefore("request-1")).toMatchObject({ price: quote.price });
  });
});

test("a preview whose folder can't be written or read goes on", async () => {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "");
  const shown = createShownQuotes(join(file, "journal"), "run-1", createManualClock());
  await shown.show(quote);
  await shown.show(quote);
  expect(await shown.shownBefore("request-1")).toBeUndefined();
});
