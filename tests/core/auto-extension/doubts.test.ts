import { describe, expect, test } from "vitest";
import { SwitchUnconfirmedError } from "../../../provider/core/auto-extension/apply.ts";
import type { AutoExtensionState } from "../../../provider/core/auto-extension/state.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import {
  AFTER_END,
  countChanged,
  type FakeService,
  moveEnds,
  record,
  refuseUnlisted,
  serviceFailure,
  showInstead,
  unlist,
} from "../support/fake-service.ts";
import { beginRun as beginOrders, failureOf } from "../support/orders-under-test.ts";
import { beginRun, given, laterRun, owner, toggle } from "../support/renewals-under-test.ts";

const RENAMED = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::renamed";

/** A run that has no preview of its own. */
const updating: RunIdentity = {
  run: undefined,
  command: "up",
  commandId: "1",
  phase: () => "update",
};

const none = () => [];

/** An order that a refresh has seen to extend itself. Then its IpAutoExtend was deleted: the state of the order does not know. */
async function switchOffAfterRefresh(beforeDelete: (service: FakeService) => void = () => {}) {
  const first = beginOrders();
  const { state: bought } = await first.buy();
  const { service } = first;
  const { state: renewal } = await beginRun({ service }).switchOn({
    ipAddressIds: bought.ipAddressIds,
  });
  const found = await beginOrders({ service }).orders.read(bought);
  if (found.kind !== "present") throw new Error("it is there");
  beforeDelete(service);
  await beginRun({ service }).renewals.delete(renewal);
  expect(service.records.some(({ extendInfo }) => extendInfo.autoExtend)).toBe(false);
  return { service, state: found.state };
}

