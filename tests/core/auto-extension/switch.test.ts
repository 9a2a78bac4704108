import { describe, expect, test } from "vitest";
import { SwitchUnconfirmedError } from "../../../provider/core/auto-extension/apply.ts";
import { countChanged, record, serviceFailure, showInstead } from "../support/fake-service.ts";
import { failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, laterRun, toggle } from "../support/renewals-under-test.ts";

describe("create", () => {
  test("switches on the proxies that are off, in one request, and confirms it with the listing", async () => {
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
        orderId: "7000",
        autoExtend: true,
        extendDays: 30,
      },
      {
        ipAddressId: "ip-2",
        ipAddressIp: "192.0.2.2",
        httpsPort: "10002",
        orderId: "7000",
        autoExtend: true,
        extendDays: 30,
      },
    ]);
  });

  test("is not switched on by a resource without a stack; switching off is allowed", async () => {
    const { renewals, plan, service } = beginRun();
    const homeless = "urn:pulumi:dev::default::proxyrental:index:IpAutoExtend::IpAutoExtend";
    const { failures } = await renewals.check(homeless, undefined, given());
    expect(failures).toMatchObject([{ code: "STACK_REQUIRED" }]);
    const checked = await plan();
    await expect(renewals.create({ ...checked, owner: homeless })).rejects.toThrow(
      "STACK_REQUIRED: a resource without a stack",
    );
    expect(service.switches).toEqual([]);
    toggle(service, "ip-1", true, 30);
    const next = beginRun({ service }).renewals;
    const off = await next.check(homeless, undefined, given({ autoExtend: false }));
    expect(off.failures).toEqual([]);
    await next.create(off.checked);
    expect(service.switches).toMatchObject([{ ipAddressIds: ["ip-1"], autoExtend: false }]);
  });

  test("sends nothing if all is as declared", async () => {
    const { switchOn, service } = beginRun();
    await switchOn({ autoExtend: false });
    expect(service.switches).toEqual([]);
  });

  test.each([
    ["a larger quantity", { quantity: 3 }],
    ["an id left out", { ipAddressIds: ["ip-1"] }],
    ["another id", { ipAddressIds: ["ip-1", "ip-9"] }],
  ])("does not believe an answer with %s", async (_what, echo) => {
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

  test("218: an answer that counts none as changed is believed if the listing confirms it: an earlier try has changed them", async () => {
    const { plan, renewals, service, renewing } = beginRun();
    service.before.setAutoExtension = async (request) => {
      for (const id of request.ipAddressIds) toggle(service, id, true, 30);
      return { ...request, quantity: 0 };
    };
    await renewals.create(await plan());
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  });

  test("does not believe an answer that the listing does not confirm", async () => {
    const { plan, renewals, service } = beginRun();
    service.before.setAutoExtension = async (request) => ({ ...request, quantity: 2 });
    const failure = await failureOf(renewals.create(await plan()));
    expect(failure.message).toContain("its listing does not show it");
  });

  test("saves the proxies of an unconfirmed call, and the next update puts them right", async () => {
    const { plan, renewals, service, renewing } = beginRun();
    const planned = await plan();
    service.before.setAutoExtension = async (request) => {
      for (const id of request.ipAddressIds) toggle(service, id, true, 30);
      throw serviceFailure("unknown");
    };
    const failure = await failureOf(renewals.create(planned));
    if (!(failure instanceof SwitchUnconfirmedError)) throw failure;
    expect(failure.state.ipAddressIds).toEqual(["ip-1", "ip-2"]);

    delete service.before.setAutoExtension;
    await renewals.update(failure.state, { ...planned, ipAddressIds: ["ip-2"] });
    expect(renewing()).toEqual({ "ip-2": 30 });
  });

  test("refuses ids that the account does not list, and switches nothing on", async () => {
    const { plan, renewals, renewing } = beginRun();
    const planned = await plan({ ipAddressIds: ["ip-1", "ip-8", "ip-9"] });
    const failure = await failureOf(renewals.create(planned));
    expect(failure.message).toContain("ip-8, ip-9");
    expect(renewing()).toEqual({});
  });

  test("accepts ids that are declared off and not listed", async () => {
    const { switchOn } = beginRun();
    const { state } = await switchOn({ ipAddressIds: ["ip-1", "ip-9"], autoExtend: false });
    expect(state.proxies.map(({ ipAddressId }) => ipAddressId)).toEqual(["ip-1"]);
    expect(state.ipAddressIds).toEqual(["ip-1", "ip-9"]);
  });

  test("reads again if one listing lacks ids that are declared off", async () => {
    const { plan, renewals, service, renewing } = beginRun();
    const planned = await plan({ autoExtend: false });
    toggle(service, "ip-2", true, 30);
    showInstead(service, [1], () => []);
    const state = await renewals.create(planned);
    expect(renewing()).toEqual({});
    expect(state.proxies).toHaveLength(2);
  });

  test("remembers unlisted ids that are declared off, and reports them when they are listed and on", async () => {
    const { plan, renewals, service, renewing } = beginRun();
    const planned = await plan({ autoExtend: false });
    toggle(service, "ip-2", true, 30);
    showInstead(service, "all", () => []);
    const state = await renewals.create(planned);
    expect(state).toMatchObject({ ipAddressIds: ["ip-1", "ip-2"], proxies: [] });

    delete service.before.listProxies;
    const next = beginRun({ service });
    const later = await next.renewals.read(state);
    expect(later.drift).toMatchObject({ autoExtend: true, ipAddressIds: ["ip-1", "ip-2"] });
    await next.renewals.update(later.state, planned);
    expect(renewing()).toEqual({});
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

  test("switches removed ids off by their recorded flag, also if they are not listed, or listed as off", async () => {
    const { renewals, inputs, state, service } = await laterRun({
      ipAddressIds: ["ip-1", "ip-2", "ip-3"],
    });
    toggle(service, "ip-1", false, 0);
    service.records = service.records.filter(({ ipAddressId }) => ipAddressId !== "ip-2");
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-3"] });
    const switched = service.switches.map(({ ipAddressIds }) => ipAddressIds);
    expect(switched).toEqual([["ip-1", "ip-2"]]);
  });

  test("leaves removed ids alone that are off, and recorded as off", async () => {
    const { renewals, inputs, state, service } = await laterRun({ autoExtend: false });
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] });
    expect(service.switches).toEqual([]);
  });

  test("switches a removed proxy off under its new id", async () => {
    const { renewals, inputs, state, service } = await laterRun();
    service.records[0] = {
      ...record("7000", 1),
      ipAddressId: "new-1",
      extendInfo: { autoExtend: true, extendDays: 30 },
    };
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] });
    expect(service.switches.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["new-1"]]);
  });

  test("touches nothing if the program follows an id that the service has changed", async () => {
    const { renewals, inputs, state, service } = await laterRun();
    const on = { autoExtend: true, extendDays: 30 };
    service.records[0] = { ...record("7000", 1), ipAddressId: "new-1", extendInfo: on };
    const ipAddressIds = ["new-1", "ip-2"];
    const updated = await renewals.update(state, { ...inputs, ipAddressIds });
    expect(updated.ipAddressIds).toEqual(ipAddressIds);
    expect(service.switches).toEqual([]);
  });

  test("refuses unlisted ids before it switches anything off", async () => {
    const { renewals, inputs, state, renewing } = await laterRun();
    const wanted = { ...inputs, ipAddressIds: ["ip-2", "ip-9"] };
    const failure = await failureOf(renewals.update(state, wanted));
    expect(failure.message).toContain("ip-9");
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  });

  test("switches all off with one call", async () => {
    const { renewals, inputs, state, service, renewing } = await laterRun();
    await renewals.update(state, { ...inputs, autoExtend: false });
    expect(service.switches.map(({ ipAddressIds }) => ipAddressIds)).toEqual([["ip-1", "ip-2"]]);
    expect(renewing()).toEqual({});
  });

  test("sets the days of all proxies that are on for other days", async () => {
    const { renewals, inputs, state, renewing } = await laterRun();
    await renewals.update(state, { ...inputs, rentPeriodDays: 90 });
    expect(renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
  });

  test("218: sets other days where the service counts only the flags that it changes", async () => {
    const { renewals, inputs, state, service, renewing } = await laterRun();
    countChanged(service);
    await renewals.update(state, { ...inputs, rentPeriodDays: 90 });
    expect(renewing()).toEqual({ "ip-1": 90, "ip-2": 90 });
  });
});
