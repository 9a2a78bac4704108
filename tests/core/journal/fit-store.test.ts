import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { createFitnessCheck } from "../../../provider/core/journal/fit-store.ts";
import { keepTime } from "../../../provider/core/journal/record.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

test("a store is probed before the first purchase, once for all runs", async () => {
  const { raw, clock, open } = makeDocumentBench();
  const assertFit = createFitnessCheck(open(), clock, "run-1");
  await Promise.all([assertFit(), assertFit()]);
  const { length } = raw.historyOf("probe/run-1/twice.json");
  expect(length).toBeGreaterThan(0);
  expect((await raw.list("probe/", 1_000)).value).toEqual([]);
  const before = raw.requests();
  await assertFit();
  expect(raw.requests()).toBe(before);
  await createFitnessCheck(open(), clock, "run-2")();
  expect(raw.requests()).toBe(before + 1);
});

test("what another store has passed says nothing of one to which it was copied", async () => {
  const { raw, clock, open } = makeDocumentBench();
  await createFitnessCheck(open(), clock, "run-1")();
  const copied = keepTime(openDocuments({ ...raw, place: "elsewhere:" }, clock), clock);
  await createFitnessCheck(copied, clock, "run-2")();
  expect(raw.historyOf("probe/run-2/twice.json").length).toBeGreaterThan(0);
  const before = raw.requests();
  await createFitnessCheck(copied, clock, "run-3")();
  await createFitnessCheck(open(), clock, "run-4")();
  expect(raw.requests()).toBe(before + 2);
});

test("a store that ignores conditions is refused each time, with what it did", async () => {
  const { raw, clock } = makeDocumentBench();
  const careless = {
    ...raw,
    create: (name: string, text: string) => raw.force(name, text),
    replace: (name: string, _version: string, text: string) => raw.force(name, text),
  };
  const store = keepTime(openDocuments(careless, clock), clock);
  const assertFit = createFitnessCheck(store, clock, "run-1");
  for (const _time of [1, 2]) {
    const { reason, message } = await troubleOf(assertFit());
    expect(reason).toBe("unfit");
    expect(message).toContain("a document is not made where there is one: it was made a second");
  }
  expect(raw.historyOf("fitness.json")).toEqual([]);
});

test("a store that is away is not called unfit", async () => {
  const { raw, clock, open } = makeDocumentBench();
  const assertFit = createFitnessCheck(open(), clock, "run-1");
  raw.expect("refused");
  expect((await troubleOf(assertFit())).reason).toBe("unavailable");
  await assertFit();
});
