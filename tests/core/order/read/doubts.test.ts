import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import { createAutoExtensionLifecycle } from "../../../../provider/core/auto-extension/lifecycle.ts";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import {
  bought,
  buyAnew,
  extend,
  later,
  MONTH_LATER,
  none,
  readPresent,
  renew,
  renewing,
} from "../../support/ended-orders.ts";
import {
  AFTER_END,
  moveEnds,
  serviceFailure,
  showInstead,
  unlist,
  WHILE_PAID,
} from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

const DAY_MS = 86_400_000;

/** What the service lists of automatic extension from now on, because a person has switched it. */
function showFlags(service: Run["service"], autoExtend: boolean): void {
  service.records = service.records.map((listed) => ({
    ...listed,
    extendInfo: { ...listed.extendInfo, autoExtend },
  }));
}

/** What a listing does that does not know of an extension. */
const listingsBehind: [string, (records: ProxyRecord[]) => ProxyRecord[]][] = [
  ["lists nothing", none],
  [
    "shows its first end",
    (records) => records.map((listed) => ({ ...listed, dateEnd: "2026-03-31T00:00:00.000+00:00" })),
  ],
];

describe("a living order is never gone, and is not bought again,", () => {
  test("because of one empty listing, a month after an automatic extension that its state does not know", async () => {
    const { run, service, state } = await bought();
    moveEnds(service, state.ipAddressIds, 30);
    service.now = MONTH_LATER;
    showInstead(service, [1], none);
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("7000");
    expect(message).toContain("The second, read after it");
    expect((await later(run).orders.read(state)).kind).toBe("present");
    expect(service.calls.createOrder).toBe(1);
  });

  test("because of empty listings, after this package switched its auto-extension on", async () => {
    const { run, service, state } = await bought();
    await renew(run, state.ipAddressIds);
    moveEnds(service, state.ipAddressIds, 30);
    service.now = MONTH_LATER;
    showInstead(service, "all", none);
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).not.toContain("before their recorded end");
    expect(message).toContain("were extended automatically when they were last seen");
  });

  test("because of empty listings, after an IpExtension in the journal", async () => {
    const { run, service, state } = await bought();
    await extend(run, state.ipAddressIds);
    service.now = MONTH_LATER;
    showInstead(service, "all", none);
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).toContain("before their recorded end (2026-04-28");
    service.now = new Date("2026-05-01T00:00:00Z");
    expect((await later(run).orders.read(state)).kind).toBe("gone");
  });

  test("because of one wrong Date header, whether its rows are listed or not", async () => {
    for (const show of [none, (records: ProxyRecord[]) => records]) {
      const { run, service, state } = await bought();
      showInstead(service, [1], show, () => AFTER_END);
      const options = { ownClock: true };
      expect((await failureOf(later(run, options).orders.read(state))).code).toBe(
        "LISTING_INCONSISTENT",
      );
    }
  });

  test("because of a Date header that stays wrong by a month", async () => {
    const { run, service, state } = await bought();
    service.now = AFTER_END;
    const { code, message } = await failureOf(later(run, { ownClock: true }).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("more than a day apart");
  });

  test("because of listings with earlier ends than recorded", async () => {
    const { run, service, state } = await bought();
    service.now = new Date("2026-03-20T00:00:00Z");
    showInstead(service, "all", (records) =>
      records.map((listed) => ({ ...listed, dateEnd: "2026-03-10T00:00:00Z" })),
    );
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("recorded as paid until 2026-03-31T00:00:00.000+00:00");
    expect(message).toContain("PROXYRENTAL_GONE_ORDERS");
    expect(message).toContain("ip-1");
  });

  test("because of listings with an earlier end than was paid for, ever since its delivery", async () => {
    const run = beginRun();
    showInstead(run.service, "all", (records) =>
      records.map((listed) => ({ ...listed, dateEnd: "2026-03-10T00:00:00Z" })),
    );
    const { state } = await run.buy();
    expect(state.proxies[0]?.dateEnd).toBe("2026-03-10T00:00:00Z");
    run.service.now = new Date("2026-03-20T00:00:00Z");
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("recorded as paid until 2026-03-29");
  });

  test("in part, because one of its rows slipped to another page", async () => {
    const { run, service, state } = await bought();
    service.now = AFTER_END;
    service.records = service.records.map((listed) => ({
      ...listed,
      dateEnd: "2026-05-30T00:00:00Z",
    }));
    showInstead(service, [1], (records) => records.slice(1));
    expect((await failureOf(later(run).orders.read(state))).code).toBe("LISTING_INCONSISTENT");
  });
});

