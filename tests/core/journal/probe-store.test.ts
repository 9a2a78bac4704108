import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { probeStore } from "../../../provider/core/journal/probe-store.ts";
import {
  type RawDocument,
  type RawStore,
  StoreFailure,
} from "../../../provider/core/journal/raw-store.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { createMemoryStore, type MemoryStore } from "../support/memory-store.ts";
import { storeNeeds } from "../support/store-needs.ts";

/** Probes a store that differs from one that is fit. */
async function probe(differ: (raw: MemoryStore) => Partial<RawStore> = () => ({}), rounds = 3) {
  const clock = createVirtualClock();
  const raw = createMemoryStore(clock.now);
  const store = openDocuments({ ...raw, ...differ(raw) }, clock);
  const result = await probeStore(store, clock, { id: "p1", rounds });
  const troubles = result.findings.flatMap(({ trouble }) =>
    trouble === undefined ? [] : [trouble],
  );
  return { ...result, raw, troubles };
}

test("finds a store fit that keeps what it promises, and leaves nothing there", async () => {
  const { raw, findings, ...result } = await probe();
  expect(result).toMatchObject({
    ...{ place: "memory:", isFit: true, troubles: [], clockAheadMs: 0, leftBehind: [] },
  });
  expect(findings.map(({ need }) => need)).toEqual(storeNeeds);
  expect((await raw.list("", 1)).value).toEqual([]);
});

test("names what a store does that ignores the condition on what is new", async () => {
  const { isFit, troubles } = await probe((raw) => ({
    create: (name, text) => raw.force(name, text),
  }));
  expect(isFit).toBe(false);
  expect(troubles).toEqual([
    "it was made a second time",
    "16 of 16 were told that they had, in round 1 of 3",
  ]);
});

test("names what a store does that ignores the condition on what is old", async () => {
  const { isFit, troubles } = await probe((raw) => ({
    replace: (name, _version, text) => raw.force(name, text),
  }));
  expect(isFit).toBe(false);
  expect(troubles).toEqual([
    "it was replaced by whoever knew an old version",
    "it was removed by whoever knew an old version",
    "16 of 16 were told that they had, in round 1 of 3",
  ]);
});

test("finds out a store that looks first and writes then, once in many rounds", async () => {
  let asked = 0;
  const careless = (raw: MemoryStore): Partial<RawStore> => ({
    async create(name, text, limitMs) {
      const { value, at } = await raw.read(name, limitMs);
      if (value !== undefined) return { value: undefined, at };
      // Slow now and then.
      if (++asked % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      return raw.force(name, text);
    },
  });
  const { troubles } = await probe(careless, 20);
  expect(troubles).toContainEqual(
    expect.stringMatching(/^\d+ of 16 were told that they had, in round \d+ of 20$/),
  );
});

test("names a listing that is behind, and a reading", async () => {
  const behind = await probe((raw) => ({
    list: async (prefix) => ({ ...(await raw.list(prefix, 1)), value: [] }),
  }));
  expect(behind.troubles).toEqual(["it was not listed"]);
  let old: RawDocument | undefined;
  const { troubles } = await probe((raw) => ({
    async create(name, text, limitMs) {
      const made = await raw.create(name, text, limitMs);
      if (name.endsWith("/replaced.json") && made.value) old = { text, version: made.value };
      return made;
    },
    async read(name, limitMs) {
      const found = await raw.read(name, limitMs);
      return name.endsWith("/replaced.json") ? { ...found, value: old } : found;
    },
  }));
  expect(troubles).toEqual(['after it was replaced it held "first", not "second"']);
});

test("names a clock that goes back, or is not told", async () => {
  let at = Date.parse("2026-03-01");
  const back = await probe((raw) => ({
    read: async (name) => {
      at -= 60_000;
      return { ...(await raw.read(name, 1)), at: new Date(at) };
    },
  }));
  expect(back.troubles).toEqual(["it went back between two answers"]);
  const none = await probe((raw) => ({
    list: async (prefix) => ({ ...(await raw.list(prefix, 1)), at: new Date(Number.NaN) }),
  }));
  expect(none.troubles).toEqual(["an answer told none"]);
});

test("tells how far the store's clock is ahead", async () => {
  const { clockAheadMs, isFit } = await probe((raw) => ({
    read: async (name) => {
      const told = await raw.read(name, 1);
      return { ...told, at: new Date(told.at.getTime() + 3_600_000) };
    },
  }));
  expect({ clockAheadMs, isFit }).toEqual({ clockAheadMs: 3_600_000, isFit: false });
});

test("names what it could not take away again", async () => {
  const { isFit, leftBehind } = await probe(() => ({
    erase: async () => {
      throw new StoreFailure("refused", "no right to remove");
    },
  }));
  expect(isFit).toBe(true);
  expect(leftBehind).toContain("probe/p1/twice.json");
});

test("names what a store says that does not know conditions", async () => {
  const { isFit, troubles } = await probe(() => ({
    replace: async () => {
      throw new StoreFailure("refused", "NotImplemented (HTTP 501)");
    },
  }));
  expect(isFit).toBe(false);
  expect(troubles).toHaveLength(3);
  expect(troubles[0]).toBe("the journal in memory: can't be used (NotImplemented (HTTP 501))");
});

test("says nothing of a store that can't be reached", async () => {
  const away = probe(() => ({
    read: async () => {
      throw new StoreFailure("unanswered", "connection refused");
    },
  }));
  await expect(away).rejects.toThrow("the journal in memory: can't be used (connection refused)");
});
