import { describe, expect, test } from "vitest";
import type { FakeService } from "./fake-service.ts";
import { record, serviceFailure } from "./fake-service.ts";
import { failureOf } from "./orders-under-test.ts";
import { beginRun, given, owner, twoProxies } from "./renewals-under-test.ts";

/** A later run on the same account. */
async function laterRun(args: object = {}, options: Parameters<typeof beginRun>[0] = {}) {
  const first = beginRun();
  const bought = await first.switchOn(args);
  first.service.switches = [];
  return { ...bought, ...beginRun({ ...options, service: first.service }) };
}

/** Changes a flag behind the provider's back. */
function toggle(
  { records }: FakeService,
  id: string,
  autoExtend: boolean,
  extendDays: number,
): void {
  const index = records.findIndex(({ ipAddressId }) => ipAddressId === id);
  const found = records[index];
  if (found) records[index] = { ...found, extendInfo: { autoExtend, extendDays } };
}

describe("check", () => {
  test("says what one extension will cost, and switches nothing", async () => {
    const { plan, service, log } = beginRun();
    const checked = await plan();
    expect(checked).toEqual({
      ...twoProxies,
      autoExtend: true,
      owner,
      quote: { effect: "autoExtend", pricePerCycle: 2, currency: "USD" },
    });
    expect(service.sent).toEqual([twoProxies]);
    expect(service.calls).toMatchObject({ setAutoExtension: 0, extend: 0 });
    expect(log.lines.join()).toContain("for 2.00 USD a time at today's price");
  });

  test("warns of an extension that would not go through today, which is no failure", async () => {
    const { plan, service, log } = beginRun();
    service.calculated = { warnings: [{ code: 16, message: "Insufficient funds" }] };
    await plan();
    expect(log.warnings.join()).toContain('code 16, "Insufficient funds"');
  });

  test("asks no price where it is switched off, nor while the ids are not known", async () => {
    const { renewals, plan, service } = beginRun();
    expect((await plan({ autoExtend: false })).quote).toEqual({ effect: "none" });
    const { failures } = await renewals.check(owner, undefined, given({}, "ipAddressIds"));
    expect(failures).toEqual([]);
    expect(service.calls.calculateExtension).toBe(0);
  });

  test("refuses a period that is not on offer by its name, even while the ids are not known", async () => {
    const { renewals } = beginRun();
    const args = given({ rentPeriodDays: 31 }, "ipAddressIds");
    const { failures } = await renewals.check(owner, undefined, args);
    expect(failures).toMatchObject([{ property: "rentPeriodDays" }]);
    expect(failures[0]?.reason).toMatch(/31 is not offered for IPv4; accepted: .*30/);
  });

  test("makes no request when nothing has changed, whatever the order of the ids", async () => {
    const { renewals, inputs, service } = await laterRun();
    const asked = service.calls.calculateExtension;
    const reversed = given({ ipAddressIds: ["ip-2", "ip-1"] });
    const { checked } = await renewals.check(owner, inputs, reversed);
    expect(checked.quote).toEqual(inputs.quote);
    expect(service.calls.calculateExtension).toBe(asked);
  });
});

describe("diff", () => {
  test.each([
    ["nothing", {}, "none"],
    ["the order of the ids", { ipAddressIds: ["ip-2", "ip-1"] }, "none"],
    ["an id more", { ipAddressIds: ["ip-1", "ip-2", "ip-3"] }, "update"],
    ["another id", { ipAddressIds: ["ip-1", "ip-3"] }, "update"],
    ["the period", { rentPeriodDays: 90 }, "update"],
    ["the flag", { autoExtend: false }, "update"],
    ["the type", { proxyType: "ISP" }, "replace"],
  ])("of %s", async (_what, edit, kind) => {
    const { renewals, inputs, state } = await laterRun();
    const wanted = { ...inputs, ...edit } as typeof inputs;
    expect(renewals.diff(state, wanted, new Set()).kind).toBe(kind);
  });

  test("of ids that are not known is an update", async () => {
    const { renewals, inputs, state } = await laterRun();
    expect(renewals.diff(state, inputs, new Set(["ipAddressIds"])).kind).toBe("update");
  });
});

