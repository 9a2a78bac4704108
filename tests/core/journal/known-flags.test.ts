import { describe, expect, test } from "vitest";
import { openKnownFlags } from "../../../provider/core/journal/known-flags.ts";
import type { KnownFlag } from "../../../provider/core/records/known-flag.ts";
import type { ManualClock } from "../support/account-under-test.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

const on: Omit<KnownFlag, "turn" | "at"> = {
  proxyType: "IPv4",
  ...{ ipAddressId: "ip-1", address: "192.0.2.1 10001" },
  ...{ autoExtend: true, dateEnd: "2026-03-31T00:00:00.000Z" },
};

const HOUR_MS = 3_600_000;

/** Processes that use one journal, and their time. */
function makeProcesses() {
  const { raw, clock, open } = makeDocumentBench();
  return {
    ...{ raw, clock },
    process: () => openKnownFlags(open(), "run", ""),
    /** One on a machine whose clock is wrong. */
    processWrongBy(ms: number) {
      const own: ManualClock = { ...clock, now: () => new Date(clock.now().getTime() + ms) };
      return openKnownFlags(open(own), "run", "");
    },
  };
}

describe("the flags that this package has switched", () => {
  test("are known to the process that switched them, and to later ones", async () => {
    const { process, clock } = makeProcesses();
    const first = process();
    await first.note([on]);
    const noted = { ...on, turn: 1, at: clock.now().toISOString() };
    expect(await first.readAll("IPv4")).toEqual(new Map([["ip-1", noted]]));
    expect(await process().readAll("IPv4")).toEqual(new Map([["ip-1", noted]]));
  });

  test("are as they were switched last, whichever process did", async () => {
    const { process } = makeProcesses();
    await process().note([on]);
    const second = process();
    expect((await second.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
    await second.note([{ ...on, autoExtend: false }]);
    expect((await second.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(false);
    expect((await process().readAll("IPv4")).get("ip-1")?.autoExtend).toBe(false);
  });

  test("are as they were switched last, where the store's clock was set back", async () => {
    const { process, clock } = makeProcesses();
    await process().note([{ ...on, autoExtend: false }]);
    clock.suspend(-5_000);
    const second = process();
    await second.readAll("IPv4");
    await second.note([on]);
    expect((await second.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
    expect((await process().readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
  });

  test("are all kept if two processes switch at the same time", async () => {
    const { process } = makeProcesses();
    await Promise.all([process().note([on]), process().note([{ ...on, ipAddressId: "ip-2" }])]);
    expect([...(await process().readAll("IPv4")).keys()].toSorted()).toEqual(["ip-1", "ip-2"]);
  });

  test("are of one type: a proxy of another type may have the same id", async () => {
    const { process } = makeProcesses();
    await process().note([on, { ...on, proxyType: "IPv6", autoExtend: false }]);
    const flagOf = async (proxyType: "IPv4" | "IPv6") =>
      (await process().readAll(proxyType)).get("ip-1")?.autoExtend;
    expect([await flagOf("IPv4"), await flagOf("IPv6")]).toEqual([true, false]);
  });

  test("are none where nothing was switched, and then nothing is written", async () => {
    const { process, raw } = makeProcesses();
    await process().note([]);
    expect(await process().readAll("IPv4")).toEqual(new Map());
    expect(raw.historyOf("flags.json")).toEqual([]);
  });

  test("are forgotten after 400 days", async () => {
    const { process, clock } = makeProcesses();
    await process().note([on]);
    clock.advance(401 * 24 * 60 * 60 * 1000);
    await process().note([{ ...on, ipAddressId: "ip-2" }]);
    expect([...(await process().readAll("IPv4")).keys()]).toEqual(["ip-2"]);
  });

  test("are none for a process that can't read them", async () => {
    const { process, raw } = makeProcesses();
    await process().note([on]);
    await raw.force("flags.json", '{"version":1,"fl');
    expect(await process().readAll("IPv4")).toEqual(new Map());
  });

  test("that can't be written down fail nothing, and stay known to the process", async () => {
    const { process, raw } = makeProcesses();
    const first = process();
    raw.expect("none", "refused");
    await first.note([on]);
    expect((await first.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
    expect((await process().readAll("IPv4")).size).toBe(0);
  });

  test("that could not be written down are written with the next ones", async () => {
    const { process, raw } = makeProcesses();
    const first = process();
    raw.expect("none", "refused");
    await first.note([on]);
    await first.note([{ ...on, ipAddressId: "ip-2" }]);
    expect([...(await first.readAll("IPv4")).keys()]).toEqual(["ip-1", "ip-2"]);
    expect([...(await process().readAll("IPv4")).keys()]).toEqual(["ip-1", "ip-2"]);
  });

  test("that could not be written down do not stand over what another process has switched since", async () => {
    const { process, raw, clock } = makeProcesses();
    const first = process();
    raw.expect("none", "refused");
    await first.note([on]);
    clock.advance(1_000);
    await process().note([{ ...on, autoExtend: false }]);
    await first.note([{ ...on, ipAddressId: "ip-2" }]);
    expect((await process().readAll("IPv4")).get("ip-1")?.autoExtend).toBe(false);
  });

  test("that could not be written down are told by the store's clock, where this machine's is behind", async () => {
    const { process, processWrongBy, raw, clock } = makeProcesses();
    await process().note([{ ...on, autoExtend: false }]);
    clock.advance(60_000);
    const late = processWrongBy(-5 * HOUR_MS);
    const at = clock.now().toISOString();
    raw.expect("refused");
    await late.note([on]);
    clock.advance(1_000);
    await late.note([{ ...on, ipAddressId: "ip-2" }]);
    expect((await process().readAll("IPv4")).get("ip-1")).toMatchObject({ autoExtend: true, at });
  });

  test("that could not be written down do not stand over what was switched since, where this machine's clock is ahead", async () => {
    const { process, processWrongBy, raw, clock } = makeProcesses();
    const ahead = processWrongBy(5 * HOUR_MS);
    raw.expect("refused");
    await ahead.note([{ ...on, autoExtend: false }]);
    clock.advance(60_000);
    await process().note([on]);
    await ahead.note([{ ...on, ipAddressId: "ip-2" }]);
    expect((await process().readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
  });

  test("that another process has switched since count for one that can't write, too", async () => {
    const { process, raw, clock } = makeProcesses();
    const first = process();
    raw.expect("refused");
    await first.note([{ ...on, autoExtend: false }]);
    clock.advance(1_000);
    await process().note([on]);
    expect((await first.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(true);
  });

  test("221: are as this process has switched them last, where a write failed in between and the clock was set back", async () => {
    const { process, raw, clock } = makeProcesses();
    const first = process();
    await first.note([on]);
    raw.expect("refused");
    await first.note([{ ...on, ipAddressId: "ip-2" }]);
    clock.suspend(-60_000);
    await first.note([{ ...on, autoExtend: false }]);
    expect((await first.readAll("IPv4")).get("ip-1")?.autoExtend).toBe(false);
    expect((await process().readAll("IPv4")).get("ip-1")?.autoExtend).toBe(false);
  });
});
