import { describe, expect, test } from "vitest";
import { noticeAway } from "../../../provider/core/journal/away.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { createMemoryStore } from "../support/memory-store.ts";

/** A store that can be told to give no answer. */
async function makeStore() {
  const clock = createManualClock();
  const memory = createMemoryStore(clock.now);
  let isSilent = false;
  let calls = 0;
  const real = openDocuments(memory, clock);
  const documents = {
    ...real,
    async read(name: string) {
      calls += 1;
      if (!isSilent) return real.read(name);
      clock.advance(9_000);
      throw new JournalError("unavailable", "the journal in memory: can't be used (no answer)");
    },
  };
  const turn = (silent: boolean) => {
    isSilent = silent;
  };
  return { clock, memory, turn, calls: () => calls, ...noticeAway(documents, clock) };
}

describe("a store that gave no answer in time", () => {
  test("is not asked again for some seconds: what needs it fails at once, and says so", async () => {
    const { hasty, turn, calls, clock } = await makeStore();
    turn(true);
    await expect(hasty.read("a.json")).rejects.toThrow("(no answer)");
    const before = clock.elapsedMs();
    for (const _ of [1, 2, 3]) {
      await expect(hasty.read("b.json")).rejects.toMatchObject({
        reason: "unavailable",
        message: expect.stringContaining("it is not asked again yet"),
      });
    }
    await expect(hasty.create("c.json", "{}")).rejects.toThrow("it is not asked again yet");
    expect([calls(), clock.elapsedMs()]).toEqual([1, before]);
  });

  test("is asked again after that", async () => {
    const { hasty, turn, clock } = await makeStore();
    turn(true);
    await expect(hasty.read("a.json")).rejects.toThrow("(no answer)");
    turn(false);
    clock.advance(20_000);
    expect((await hasty.read("a.json")).value).toBeUndefined();
  });

  test("is asked at once for what must be written down, and is back when that was answered", async () => {
    const { hasty, insistent, turn } = await makeStore();
    turn(true);
    await expect(hasty.read("a.json")).rejects.toThrow("(no answer)");
    turn(false);
    expect((await insistent.create("paid.json", "{}")).value).toBeDefined();
    expect((await hasty.read("a.json")).value).toBeUndefined();
  });
});

test("a refusal that comes at once says nothing of the next call", async () => {
  const { hasty, memory } = await makeStore();
  memory.expect("refused");
  await expect(hasty.read("a.json")).rejects.toThrow("access denied");
  expect((await hasty.read("a.json")).value).toBeUndefined();
});