describe("create", () => {
  test("switches on what is off, in one request, and confirms it from the listing", async () => {
    const { switchOn, service, renewing } = beginRun();
    toggle(service, "ip-1", true, 30);
    const { state } = await switchOn();
    expect(service.switches).toEqual([
      { proxyType: "IPv4", ipAddressIds: ["ip-2"], rentPeriodDays: 30, autoExtend: true },
    ]);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(state.proxies).toEqual([
      {
        ipAddressId: "ip-1",
        ipAddressIp: "192.0.2.1",
        httpsPort: "10001",
        autoExtend: true,
        extendDays: 30,
      },
      {
        ipAddressId: "ip-2",
        ipAddressIp: "192.0.2.2",
        httpsPort: "10002",
        autoExtend: true,
        extendDays: 30,
      },
    ]);
  });

  test("sends nothing where all is as wanted", async () => {
    const { switchOn, service } = beginRun();
    await switchOn({ autoExtend: false });
    expect(service.switches).toEqual([]);
  });

  test.each([
    ["a smaller quantity", { quantity: 1 }],
    ["a larger quantity", { quantity: 3 }],
    ["an id left out", { ipAddressIds: ["ip-1"] }],
    ["another id", { ipAddressIds: ["ip-1", "ip-9"] }],
  ])("does not believe an echo with %s", async (_what, echo) => {
    const { plan, renewals, service } = beginRun();
    service.before.setAutoExtension = async (request) => {
      for (const id of request.ipAddressIds) toggle(service, id, true, 30);
      return { ...request, quantity: 2, ...echo };
    };
    const failure = await failureOf(renewals.create(await plan()));
    expect(failure.code).toBe("AUTO_EXTENSION_FAILED");
    expect(failure.message).toContain("says that it switched");
    expect(failure.message).toContain("Nothing was bought");
  });

  test("does not believe an echo that the listing does not bear out", async () => {
    const { plan, renewals, service } = beginRun();
    service.before.setAutoExtension = async (request) => ({ ...request, quantity: 2 });
    const failure = await failureOf(renewals.create(await plan()));
    expect(failure.message).toContain("its listing does not show it");
  });

  test("refuses ids that the account does not list, and switches nothing on", async () => {
    const { plan, renewals, renewing } = beginRun();
    const planned = await plan({ ipAddressIds: ["ip-1", "ip-8", "ip-9"] });
    const failure = await failureOf(renewals.create(planned));
    expect(failure.message).toContain("ip-8, ip-9");
    expect(renewing()).toEqual({});
  });

  test("is content that ids to be off are not there at all", async () => {
    const { switchOn } = beginRun();
    const { state } = await switchOn({ ipAddressIds: ["ip-1", "ip-9"], autoExtend: false });
    expect(state.proxies.map(({ ipAddressId }) => ipAddressId)).toEqual(["ip-1"]);
  });
});

describe("update", () => {
  test("switches added ids on and removed ones off, and touches no other", async () => {
    const { renewals, inputs, state, service, renewing } = await laterRun();
    toggle(service, "ip-4", true, 90);
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2", "ip-3"] });
    expect(service.switches).toEqual([
      { proxyType: "IPv4", ipAddressIds: ["ip-1"], rentPeriodDays: 30, autoExtend: false },
      { proxyType: "IPv4", ipAddressIds: ["ip-3"], rentPeriodDays: 30, autoExtend: true },
    ]);
    expect(renewing()).toEqual({ "ip-2": 30, "ip-3": 30, "ip-4": 90 });
  });

  test("does not mind removed ids that are gone or off already", async () => {
    const { renewals, inputs, state, service } = await laterRun({
      ipAddressIds: ["ip-1", "ip-2", "ip-3"],
    });
    toggle(service, "ip-1", false, 0);
    service.records = service.records.filter(({ ipAddressId }) => ipAddressId !== "ip-2");
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-3"] });
    expect(service.switches).toEqual([]);
  });

  test("switches a removed proxy off under the id that the service has given it since", async () => {
    const { renewals, inputs, state, service } = await laterRun();
    service.records[0] = {
      ...record("7000", 1),
      ipAddressId: "new-1",
      extendInfo: { autoExtend: true, extendDays: 30 },
    };
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] });
    expect(service.switches.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["new-1"]]);
  });

  test("touches nothing where the program follows an id that the service has changed", async () => {
    const { renewals, inputs, state, service } = await laterRun();
    const on = { autoExtend: true, extendDays: 30 };
    service.records[0] = { ...record("7000", 1), ipAddressId: "new-1", extendInfo: on };
    const ipAddressIds = ["new-1", "ip-2"];
    const updated = await renewals.update(state, { ...inputs, ipAddressIds });
    expect(updated.ipAddressIds).toEqual(ipAddressIds);
    expect(service.switches).toEqual([]);
  });

  test("refuses ids that are not listed before it switches anything off", async () => {
    const { renewals, inputs, state, renewing } = await laterRun();
    const wanted = { ...inputs, ipAddressIds: ["ip-2", "ip-9"] };
    const failure = await failureOf(renewals.update(state, wanted));
    expect(failure.message).toContain("ip-9");
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  });

  test("sets the days anew on all that are on for others", async () => {
    const { renewals, inputs, state, renewing } = await laterRun();
    await renewals.update(state, { ...inputs, rentPeriodDays: 90 });
    expect(renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
  });
});

