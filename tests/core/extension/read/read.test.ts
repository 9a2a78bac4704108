import { describe, expect, test } from "vitest";
import { beginRun, laterRun, TWO_PERIODS } from "../../support/extensions-under-test.ts";
import { moveEnds, record } from "../../support/fake-service.ts";
import { failureOf } from "../../support/orders-under-test.ts";

const none = new Set<string>();

/** Sets the end of a proxy. The provider is not told. */
function setEnd(run: Pick<ReturnType<typeof beginRun>, "service">, id: string, dateEnd: string) {
  const { records } = run.service;
  const index = records.findIndex(({ ipAddressId }) => ipAddressId === id);
  const found = records[index];
  if (found) records[index] = { ...found, dateEnd };
}

describe("a refresh", () => {
  test("of an extension as declared finds the ends, and no drift", async () => {
    const run = await laterRun();
    moveEnds(run.service, ["ip-1"], 30);
    const { state, drift } = await run.extensions.read(run.state);
    expect(drift).toBeUndefined();
    expect(state.proxies.map(({ dateEnd }) => dateEnd)).toEqual([
      "2026-05-30T00:00:00.000Z",
      "2026-04-30T00:00:00.000Z",
    ]);
    expect(run.service.calls).toMatchObject({ listProxies: 1, extend: 0, calculateExtension: 0 });
  });

  test("of proxies that fall short finds their ends, and the next plan prices the rest", async () => {
    const run = await laterRun();
    // The state looks so if the ends were not known before.
    const proxies = run.state.proxies.map(({ dateEnd: _untold, ...proxy }) => proxy);
    setEnd(run, "ip-2", "2026-04-10T06:00:00.000+00:00");
    const untold = { ...run.state, proxies };
    const { state, drift } = await run.extensions.read(untold);
    expect(drift).toMatchObject({ paidThrough: "2026-04-10T06:00:00.000Z", owner: state.owner });
    expect(state.paidThrough).toBe("2026-04-29");
    expect((await run.extensions.read(state)).drift).toEqual(drift);
  });

  test("keeps a recorded end if the listing has an earlier one, says so, and plans no payment", async () => {
    const run = await laterRun();
    setEnd(run, "ip-2", "2026-04-10T06:00:00.000+00:00");
    const found = await run.extensions.read(run.state);
    expect(found).toEqual({ state: run.state });
    expect(run.log.warnings.join()).toContain("an end before the one that is recorded: ip-2");
    expect((await run.plan({}, run.inputs)).quote).toEqual({ effect: "none" });
    expect(run.service.calls.extend).toBe(0);
  });

  test("drops proxies that ended and left the listing, without an error or a purchase", async () => {
    const run = await laterRun();
    run.service.records = run.service.records.filter(({ ipAddressId }) => ipAddressId !== "ip-1");
    run.service.now = new Date("2026-05-01T00:00:00Z");
    const { state, drift } = await run.extensions.read(run.state);
    expect([drift, state.ipAddressIds, run.log.warnings]).toEqual([undefined, ["ip-2"], []]);
    const kept = await run.plan({}, run.inputs);
    expect((await run.extensions.diff(state, kept, none)).kind).toBe("none");
    run.service.records = [];
    run.clock.advance(60_000);
    const all = await run.extensions.read(state);
    expect([all.drift, all.state.proxies, all.state.paidUntil]).toEqual([undefined, [], undefined]);
    expect((await run.extensions.read(all.state)).state).toEqual(all.state);
  });

  test("keeps paid proxies that are not listed, and says so", async () => {
    const run = await laterRun();
    run.service.records = [];
    const { state, drift } = await run.extensions.read(run.state);
    expect([drift, state.proxies]).toEqual([undefined, run.state.proxies]);
    expect(run.log.warnings.join()).toContain("proxies that are paid are not listed: ip-1, ip-2");
  });

  test("is an error if the service does not answer or contradicts itself", async () => {
    const run = await laterRun();
    run.service.before.listProxies = async () => ({
      ...{ totalElements: 9, totalPages: 1, content: [record("7000", 1)] },
      answeredAt: undefined,
    });
    expect((await failureOf(run.extensions.read(run.state))).code).toBe("LISTING_INCONSISTENT");
    expect(run.service.calls.extend).toBe(0);
  });

  test("follows ids that the service has changed", async () => {
    const run = await laterRun();
    run.service.renumbers = true;
    moveEnds(run.service, ["ip-1", "ip-2"], 30);
    const { state, drift } = await run.extensions.read(run.state);
    expect([drift, state.ipAddressIds]).toEqual([undefined, ["ip-1x", "ip-2x"]]);
  });
});

describe("ids changed by the service are no edit", () => {
  test.each([
    ["the old ones", ["ip-1", "ip-2"]],
    ["the new ones", ["ip-1x", "ip-2x"]],
    ["some of each", ["ip-2x", "ip-1"]],
  ])("if the program has %s", async (_what, ipAddressIds) => {
    const first = beginRun();
    first.service.renumbers = true;
    const { inputs, state } = await first.extend();
    const next = beginRun({ service: first.service });
    const { state: read } = await next.extensions.read(state);
    const checked = await next.plan({ ipAddressIds }, inputs);
    expect(checked.quote).toEqual({ effect: "none" });
    expect((await next.extensions.diff(read, checked, none)).kind).toBe("none");
    expect(first.service.extensions).toHaveLength(1);
  });

  test("and an extension to a later date uses the new ids", async () => {
    const first = beginRun();
    first.service.renumbers = true;
    const { inputs, state } = await first.extend();
    const next = beginRun({ service: first.service });
    const later = await next.plan({ paidThrough: TWO_PERIODS }, inputs);
    expect(later.quote).toMatchObject({ effect: "extend", quantity: 2 });
    const paid = await next.extensions.update(state, later);
    expect(paid.ipAddressIds).toEqual(["ip-1xx", "ip-2xx"]);
    expect(first.service.extensions.at(-1)?.ipAddressIds).toEqual(["ip-1x", "ip-2x"]);
  });
});

