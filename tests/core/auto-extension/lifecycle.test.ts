import { describe, expect, test } from "vitest";
import { unknownRun } from "../../../provider/core/ports.ts";
import { record, serviceFailure } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";
import {
  beginRun,
  given,
  laterRun,
  owner,
  toggle,
  twoProxies,
} from "../support/renewals-under-test.ts";

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

  test("warns about an extension that would fail today, and does not fail itself", async () => {
    const { plan, service, log } = beginRun();
    service.calculated = { warnings: [{ code: 16, message: "Insufficient funds" }] };
    await plan();
    expect(log.warnings.join()).toContain('code 16, "Insufficient funds"');
  });

  test("asks no price if it is switched off, or while the ids are not known", async () => {
    const { renewals, plan, service } = beginRun();
    expect((await plan({ autoExtend: false })).quote).toEqual({ effect: "none" });
    const { failures } = await renewals.check(owner, undefined, given({}, "ipAddressIds"));
    expect(failures).toEqual([]);
    expect(service.calls.calculateExtension).toBe(0);
  });

  test("refuses a period that is not on offer, even while the ids are not known", async () => {
    const { renewals } = beginRun();
    const args = given({ rentPeriodDays: 31 }, "ipAddressIds");
    const { failures } = await renewals.check(owner, undefined, args);
    expect(failures).toMatchObject([{ property: "rentPeriodDays" }]);
    expect(failures[0]?.reason).toMatch(/31 is not offered for IPv4; accepted: .*30/);
  });

  test("makes no request if nothing has changed, whatever the order of the ids", async () => {
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
    ["one more id", { ipAddressIds: ["ip-1", "ip-2", "ip-3"] }, "update"],
    ["another id", { ipAddressIds: ["ip-1", "ip-3"] }, "update"],
    ["the period", { rentPeriodDays: 90 }, "update"],
    ["the flag", { autoExtend: false }, "update"],
    ["the type", { proxyType: "ISP" }, "replace"],
  ])("of %s", async (_what, edit, kind) => {
    const { renewals, inputs, state } = await laterRun();
    const wanted = { ...inputs, ...edit } as typeof inputs;
    expect((await renewals.diff(state, wanted, new Set())).kind).toBe(kind);
  });

  test("of unknown ids is an update", async () => {
    const { renewals, inputs, state } = await laterRun();
    const { kind } = await renewals.diff(state, inputs, new Set(["ipAddressIds"]));
    expect(kind).toBe("update");
  });
});

