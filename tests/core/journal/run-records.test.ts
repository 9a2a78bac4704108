import { describe, expect, test } from "vitest";
import { openRunRecords } from "../../../provider/core/journal/run-records.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const holder = { pid: 7, host: "here" };

/** Processes that use one journal. */
function makeProcesses() {
  const { raw, clock, open } = makeDocumentBench();
  return { raw, clock, process: () => openRunRecords(open(), holder) };
}

describe("the runs that have bought something", () => {
  test("are known to others with their process, and by their end", async () => {
    const { process, clock } = makeProcesses();
    const [own, other] = [process(), process()];
    await own.begin("run-1");
    const begun = { ...holder, runId: "run-1", beganAt: clock.now().toISOString() };
    expect(await other.find("run-1")).toEqual({ ...begun, ended: false });
    expect(await other.hasEnded("run-1")).toBe(false);
    await own.end("run-1");
    expect(await other.find("run-1")).toEqual({ ...begun, ended: true });
    expect(await other.hasEnded("run-1")).toBe(true);
  });

  test("are written down once, however much they buy at a time", async () => {
    const { process, raw } = makeProcesses();
    const own = process();
    await Promise.all(["run-1", "run-1", "run-1"].map((runId) => own.begin(runId)));
    expect(raw.historyOf("runs.json")).toHaveLength(1);
  });

  test("that could not be written down are written with their next purchase", async () => {
    const { process, raw } = makeProcesses();
    const own = process();
    raw.expect("none", "refused");
    await own.begin("run-1");
    expect(await process().find("run-1")).toBeUndefined();
    await own.begin("run-1");
    expect(await process().find("run-1")).toMatchObject({ ended: false });
  });

  test("that could not be written down are known by their end", async () => {
    const { process, raw } = makeProcesses();
    const own = process();
    raw.expect("none", "refused");
    await own.begin("run-1");
    await own.end("run-1");
    expect(await process().hasEnded("run-1")).toBe(true);
  });

  test("are there once where the answer to their write was lost", async () => {
    const { process, raw } = makeProcesses();
    const own = process();
    await process().begin("run-0");
    raw.expect("none", "lostAnswer", "refused");
    await own.begin("run-1");
    await own.begin("run-1");
    expect(
      raw
        .historyOf("runs.json")
        .at(-1)
        ?.match(/run-\d/g),
    ).toEqual(["run-0", "run-1"]);
  });

  test("that have bought nothing leave no trace", async () => {
    const { process, raw } = makeProcesses();
    await process().end("run-1");
    expect(raw.historyOf("runs.json")).toEqual([]);
  });
});