describe("a diff", () => {
  const edits: [string, object, string][] = [
    ["nothing", {}, "none"],
    ["the order of the ids", { ipAddressIds: ["ip-2", "ip-1"] }, "none"],
    ["the period", { rentPeriodDays: 90 }, "none"],
    ["the cap", { maxPrice: 100 }, "none"],
    ["an earlier date", { paidThrough: "2026-04-01" }, "update"],
    ["a later date", { paidThrough: TWO_PERIODS }, "update"],
    ["one proxy more", { ipAddressIds: ["ip-1", "ip-2", "ip-3"] }, "update"],
    ["one proxy fewer", { ipAddressIds: ["ip-1"] }, "update"],
    ["another proxy", { ipAddressIds: ["ip-1", "ip-3"] }, "update"],
  ];

  test.each(edits)("of %s", async (_what, args, kind) => {
    const run = await laterRun();
    const checked = await run.plan(args, run.inputs);
    expect((await run.extensions.diff(run.state, checked, none)).kind).toBe(kind);
  });

  test("is an update if the plan found something short, even if the state does not know it", async () => {
    const run = await laterRun();
    const checked = await run.plan({ paidThrough: TWO_PERIODS }, run.inputs);
    const state = { ...run.state, paidThrough: TWO_PERIODS };
    expect(checked.quote).toMatchObject({ effect: "extend", price: 2 });
    expect((await run.extensions.diff(state, checked, none)).kind).toBe("update");
  });

  test("with unknown ids is an update, with an unknown type a replacement", async () => {
    const { extensions, state, inputs } = await laterRun();
    const open = { ...inputs, quote: { effect: "unknown" as const } };
    expect(await extensions.diff(state, open, new Set(["ipAddressIds"]))).toEqual({
      kind: "update",
    });
    expect(await extensions.diff(state, { ...inputs, proxyType: "ISP" }, none)).toEqual({
      ...{ kind: "replace", properties: ["proxyType"] },
    });
  });
});

describe("an update", () => {
  test("to an earlier date, or to fewer proxies, is recorded and pays nothing", async () => {
    const run = await laterRun();
    const checked = await run.plan(
      { paidThrough: "2026-04-01", ipAddressIds: ["ip-1"] },
      run.inputs,
    );
    const state = await run.extensions.update(run.state, checked);
    expect(state).toMatchObject({
      ...{ paidThrough: "2026-04-01", ipAddressIds: ["ip-1"] },
      ...{ quote: { effect: "extend", price: 2 }, purchases: [{ price: 2 }] },
    });
    expect(run.service.calls).toMatchObject({ extend: 0, calculateExtension: 0 });
  });

  test("to a later date pays the difference, and for one more proxy pays that one", async () => {
    const run = await laterRun();
    const later = await run.plan({ paidThrough: TWO_PERIODS }, run.inputs);
    const state = await run.extensions.update(run.state, later);
    const args = { paidThrough: TWO_PERIODS, ipAddressIds: ["ip-1", "ip-2", "ip-3"] };
    const more = await run.plan(args, later);
    expect(more.rounds.map(({ quantity }) => quantity)).toEqual([1, 1]);
    const all = await run.extensions.update(state, more);
    expect(all.purchases.map(({ quantity }) => quantity)).toEqual([2, 2, 1, 1]);
    expect(run.ends()).toEqual(["2026-05-30", "2026-05-30", "2026-05-30", "2026-03-31"]);
  });
});

test("a delete changes nothing, and says until when the proxies are paid", async () => {
  const { extensions, state, service, log } = await laterRun();
  await extensions.delete(state);
  expect(log.lines).toEqual([
    "keep: is let go; there is nothing to undo, and nothing is refunded: 2 of its 2 proxies stay paid until 2026-04-30T00:00:00.000Z or longer",
  ]);
  // The listing tells the service's time.
  const { listProxies, ...others } = service.calls;
  expect(listProxies).toBeLessThanOrEqual(1);
  expect(Object.values(others).every((count) => count === 0)).toBe(true);
});

test("a delete says the ends that are listed, if they were extended since they were recorded", async () => {
  const { extensions, state, service, log } = await laterRun();
  moveEnds(service, state.ipAddressIds, 30);
  service.now = new Date("2026-05-15T00:00:00Z");
  await extensions.delete(state);
  expect(log.lines.join()).toContain("2 of its 2 proxies stay paid until 2026-05-30T00:00:00.000Z");
});

test("an unreadable state is an error, and pays nothing", async () => {
  const { extensions, state, inputs, service } = await laterRun();
  for (const broken of [
    { ...state, stateVersion: 2 },
    { ...state, proxies: undefined },
  ]) {
    expect((await failureOf(extensions.update(broken, inputs))).code).toBe("STATE_UNREADABLE");
  }
  expect(service.calls.extend).toBe(0);
});