describe("a flag is never left on because the listing does not show it", () => {
  test.each([
    ["empty once", [1] as const],
    ["empty twice", [1, 2] as const],
    ["empty always", "all" as const],
  ])("a delete switches everything off: the listing is %s", async (_how, readings) => {
    const { renewals, state, service, renewing } = await laterRun();
    showInstead(service, readings === "all" ? "all" : [...readings], none);
    await renewals.delete(state);
    expect(renewing()).toEqual({});
    expect(service.calls).toMatchObject({ extend: 0, createOrder: 0 });
  });

  test("a delete switches off what only one of two listings shows as off", async () => {
    const { renewals, state, service, renewing } = await laterRun();
    const off = { extendInfo: { autoExtend: false, extendDays: 0 } };
    showInstead(service, [1], (records) => records.map((listed) => ({ ...listed, ...off })));
    await renewals.delete(state);
    expect(renewing()).toEqual({});
  });

  test.each([
    ["is behind once", [1], { "ip-1": true, "ip-2": true }],
    ["shows it in both listings", "all" as const, { "ip-1": false, "ip-2": false }],
  ])(
    "304: a refresh without the journal of the run that switched on, and a listing that shows all as off: it %s",
    async (_how, readings, flags) => {
      const first = beginRun();
      first.account.journal.flags.note = async () => undefined;
      const { state } = await first.switchOn();
      const { service } = first;
      const { renewals, renewing } = beginRun({ service });
      const off = { extendInfo: { autoExtend: false, extendDays: 0 } };
      showInstead(service, readings, (records) => records.map((one) => ({ ...one, ...off })));
      const read = await renewals.read(state);
      const seen = read.state.proxies.map((one) => [one.ipAddressId, one.autoExtend]);
      expect(Object.fromEntries(seen)).toEqual(flags);
      if (readings === "all") return;
      expect(read.drift).toBeUndefined();
      await renewals.delete(read.state);
      expect(renewing()).toEqual({});
    },
  );

  test("a delete switches off what is recorded as on, also if the listing shows it as off, and does not say that it was on", async () => {
    const { renewals, state, service, log } = await laterRun();
    for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
    await renewals.delete(state);
    expect(service.switches).toMatchObject([
      { ipAddressIds: ["ip-1", "ip-2"], rentPeriodDays: 30, autoExtend: false },
    ]);
    expect(log.lines).toEqual([]);
  });

  test("a delete sends nothing for what is recorded as off", async () => {
    const { renewals, state, service } = await laterRun({ autoExtend: false });
    service.records = [];
    await renewals.delete(state);
    expect(service.switches).toEqual([]);
  });

  test("an edit that removes ids, or switches all off, works under an empty listing", async () => {
    const shrunk = await laterRun();
    showInstead(shrunk.service, [2, 3], none);
    await shrunk.renewals
      .update(shrunk.state, { ...shrunk.inputs, ipAddressIds: ["ip-2"] })
      .catch(() => undefined);
    expect(shrunk.renewing()).toEqual({ "ip-2": 30 });

    const off = await laterRun();
    showInstead(off.service, [1, 2], none);
    await off.renewals.update(off.state, { ...off.inputs, autoExtend: false });
    expect(off.renewing()).toEqual({});
  });

  test("a delete fails and names the ids that the service does not know, and switches off the others", async () => {
    const { renewals, state, service, renewing } = await laterRun({
      ipAddressIds: ["ip-1", "ip-2", "ip-3"],
    });
    unlist(service, ({ ipAddressId }) => ipAddressId === "ip-2");
    refuseUnlisted(service);
    const { code, message } = await failureOf(renewals.delete(state));
    expect(code).toBe("AUTO_EXTENSION_FAILED");
    expect(message).toContain("They may go on costing money: ip-2.");
    expect(message).toContain("PROXYRENTAL_GONE_ORDERS=ip-2");
    expect(renewing()).toEqual({});
  });

  test.each([
    ["abandoned", { onDeleteFailure: "abandon" as const }, 1],
    ["declared gone", { goneOrders: new Set(["ip-1", "ip-2"]) }, 0],
  ])("a delete goes on if the ids are %s", async (_how, settings, warnings) => {
    const { renewals, state, service, log } = await laterRun({}, { settings });
    service.records = [];
    refuseUnlisted(service);
    await renewals.delete(state);
    expect(log.warnings).toHaveLength(warnings);
  });

  test("a delete does not believe an answer that the listing does not confirm", async () => {
    const { renewals, state, service } = await laterRun();
    service.before.setAutoExtension = async (request) => ({ ...request, quantity: 2 });
    const { code, message } = await failureOf(renewals.delete(state));
    expect(code).toBe("AUTO_EXTENSION_FAILED");
    expect(message).toContain("its listing still shows it on for ip-1, ip-2");
  });

  test.each([
    ["empty once", [1]],
    ["empty always", "all" as const],
  ])(
    "deleting an order switches off the flags that its state records as on: the listing is %s",
    async (_how, readings) => {
      const first = beginOrders();
      const { state: fresh } = await first.buy();
      const { service } = first;
      for (const id of fresh.ipAddressIds) toggle(service, id, true, 30);
      const found = await beginOrders({ service }).orders.read(fresh);
      if (found.kind !== "present") throw new Error("it is there");
      showInstead(service, readings, none);
      await beginOrders({ service }).orders.delete(found.state);
      expect(service.records.some(({ extendInfo }) => extendInfo.autoExtend)).toBe(false);
    },
  );

  test("deleting an order switches off flags that this package set after the state was recorded, also past its recorded end", async () => {
    const first = beginOrders();
    const { state } = await first.buy();
    const { service } = first;
    const renewal = beginRun({ service });
    await renewal.switchOn({ ipAddressIds: state.ipAddressIds });
    service.now = new Date("2026-04-15T00:00:00Z");
    showInstead(service, "all", none);
    await beginOrders({ service }).orders.delete(state);
    expect(renewal.renewing()).toEqual({});
  });

  test("deleting an order reads again if one listing lacks a proxy, even if it was recorded as off", async () => {
    const first = beginOrders();
    const { state } = await first.buy();
    const { service } = first;
    for (const id of state.ipAddressIds) toggle(service, id, true, 30);
    showInstead(service, [1], none);
    await beginOrders({ service }).orders.delete(state);
    expect(service.records.some(({ extendInfo }) => extendInfo.autoExtend)).toBe(false);
  });

  test("deleting an order fails if the listing can't be read and flags may be on", async () => {
    const first = beginOrders();
    const { state } = await first.buy();
    first.service.before.listProxies = async () => {
      throw serviceFailure("rejected");
    };
    const next = beginOrders({ service: first.service });
    expect((await failureOf(next.orders.delete(state))).code).toBe("AUTO_EXTENSION_FAILED");
  });
});