describe("drift", () => {
  test("is shown in the inputs, and only the differing proxies are put right", async () => {
    const { renewals, state, inputs, service, renewing } = await laterRun();
    toggle(service, "ip-2", false, 0);
    const found = await renewals.read(state);
    expect(found.drift).toMatchObject({ autoExtend: false, ipAddressIds: ["ip-1", "ip-2"] });

    const { checked } = await renewals.check(owner, found.drift, given());
    const change = await renewals.diff(found.state, checked, new Set());
    expect(change).toEqual({ kind: "update" });
    const repaired = await renewals.update(found.state, checked);
    expect(service.switches.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["ip-2"]]);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(repaired).toEqual({ ...state, switchedBy: repaired.switchedBy });
    expect(checked).toEqual(inputs);
  });

  test("is none if all is as recorded", async () => {
    const { renewals, state } = await laterRun();
    expect(await renewals.read(state)).toEqual({ state });
  });

  test("is none if the service has changed the ids: the resource follows them", async () => {
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
  test("switches off the listed proxies that are on, and then those believed to be on, by their present ids", async () => {
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
      { proxyType: "IPv4", ipAddressIds: ["ip-2", "ip-3"], rentPeriodDays: 30, autoExtend: false },
    ]);
    expect(renewing()).toEqual({});
  });

  test("fails if switching off fails, or warns and goes on if the user allows that", async () => {
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

describe("a resource that the engine replaces (`--target-replace`, a taint)", () => {
  test("is created before its former state is deleted, and its proxies stay on", async () => {
    const { renewals, state, renewing, service } = await laterRun();
    const { checked } = await renewals.check(owner, undefined, given());
    const anew = await renewals.create(checked);
    await renewals.delete(state);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(service.switches.filter(({ autoExtend }) => !autoExtend)).toEqual([]);
    expect((await renewals.read(anew)).drift).toBeUndefined();
  });

  test("leaves nothing on that it names no more, or wants off", async () => {
    const fewer = await laterRun();
    const one = await fewer.renewals.check(owner, undefined, given({ ipAddressIds: ["ip-2"] }));
    await fewer.renewals.create(one.checked);
    await fewer.renewals.delete(fewer.state);
    expect(fewer.renewing()).toEqual({ "ip-2": 30 });

    const off = await laterRun();
    const none = await off.renewals.check(owner, undefined, given({ autoExtend: false }));
    await off.renewals.create(none.checked);
    await off.renewals.delete(off.state);
    expect(off.renewing()).toEqual({});
  });

  test("keeps a proxy to which the service has given another id since", async () => {
    const { renewals, state, renewing, service } = await laterRun();
    const [first] = service.records;
    if (first) service.records[0] = { ...first, ipAddressId: "new-1" };
    const wanted = given({ ipAddressIds: ["new-1", "ip-2"] });
    const { checked } = await renewals.check(owner, undefined, wanted);
    await renewals.create(checked);
    await renewals.delete(state);
    expect(renewing()).toEqual({ "new-1": 30, "ip-2": 30 });
  });

  test("tells proxies without ports apart that share an address", async () => {
    const first = beginRun();
    first.service.records = first.service.records.map(({ httpsPort: _, ...listed }) => ({
      ...listed,
      ipAddressIp: "192.0.2.1",
    }));
    const { service } = first;
    const { state } = await first.switchOn();
    const { renewals, renewing } = beginRun({ service });
    const one = await renewals.check(owner, undefined, given({ ipAddressIds: ["ip-2"] }));
    await renewals.create(one.checked);
    await renewals.delete(state);
    expect(renewing()).toEqual({ "ip-2": 30 });
  });

  test("that was created and is deleted by a later run leaves nothing on", async () => {
    const { renewals, state, service } = await laterRun();
    const { checked } = await renewals.check(owner, undefined, given());
    const anew = await renewals.create(checked);
    await renewals.delete(state);
    const later = beginRun({ service });
    await later.renewals.delete(anew);
    expect(later.renewing()).toEqual({});
  });
});

describe("206: a replacement that is cut off between its create and its delete", () => {
  /** The next run finds the new state, and the former one to be deleted. Its processes share what it declares. */
  async function cutOff(args: object = {}) {
    const { state, renewals, service } = await laterRun();
    const { checked } = await renewals.check(owner, undefined, given(args));
    const anew = await renewals.create(checked);
    const run = { ...unknownRun, run: "127.0.0.1:2" };
    const begin = () => beginRun({ service, run, besideOthers: true });
    return {
      former: state,
      anew,
      inputs: checked,
      service,
      next: beginRun({ service, run }),
      begin,
    };
  }

  test("stays on where the next run declares it, and nothing is said", async () => {
    const { former, inputs, next } = await cutOff();
    await next.renewals.check(owner, inputs, given());
    await next.renewals.delete(former);
    expect(next.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(next.log.lines).toEqual([]);
  });

  test("stays on where another process of the run deletes the former state, also under new ids", async () => {
    const { former, inputs, service, next, begin } = await cutOff();
    await next.renewals.check(owner, inputs, given());
    const other = begin();
    await other.renewals.delete(former);
    expect(other.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });

    const listed = service.records[0];
    if (listed) service.records[0] = { ...listed, ipAddressId: "new-1" };
    const renamed = given({ ipAddressIds: ["new-1", "ip-2"] });
    await next.renewals.check(owner, { ...inputs, ...renamed.known }, renamed);
    await begin().renewals.delete(former);
    expect(next.renewing()).toEqual({ "new-1": 30, "ip-2": 30 });
  });

  test("stays on also where the edit of the new state is refused", async () => {
    const { former, anew, inputs, next } = await cutOff();
    const more = given({ ipAddressIds: ["ip-1", "ip-9"] });
    const { checked } = await next.renewals.check(owner, inputs, more);
    await failureOf(next.renewals.update(anew, checked));
    await next.renewals.delete(former);
    expect(next.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  });

  test("goes off where the next run declares less, nothing, or another type", async () => {
    const fewer = await cutOff({ ipAddressIds: ["ip-2"] });
    await fewer.next.renewals.check(owner, fewer.inputs, given({ ipAddressIds: ["ip-2"] }));
    await fewer.next.renewals.delete(fewer.former);
    expect(fewer.next.renewing()).toEqual({ "ip-2": 30 });

    const removed = await cutOff();
    await removed.next.renewals.delete(removed.former);
    expect(removed.next.renewing()).toEqual({});

    const other = await cutOff();
    const args = given({ proxyType: "IPv6" });
    await other.next.renewals.check(owner, { ...other.inputs, ...args.known }, args);
    await other.next.renewals.delete(other.former);
    expect(other.next.renewing()).toEqual({});
  });
});

test("206: a resource that is deleted before it is replaced goes off, because nobody has it until then", async () => {
  const { renewals, inputs, state, renewing } = await laterRun();
  await renewals.check(owner, inputs, given());
  const { checked } = await renewals.check(owner, undefined, given());
  await renewals.delete(state);
  expect(renewing()).toEqual({});
  await renewals.create(checked);
  expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
});

test("nothing here ever spends", async () => {
  const { renewals, inputs, state, service } = await laterRun();
  await renewals.update(state, { ...inputs, rentPeriodDays: 90 });
  await renewals.read(state);
  await renewals.delete(state);
  expect(service.calls).toMatchObject({ createOrder: 0, extend: 0 });
});