describe("drift", () => {
  test("is reported in the inputs and put right with exactly the proxies that deviate", async () => {
    const { renewals, state, inputs, service, renewing } = await laterRun();
    toggle(service, "ip-2", false, 0);
    const found = await renewals.read(state);
    expect(found.drift).toMatchObject({ autoExtend: false, ipAddressIds: ["ip-1", "ip-2"] });

    const { checked } = await renewals.check(owner, found.drift, given());
    expect(renewals.diff(found.state, checked, new Set())).toEqual({ kind: "update" });
    const repaired = await renewals.update(found.state, checked);
    expect(service.switches.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["ip-2"]]);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(repaired).toEqual(state);
    expect(checked).toEqual(inputs);
  });

  test("is none when all is as recorded", async () => {
    const { renewals, state } = await laterRun();
    expect(await renewals.read(state)).toEqual({ state });
  });

  test("is none when the service has changed the ids: they are followed", async () => {
    const { renewals, state, service } = await laterRun();
    service.records = service.records.map((listed, index) => ({
      ...listed,
      ipAddressId: `new-${index + 1}`,
    }));
    const found = await renewals.read(state);
    expect(found.drift).toBeUndefined();
    expect(found.state.ipAddressIds).toEqual(["new-1", "new-2"]);
  });
});

describe("delete", () => {
  test("switches off those that are still there and on, under their present ids", async () => {
    const { renewals, state, service, renewing } = await laterRun({
      ipAddressIds: ["ip-1", "ip-2", "ip-3"],
    });
    toggle(service, "ip-2", false, 0);
    service.records[0] = {
      ...record("7000", 1),
      ipAddressId: "new-1",
      extendInfo: { autoExtend: true, extendDays: 30 },
    };
    service.records = service.records.filter(({ ipAddressId }) => ipAddressId !== "ip-3");
    await renewals.delete(state);
    expect(service.switches).toEqual([
      { proxyType: "IPv4", ipAddressIds: ["new-1"], rentPeriodDays: 30, autoExtend: false },
    ]);
    expect(renewing()).toEqual({});
  });

  test("succeeds, sending nothing, when nothing is left", async () => {
    const { renewals, state, service } = await laterRun();
    service.records = [record("8000", 99)];
    await renewals.delete(state);
    expect(service.switches).toEqual([]);
  });

  test("fails where switching off does, or abandons it with a warning where that is wished", async () => {
    const refuse = async () => {
      throw serviceFailure("rejected");
    };
    const strict = await laterRun();
    strict.service.before.setAutoExtension = refuse;
    expect((await failureOf(strict.renewals.delete(strict.state))).code).toBe("SERVICE_REFUSED");
    const lax = await laterRun({}, { settings: { onDeleteFailure: "abandon" } });
    lax.service.before.setAutoExtension = refuse;
    await lax.renewals.delete(lax.state);
    expect(lax.log.warnings.join()).toContain("abandoned");
  });
});

test("nothing here ever spends", async () => {
  const { renewals, inputs, state, service } = await laterRun();
  await renewals.update(state, { ...inputs, rentPeriodDays: 90 });
  await renewals.read(state);
  await renewals.delete(state);
  expect(service.calls).toMatchObject({ createOrder: 0, extend: 0 });
});