describe("193: what was switched on while the listing does not show it yet", () => {
  /** A run that has switched on. It ends before the listing shows that, and perhaps before that was written down. */
  async function switchOnUnseen(isNoted: boolean) {
    const first = beginRun();
    const { service } = first;
    const inputs = await first.plan();
    const before = service.records.map((listed) => ({ ...listed }));
    showInstead(service, "all", () => before);
    if (!isNoted) first.account.journal.flags.note = async () => undefined;
    const failure = await failureOf(first.renewals.create(inputs));
    if (!(failure instanceof SwitchUnconfirmedError)) throw failure;
    expect(first.renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    const next = beginRun({ service });
    next.clock.advance(10 * 60_000);
    return { inputs, state: failure.state, ...next };
  }

  test.each([
    ["was", true],
    ["could not be", false],
  ])("is switched off by a delete: it %s written down", async (_what, isNoted) => {
    const { renewals, state, renewing } = await switchOnUnseen(isNoted);
    await renewals.delete(state);
    expect(renewing()).toEqual({});
  });

  test.each([
    ["was", true],
    ["could not be", false],
  ])("is switched off by an edit: it %s written down", async (_what, isNoted) => {
    const { renewals, inputs, state, renewing } = await switchOnUnseen(isNoted);
    await renewals.update(state, { ...inputs, autoExtend: false });
    expect(renewing()).toEqual({});
  });

  test("is switched off by the deletion of its order", async () => {
    const first = beginOrders();
    const { state } = await first.buy();
    const { service } = first;
    const before = service.records.map((listed) => ({ ...listed }));
    showInstead(service, "all", () => before);
    const renewal = beginRun({ service });
    await failureOf(renewal.switchOn({ ipAddressIds: state.ipAddressIds }));
    await beginOrders({ service }).orders.delete(state);
    expect(renewal.renewing()).toEqual({});
  });
});

describe("203: a flag that the journal has as off, and that is on", () => {
  /** A person has extended all proxies, so that they have new ids, and switched two on. */
  function renew(service: FakeService) {
    service.records = service.records.map((listed, index) => ({
      ...listed,
      ipAddressId: `new-${index + 1}`,
    }));
    for (const id of ["new-1", "new-2"]) toggle(service, id, true, 30);
  }

  /** This package has switched off, and later somebody has switched on. The state of then has that, and the listing is empty. */
  async function beginDeletion(switchOn: (off: Off) => Promise<AutoExtensionState>) {
    const { service, inputs, state, renewals } = await laterRun({}, { run: updating });
    const { checked } = await renewals.check(owner, inputs, given({ autoExtend: false }));
    const off = { service, inputs: checked, state: await renewals.update(state, checked) };
    const later = { state: await switchOn(off), ...beginRun({ service }) };
    expect(later.state.proxies).toMatchObject([{ autoExtend: true }, { autoExtend: true }]);
    service.switches = [];
    showInstead(service, "all", none);
    return later;
  }
  type Off = Pick<Awaited<ReturnType<typeof laterRun>>, "service" | "state"> & { inputs: unknown };

  test("goes off with a delete where a person has switched it on, and a refresh has seen that under new ids", async () => {
    const { renewals, state, renewing } = await beginDeletion(async ({ service, state: off }) => {
      renew(service);
      return (await beginRun({ service }).renewals.read(off)).state;
    });
    await renewals.delete(state);
    expect(renewing()).toEqual({});
  });

  test("goes off with a delete where this package has switched it on, and that could not be written down", async () => {
    const { renewals, state, renewing } = await beginDeletion(async (off) => {
      const on = beginRun({ service: off.service, run: updating });
      on.account.journal.flags.note = async () => undefined;
      const { checked } = await on.renewals.check(owner, off.inputs, given());
      return on.renewals.update(off.state, checked);
    });
    await renewals.delete(state);
    expect(renewing()).toEqual({});
  });

  test("is corrected by a refresh, for its former ids too", async () => {
    const { renewals, inputs, state, service } = await laterRun({}, { run: updating });
    const { checked } = await renewals.check(owner, inputs, given({ autoExtend: false }));
    const off = await renewals.update(state, checked);
    renew(service);
    await beginRun({ service }).renewals.read(off);
    const recorded = await beginRun({ service }).account.recordedEnds.read("IPv4");
    for (const proxy of [...off.proxies, ...service.records.slice(0, 2)]) {
      expect(recorded.flagOf(proxy)?.autoExtend).toBe(true);
    }
  });

  test("is not sent for again in the run that has just switched it off", async () => {
    const { renewals, state, service } = await laterRun();
    await renewals.delete(state);
    service.switches = [];
    await renewals.delete(state);
    expect(service.switches).toEqual([]);
  });
});

describe("217: a proxy that the service refuses to switch, because it has ended", () => {
  /** A person has switched it off or not, and it has ended since. */
  async function endOne(isListedOn: boolean) {
    const later = await laterRun();
    const { service } = later;
    if (!isListedOn) toggle(service, "ip-1", false, 0);
    service.before.setAutoExtension = async ({ ipAddressIds }) => {
      if (ipAddressIds.includes("ip-1")) throw serviceFailure("rejected");
      return undefined;
    };
    return later;
  }

  test("keeps no other on either where the service leaves it out of its answer", async () => {
    const { renewals, state, service } = await laterRun();
    for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
    const asked: (readonly string[])[] = [];
    service.before.setAutoExtension = async ({ ipAddressIds, ...rest }) => {
      asked.push(ipAddressIds);
      const others = ipAddressIds.filter((id) => id !== "ip-1");
      return { ...rest, ipAddressIds: others, quantity: others.length };
    };
    const { message } = await failureOf(renewals.delete(state));
    expect(message).toContain("They may go on costing money: ip-1.");
    expect(asked).toEqual([["ip-1", "ip-2"], ["ip-1"], ["ip-2"]]);
  });

  test.each([
    ["off, and recorded as on", false, {}, "They may go on costing money: ip-1."],
    ["on", true, { "ip-1": 30 }, "SERVICE_REFUSED"],
  ])(
    "keeps no other on when it is deleted beside it: it is listed as %s",
    async (_how, isListedOn, stillOn, said) => {
      const { renewals, state, renewing } = await endOne(isListedOn);
      const { message } = await failureOf(renewals.delete(state));
      expect(message).toContain(said);
      expect(renewing()).toEqual(stillOn);
    },
  );

  test("stops no delete after a refresh that comes when the listing can't be behind any more", async () => {
    const { renewals, state, service, clock } = await endOne(false);
    await failureOf(renewals.delete(state));
    const later = beginRun({ service });
    later.clock.advance(clock.elapsedMs() + 2 * 3_600_000);
    const { state: refreshed } = await later.renewals.read(state);
    await later.renewals.delete(refreshed);
    expect(later.renewing()).toEqual({});
  });
});

describe("218: a service that counts only the flags that it changes", () => {
  test.each([
    ["all", ["ip-1", "ip-2"]],
    ["one", ["ip-1"]],
  ])("a delete goes through where a person has switched off %s", async (_what, ids) => {
    const { renewals, state, service, renewing } = await laterRun();
    for (const id of ids) toggle(service, id, false, 0);
    countChanged(service);
    await renewals.delete(state);
    expect(renewing()).toEqual({});
  });

  test("an order is deleted whose IpAutoExtend was taken out of the program, although no refresh came between", async () => {
    const { service, state } = await switchOffAfterRefresh();
    countChanged(service);
    await beginOrders({ service }).orders.delete(state);
    expect(service.records.some(({ extendInfo }) => extendInfo.autoExtend)).toBe(false);
  });
});

function refuse(service: FakeService): void {
  service.before.setAutoExtension = async () => {
    throw serviceFailure("rejected");
  };
}

function leaveOut(service: FakeService): void {
  service.before.setAutoExtension = async (request) => ({
    ...request,
    ipAddressIds: [],
    quantity: 0,
  });
}

describe("219: what this package has switched off, and only an older state has as on", () => {
  test("stops no destroy of its order, which has ended, and says so", async () => {
    const { service, state } = await switchOffAfterRefresh();
    service.now = AFTER_END;
    service.records = [];
    refuseUnlisted(service);
    const destroy = beginOrders({ service });
    await destroy.orders.delete(state);
    const warning = "fleet: the service did not switch automatic extension of 5 proxies off";
    expect(destroy.log.warnings).toMatchObject([expect.stringContaining(warning)]);
    expect(destroy.log.lines.join()).not.toContain("its auto-extension is now off");
  });

  test("stops a destroy if the state has a later end: it has been extended since", async () => {
    const { service, state } = await switchOffAfterRefresh();
    for (const id of state.ipAddressIds) toggle(service, id, true, 30);
    moveEnds(service, state.ipAddressIds, 30);
    // A refresh sees that, and can't write it down.
    const refresh = beginOrders({ service });
    refresh.account.journal.flags.note = async () => undefined;
    const found = await refresh.orders.read(state);
    if (found.kind !== "present") throw new Error("it is there");
    showInstead(service, "all", none);
    service.before.setAutoExtension = async () => {
      throw serviceFailure("rejected");
    };
    const { code } = await failureOf(beginOrders({ service }).orders.delete(found.state));
    expect(code).toBe("AUTO_EXTENSION_FAILED");
  });

  test("stops a destroy if nobody knows what became of the call", async () => {
    const { service, state } = await switchOffAfterRefresh();
    service.records = [];
    service.before.setAutoExtension = async () => {
      throw serviceFailure("unknown");
    };
    const { code } = await failureOf(beginOrders({ service }).orders.delete(state));
    expect(code).toBe("AUTO_EXTENSION_FAILED");
  });

  test("stops no destroy either where the service leaves it out of its answer", async () => {
    const { service, state } = await switchOffAfterRefresh();
    service.now = AFTER_END;
    service.records = [];
    leaveOut(service);
    await beginOrders({ service }).orders.delete(state);
  });

  test.each([
    ["refuses it", refuse],
    ["leaves it out of its answer", leaveOut],
  ])(
    "stops no deletion of an IpAutoExtend that is listed as off and declared gone, where the service %s",
    async (_how, answer) => {
      const { renewals, state, service, log } = await laterRun(
        {},
        { settings: { goneOrders: new Set(["ip-1", "ip-2"]) } },
      );
      for (const id of ["ip-1", "ip-2"]) toggle(service, id, false, 0);
      answer(service);
      await renewals.delete(state);
      expect(log.warnings).toHaveLength(1);
    },
  );
});

describe("220: what was switched off by its id, because no listing had it, is written down as off", () => {
  test("so that its order is taken for gone after its end", async () => {
    const { service, state } = await switchOffAfterRefresh((before) =>
      showInstead(before, "all", none),
    );
    service.now = new Date("2026-04-15T00:00:00Z");
    const { kind } = await beginOrders({ service }).orders.read(state);
    expect(kind).toBe("gone");
  });

  test("also beside one that the service refuses, which is not", async () => {
    const { renewals, state, service } = await laterRun({ ipAddressIds: ["ip-1", "ip-2", "ip-3"] });
    showInstead(service, "all", (records) =>
      records.filter(({ ipAddressId }) => ipAddressId === "ip-3"),
    );
    service.before.setAutoExtension = async ({ ipAddressIds }) => {
      if (ipAddressIds.includes("ip-1")) throw serviceFailure("rejected");
      return undefined;
    };
    await failureOf(renewals.delete(state));
    const known = await beginRun({ service }).account.journal.flags.readAll("IPv4");
    const flags = [...known.values()].map(({ ipAddressId, autoExtend }) => [
      ...[ipAddressId, autoExtend],
    ]);
    expect(Object.fromEntries(flags)).toEqual({ "ip-1": true, "ip-2": false, "ip-3": false });
  });

  test("and one that is listed as off, and that the service refuses, is not", async () => {
    const { renewals, state, service } = await laterRun();
    toggle(service, "ip-1", false, 0);
    service.before.setAutoExtension = async ({ ipAddressIds }) => {
      if (ipAddressIds.includes("ip-1")) throw serviceFailure("rejected");
      return undefined;
    };
    await failureOf(renewals.delete(state));
    const known = await beginRun({ service }).account.journal.flags.readAll("IPv4");
    expect(known.get("ip-1")?.autoExtend).toBe(true);
    expect(known.get("ip-2")?.autoExtend).toBe(false);
  });
});

describe("a proxy that another resource of the program declares", () => {
  test("stays on when an IpAutoExtend is renamed, because the new one is created before the old one is deleted", async () => {
    const { renewals, state, renewing, service, log } = await laterRun();
    const { checked, failures } = await renewals.check(RENAMED, undefined, given());
    expect(failures).toEqual([]);
    await renewals.create(checked);
    await renewals.delete(state);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
    expect(service.switches).toEqual([]);
    expect(log.lines.join()).toContain("renewal: automatic extension of 2 proxies stays as it is");
  });

  test.each([
    ["refreshed", "new"],
    ["not refreshed", "old"],
  ])("stays on when it has a new id since: the other one's order was %s", async (_how, names) => {
    const { renewals, inputs, state, service, renewing } = await laterRun();
    service.records = service.records.map((row, index) => ({
      ...row,
      ipAddressId: `new-${index + 1}`,
    }));
    const ipAddressIds = names === "new" ? ["new-1", "new-2"] : ["ip-1", "ip-2"];
    const before = names === "new" ? undefined : inputs;
    const { checked, failures } = await renewals.check(RENAMED, before, given({ ipAddressIds }));
    expect(failures).toEqual([]);
    if (names === "new") await renewals.create(checked);
    await renewals.delete(state);
    expect(renewing()).toEqual({ "new-1": 30, "new-2": 30 });
    expect(service.switches).toEqual([]);
  });

  test("stays on when it moves from one to the other, in either order", async () => {
    const { renewals, inputs, state, renewing } = await laterRun();
    const { checked } = await renewals.check(RENAMED, undefined, given({ ipAddressIds: ["ip-1"] }));
    await renewals.update(state, { ...inputs, ipAddressIds: ["ip-2"] });
    await renewals.create(checked);
    expect(renewing()).toEqual({ "ip-1": 30, "ip-2": 30 });
  });

  test("goes off when the other one declares it off, or when all are destroyed", async () => {
    const { renewals, state, renewing } = await laterRun();
    await renewals.check(RENAMED, undefined, given({ autoExtend: false }));
    await renewals.delete(state);
    expect(renewing()).toEqual({});
    const next = await laterRun();
    await next.renewals.delete(next.state);
    expect(next.renewing()).toEqual({});
  });

  test.each([
    ["on and off", { autoExtend: false }, "renewal declares to be extended by 30 days"],
    ["for different days", { rentPeriodDays: 90 }, "renewal declares to be extended by 30 days"],
  ])(
    "contradictory declarations (%s) fail check, and the error names both",
    async (_what, args, said) => {
      const { renewals, service } = beginRun();
      expect((await renewals.check(owner, undefined, given())).failures).toEqual([]);
      const overlap = given({ ipAddressIds: ["ip-2", "ip-3"], ...args });
      const { failures } = await renewals.check(RENAMED, undefined, overlap);
      expect(failures).toMatchObject([{ property: "ipAddressIds" }]);
      expect(failures[0]?.reason).toContain(`names proxy ip-2, which ${said}`);
      // The last check of a resource decides what the resource declares.
      expect(
        (await renewals.check(owner, undefined, given({ ipAddressIds: ["ip-1"] }))).failures,
      ).toEqual([]);
      expect((await renewals.check(RENAMED, undefined, overlap)).failures).toEqual([]);
      expect(service.switches).toEqual([]);
    },
  );

  test("equal declarations pass", async () => {
    const { renewals } = beginRun();
    for (const name of [owner, RENAMED]) {
      expect((await renewals.check(name, undefined, given())).failures).toEqual([]);
    }
  });
});

test("a delete leaves a proxy with another one's id alone", async () => {
  const { renewals, state, service, renewing } = await laterRun();
  service.records.push(record("8000", 99, { extendInfo: { autoExtend: true, extendDays: 30 } }));
  await renewals.delete(state);
  expect(renewing()).toEqual({ "ip-99": 30 });
});