describe("a recorded end", () => {
  test.each([
    ["an earlier one", "2026-03-20T00:00:00Z"],
    ["none", undefined],
  ])("stays if the listing shows %s of a living proxy", async (_what, dateEnd) => {
    const { run, service, state } = await bought();
    showInstead(service, "all", (records) => records.map((listed) => ({ ...listed, dateEnd })));
    expect(await later(run).orders.read(state)).toEqual({ kind: "present", state });
  });

  test("without an offset, or unreadable, decides nothing: the client leaves it out", async () => {
    const { run, service, state } = await bought();
    const untold = { ...state, proxies: state.proxies.map(({ dateEnd: _, ...proxy }) => proxy) };
    showInstead(service, "all", (records) =>
      records.map((listed) => ({ ...listed, dateEnd: undefined })),
    );
    service.now = new Date("2027-01-01T00:00:00Z");
    expect((await later(run).orders.read(untold)).kind).toBe("present");
  });
});

test("a constant difference of five hours to this machine's clock works, with one warning per run", async () => {
  const { run, service, state } = await bought();
  service.now = new Date("2026-03-31T04:00:00Z");
  const next = later(run, { ownClock: true });
  next.clock.advance(30 * DAY_MS - 3_600_000);
  expect(await next.orders.read(state)).toEqual({ kind: "gone" });
  const { checked } = await next.orders.check(ownerOf("fleet"), undefined, given());
  expect(checked.quote).toMatchObject({ effect: "buy", price: 7 });
  expect(next.log.warnings.filter((line) => line.includes("hours ahead of"))).toHaveLength(1);
});

describe("after this package switched its auto-extension off, an order ends like any other", () => {
  async function switchedOff() {
    const order = await renewing();
    await order.takeOut();
    return order;
  }

  test("35 days later it is gone, though its state still has it as renewing", async () => {
    const { run, service, state } = await switchedOff();
    service.records = [];
    service.now = new Date("2026-04-05T00:00:00Z");
    expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
  });

  test("but not before, and not if somebody has switched it on again", async () => {
    const { run, service, state } = await switchedOff();
    const all = service.records;
    service.records = [];
    service.now = new Date("2026-03-30T00:00:00Z");
    expect((await failureOf(later(run).orders.read(state))).message).toContain(
      "before their recorded end (2026-03-31",
    );
    service.records = all.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 30 },
    }));
    await later(run).orders.read(state);
    service.records = [];
    service.now = new Date("2026-04-05T00:00:00Z");
    const { message } = await failureOf(later(run).orders.read(state));
    expect(message).toContain("were extended automatically when they were last seen");
    expect(message).not.toContain("before their recorded end");
  });
});

describe("252: an order that was still on at its end may have been extended, although the listing does not show it", () => {
  /** Its `IpAutoExtend` is taken out when it has ended by the listing, and the service has extended it. */
  async function switchedOffAt(now: Date) {
    const order = await renewing();
    order.service.now = now;
    await order.takeOut();
    return order;
  }

  const stillOn = (records: ProxyRecord[]) =>
    records.map((listed) => ({ ...listed, extendInfo: { autoExtend: true, extendDays: 30 } }));

  test.each([
    ["shows its former end", (records: ProxyRecord[]) => records],
    ["lacks it", none],
  ])("and %s", async (_what, show) => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    showInstead(service, "all", show);
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("ORDER_MISSING");
    expect(message).toContain("PROXYRENTAL_GONE_ORDERS");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("until it is listed with a later end", async () => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    moveEnds(service, state.ipAddressIds, 30);
    const extended = await readPresent(run, state);
    service.now = new Date("2026-05-15T00:00:00Z");
    expect(await later(run).orders.read(extended)).toEqual({ kind: "gone" });
  });

  test("or until a person declares it gone", async () => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    const goneOrders = new Set([state.orderNumber]);
    expect(await later(run, { settings: { goneOrders } }).orders.read(state)).toEqual({
      kind: "gone",
    });
    expect(service.calls.createOrder).toBe(1);
  });

  test("or until an extension would be over, too", async () => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    service.now = new Date("2026-05-03T00:00:00Z");
    expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
  });

  test.each(listingsBehind)(
    "also if it was extended twice, and the listing %s",
    async (_what, show) => {
      const { run, service, state, takeOut } = await renewing();
      moveEnds(service, state.ipAddressIds, 60);
      service.now = new Date("2026-05-10T00:00:00Z");
      showInstead(service, "all", show);
      await takeOut();
      expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    },
  );

  test("also if another one had switched it off before", async () => {
    const { run, service, state, takeOut } = await renewing();
    const other = await renew(run, state.ipAddressIds, "org/urn::renewal-of-another-stack");
    await takeOut();
    showFlags(service, true);
    service.now = AFTER_END;
    await createAutoExtensionLifecycle(later(run).account).delete(other);
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test.each(["once more", "not again"])(
    "also if the listing goes on showing it on, so that it can't be confirmed, and it is switched off %s",
    async (again) => {
      const { run, service, state, takeOut } = await renewing();
      service.now = AFTER_END;
      showInstead(service, "all", stillOn);
      expect((await failureOf(takeOut())).message).toContain("still shows it on");
      service.before = {};
      if (again === "once more") await takeOut();
      expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    },
  );

  test("also if a later listing shows it on once more", async () => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    showInstead(service, "all", stillOn);
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    service.before = {};
    const next = later(run);
    next.clock.advance(2 * 3_600_000);
    expect((await failureOf(next.orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("also if its end passes while it is switched off", async () => {
    const { run, service, state, takeOut } = await renewing();
    service.now = new Date("2026-03-30T23:59:59Z");
    service.before.setAutoExtension = async () => {
      service.now = new Date("2026-03-31T00:00:20Z");
      return undefined;
    };
    await takeOut();
    service.before = {};
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("also if it was extended before its end, went off before it, too, and the listing is behind with the end", async () => {
    const { run, service, state } = await switchedOffAt(new Date("2026-03-30T23:50:00Z"));
    service.now = new Date("2026-03-31T00:10:00Z");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test.each([
    ["while it goes on", true],
    ["after it is taken out", false],
  ])(
    "also if it was switched on minutes before its end, and the listing is behind with the flag, %s",
    async (_when, goesOn) => {
      const { run, service, state } = await bought();
      service.now = new Date("2026-03-30T23:50:00Z");
      const renewal = await renew(run, state.ipAddressIds);
      showInstead(service, "all", (records) =>
        records.map((listed) => ({ ...listed, extendInfo: { autoExtend: false, extendDays: 0 } })),
      );
      service.now = new Date("2026-03-31T00:10:00Z");
      if (!goesOn) await createAutoExtensionLifecycle(later(run).account).delete(renewal);
      expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    },
  );

  test("also if the first answer tells a time before its end while it is switched off", async () => {
    const { run, service, state, takeOut } = await renewing();
    service.now = new Date("2026-03-31T00:10:00Z");
    const anHourBefore = () => new Date("2026-03-30T23:10:00Z");
    showInstead(service, [1], (records) => records, anHourBefore);
    await takeOut();
    service.before = {};
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("also if it was switched on in the account, and is off by a new `IpAutoExtend`", async () => {
    const { run, service, state: fresh } = await bought();
    showFlags(service, true);
    const state = await readPresent(run, fresh);
    service.now = AFTER_END;
    await renew(run, fresh.ipAddressIds, "org/urn::off", { autoExtend: false });
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("also if the service does not say by how many days it is extended, or what time it is", async () => {
    const { run, service, state, takeOut } = await renewing();
    service.now = AFTER_END;
    service.records = service.records.map((listed) => ({
      ...listed,
      extendInfo: { autoExtend: true, extendDays: 0 },
    }));
    showInstead(
      service,
      [1],
      (records) => records,
      () => undefined,
    );
    await takeOut();
    service.before = {};
    service.now = new Date("2026-04-04T00:00:00Z");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
  });

  test("also in its second period, by a run that does not know its state, with an empty listing", async () => {
    const { run, service, state, takeOut } = await renewing();
    moveEnds(service, state.ipAddressIds, 30);
    service.now = MONTH_LATER;
    const extended = await readPresent(run, state);
    service.now = new Date("2026-05-01T00:00:00Z");
    showInstead(service, "all", none);
    await takeOut();
    service.before = {};
    showFlags(service, false);
    expect((await failureOf(later(run).orders.read(extended))).code).toBe("ORDER_MISSING");
  });

  test("also beside an order that is still to be delivered", async () => {
    const { run, state } = await switchedOffAt(AFTER_END);
    const [receipt] = state.purchases;
    if (receipt === undefined) throw new Error("it was bought");
    const names = { requestId: "another", orderNumber: "7001", orderIds: ["7001"] };
    const further = { ...receipt, ...names, quantity: 2, at: AFTER_END.toISOString() };
    const pending: typeof state = {
      ...{ ...state, status: "pendingDelivery", quantity: 7 },
      orderIds: [...state.orderIds, "7001"],
      purchases: [receipt, further],
      holdings: { ...state.holdings, held: 7 },
    };
    expect((await failureOf(later(run).orders.read(pending))).code).toBe("ORDER_MISSING");
  });

  test("unless the listing shows that it was off by then", async () => {
    const { run, service, state, takeOut } = await renewing();
    service.now = AFTER_END;
    showFlags(service, false);
    await takeOut();
    expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
  });

  test("unless it is listed under new ids with a later end, beside what is left of the former ones", async () => {
    const { run, service, state } = await switchedOffAt(AFTER_END);
    const extended = service.records.map((listed) => ({
      ...{ ...listed, ipAddressId: `${listed.ipAddressId}x` },
      dateEnd: "2026-04-30T00:00:00Z",
    }));
    service.records = [...service.records, ...extended];
    expect((await later(run).orders.read(state)).kind).toBe("present");
  });

  test.each(["ended", "not there any more"])(
    "a part of it that is listed as %s is named by its ids: the order itself can't be declared gone",
    async (what) => {
      const { run, service, state } = await switchedOffAt(AFTER_END);
      const ended = state.ipAddressIds.slice(0, 2);
      moveEnds(service, state.ipAddressIds.slice(2), 30);
      if (what !== "ended") unlist(service, ({ ipAddressId }) => ended.includes(ipAddressId));
      const { message } = await failureOf(later(run).orders.read(state));
      expect(message).toContain(`list ${ended.join(",")} in PROXYRENTAL_GONE_ORDERS`);
      const settings = { goneOrders: new Set(ended) };
      expect((await later(run, { settings }).orders.read(state)).kind).toBe("present");
    },
  );

  test("unless it went off before its end: what is let go in its last hour ends like any other", async () => {
    const { run, service, state } = await switchedOffAt(new Date("2026-03-30T23:30:00Z"));
    service.now = AFTER_END;
    expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
  });
});

describe("260: an order whose state is lost is over only if a refresh of that state would say so:", () => {
  test.each(["on still", "off since"])(
    "it is not over seconds after its listed end, if it is %s",
    async (how) => {
      const { run, service, takeOut } = await renewing();
      service.now = new Date("2026-03-31T00:00:20Z");
      if (how === "off since") await takeOut();
      expect(await buyAnew(run)).toMatchObject({ bought: 0 });
    },
  );

  test.each(listingsBehind)(
    "nor a month after it was extended automatically, if the listing %s",
    async (_what, show) => {
      const { run, service, state } = await renewing();
      moveEnds(service, state.ipAddressIds, 30);
      service.now = MONTH_LATER;
      showInstead(service, "all", show);
      expect(await buyAnew(run)).toMatchObject({ bought: 0 });
    },
  );

  test("nor after an `IpExtension` of the journal, if the listing is empty", async () => {
    const { run, service, state } = await bought();
    await extend(run, state.ipAddressIds);
    service.now = MONTH_LATER;
    showInstead(service, "all", none);
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });

  test("nor while it is paid, if the listing lacks it and shows another one of its number's series", async () => {
    const { run, service, state } = await bought();
    await run.buy("other");
    // The state was seen to have it, so it had arrived.
    await readPresent(run, state);
    service.now = new Date("2026-03-15T00:00:00Z");
    showInstead(service, "all", (records) => records.filter(({ orderId }) => orderId !== "7000"));
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });

  test("it is over when a refresh has just said so, also if the service's days end some hours earlier", async () => {
    const run = beginRun();
    const { service } = run;
    const earlier = (records: ProxyRecord[]) =>
      records.map((listed) => ({ ...listed, dateEnd: "2026-03-30T12:00:00Z" }));
    showInstead(service, "all", earlier);
    const { state } = await run.buy();
    await run.buy("other");
    await readPresent(run, state);
    service.now = new Date("2026-03-30T13:00:00Z");
    showInstead(service, "all", (records) =>
      earlier(records).filter(({ orderId }) => orderId !== "7000"),
    );
    const next = later(run);
    expect((await next.orders.read(state)).kind).toBe("gone");
    const { checked } = await next.orders.check(ownerOf("fleet"), undefined, given());
    expect(checked.quote).toMatchObject({ effect: "buy" });
    await next.orders.create(checked as CheckedOrder);
    expect(service.calls.createOrder).toBe(3);
  });

  test("it is over, and is bought anew, when it ended without an extension", async () => {
    const { run, service, takeOut } = await renewing();
    await takeOut();
    service.now = MONTH_LATER;
    expect(await buyAnew(run)).toMatchObject({ bought: 1 });
  });
});

describe("goneOrders", () => {
  test("is not recommended while the service can't be reached or its listing contradicts itself", async () => {
    const { run, service, state } = await bought();
    service.before.listProxies = async () => {
      throw serviceFailure("rejected");
    };
    const { message } = await failureOf(later(run).orders.read(state));
    expect(message.toLowerCase()).not.toContain("gone");
    expect(message).toContain("Order 7000 stays in the state");
    expect(message).toContain("--refresh=false");
    showInstead(service, [1], none);
    const contradicting = await failureOf(later(run).orders.read(state));
    expect(contradicting.message.toLowerCase()).not.toContain("goneorders");
    expect(contradicting.message).toContain("--refresh=false");
  });

  test.each([
    ["all of it", 0, "ip-1, ip-2, ip-3, ip-4, ip-5"],
    ["two of its proxies", 3, "ip-4, ip-5"],
  ])("is refused for an order while %s are listed and living", async (_what, lost, ids) => {
    const { run, service, state } = await bought();
    service.records.splice(0, lost);
    const settings = { goneOrders: new Set(["7000"]) };
    const { code, message } = await failureOf(later(run, { settings }).orders.read(state));
    expect(code).toBe("CONFIGURATION_INVALID");
    expect(message).toContain(`paid until 2026-03-31T00:00:00.000+00:00: ${ids}.`);
    expect(message).toContain("Take 7000 out of");
    expect(message).toContain("ipAddressId");
  });

  test.each([
    ["are listed as ended too early", false],
    ["are not listed", true],
  ])(
    "266: accepts all proxies of an order by their ids, which %s, and the order is bought again",
    async (_how, isUnlisted) => {
      const { run, service, state } = await bought();
      await run.buy("other");
      await readPresent(run, state);
      service.now = new Date("2026-03-15T00:00:00Z");
      showInstead(service, "all", (records) =>
        records.flatMap((listed) => {
          if (listed.orderId !== "7000") return [listed];
          return isUnlisted ? [] : [{ ...listed, dateEnd: "2026-03-10T00:00:00Z" }];
        }),
      );
      const settings = { goneOrders: new Set(state.ipAddressIds) };
      const next = later(run, { settings });
      expect((await next.orders.read(state)).kind).toBe("gone");
      await next.buy();
      expect(service.calls.createOrder).toBe(3);
    },
  );

  test("accepts single proxies by their ids, and the plan shows the price of buying them again", async () => {
    const { run, service, state } = await bought();
    unlist(service, ({ ipAddressId }) => ipAddressId < "ip-3");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    const next = later(run, { settings: { goneOrders: new Set(["ip-1", "ip-2"]) } });
    const found = await next.orders.read(state);
    expect(found).toMatchObject({ kind: "present", drift: { quantity: 3, holdings: { held: 3 } } });
    const living = later(run, { settings: { goneOrders: new Set(["ip-1", "ip-5"]) } });
    expect((await failureOf(living.orders.read(state))).message).toContain("ip-5");
    expect(service.calls.createOrder).toBe(1);
  });

  test("drops proxies past their listed end, if that is before the recorded one", async () => {
    const { run, service, state } = await bought();
    service.now = new Date("2026-03-20T00:00:00Z");
    service.records = service.records.map((listed) => ({
      ...listed,
      dateEnd: "2026-03-10T00:00:00Z",
    }));
    const settings = { goneOrders: new Set(state.ipAddressIds) };
    expect(await later(run, { settings }).orders.read(state)).toEqual({ kind: "gone" });
  });
});

describe("a wrong Date header", () => {
  test("does not hide an unknown order, though it is wrong by hours or by a month", async () => {
    for (const aheadMs of [2 * 3_600_000, 31 * DAY_MS]) {
      const { run, service } = await bought();
      const wrong = new Date(WHILE_PAID.getTime() + aheadMs);
      showInstead(
        service,
        [1],
        (records) => records,
        () => wrong,
      );
      const stranger = beginRun({ service, project: "/other", ownClock: true });
      const said = await stranger.orders.check(ownerOf("fleet"), undefined, given()).then(
        ({ failures }) => failures.map(({ reason }) => reason).join(),
        (doubt: Error) => doubt.message,
      );
      expect(said).toContain("order 7000");
      expect(run.service.calls.createOrder).toBe(1);
    }
  });

  test("does not end released proxies: they come back, and nothing is bought", async () => {
    const { run, service, inputs, state } = await bought();
    const smaller = later(run);
    const { checked: three } = await smaller.orders.check(
      ownerOf("fleet"),
      inputs,
      given({ quantity: 3 }),
    );
    const shrunk = await smaller.orders.update(state, three);
    const read = await later(run).orders.read(shrunk);
    if (read.kind !== "present" || !read.drift) throw new Error("its releases have an end now");
    showInstead(
      service,
      [1],
      (records) => records,
      () => AFTER_END,
    );
    const next = later(run, { ownClock: true });
    const { checked } = await next.orders.check(ownerOf("fleet"), read.drift, given());
    expect(checked.quote).toMatchObject({ effect: "none" });
  });
});
