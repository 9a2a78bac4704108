import { describe, expect, test } from "vitest";
import { createAutoExtensionLifecycle } from "../../../../provider/core/auto-extension/lifecycle.ts";
import type { CheckedAutoExtension } from "../../../../provider/core/auto-extension/state.ts";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import {
  bought,
  boughtAsL1,
  buyAnew,
  extend,
  foundGone,
  later,
  MONTH_LATER,
  none,
  readPresent,
  renew,
  renewing,
  settingsWith,
} from "../../support/ended-orders.ts";
import {
  moveEnds,
  record,
  refuseUnlisted,
  showInstead,
  unlist,
} from "../../support/fake-service.ts";
import {
  type Bought,
  beginRun,
  failureOf,
  given,
  ownerOf,
  type Run,
} from "../../support/orders-under-test.ts";

/** What is listed, with the automatic extension of every proxy off. */
const withAllOff = ({ records }: Run["service"]) =>
  records.map((row) => ({ ...row, extendInfo: { autoExtend: false, extendDays: 0 } }));

/** Makes a resource larger by two in a later run. Gives the effect of the plan, or why there is none. */
async function enlarge(run: Run, { inputs, state }: Bought) {
  const next = later(run);
  const found = await next.orders.read(state);
  if (found.kind !== "present") throw new Error(found.kind);
  const { checked, failures } = await next.orders.check(
    ownerOf("fleet"),
    found.drift ?? inputs,
    given({ quantity: state.quantity + 2 }),
  );
  if (failures.length > 0) return JSON.stringify(failures);
  await next.orders.update(found.state, checked as CheckedOrder);
  return checked.quote?.effect;
}

describe("266: an order whose state is lost, and goneOrders names single proxies,", () => {
  test("all of which the service has exchanged since for others of the same order, which live: it is not bought twice", async () => {
    const run = beginRun();
    const { service } = run;
    let { state } = await run.buy("fleet", { quantity: 2 });
    state = await readPresent(run, state);
    await renew(run, ["ip-1", "ip-2"]);
    state = await readPresent(run, state);
    service.now = new Date("2026-03-10T00:00:00Z");
    // One proxy after the other is missing, is declared gone as the message says, and is exchanged by support.
    const gone: string[] = [];
    for (const [id, number] of [
      ["ip-1", 8],
      ["ip-2", 9],
    ] as const) {
      unlist(service, ({ ipAddressId }) => ipAddressId === id);
      const { message } = await failureOf(
        later(run, settingsWith("goneOrders", ...gone)).orders.read(state),
      );
      expect(message).toContain(`list ${id} in PROXYRENTAL_GONE_ORDERS`);
      gone.push(id);
      service.records.push(record("7000", number));
      state = await readPresent(run, state, settingsWith("goneOrders", ...gone));
    }
    expect(state.ipAddressIds).toEqual(["ip-8", "ip-9"]);
    // A refresh says that all of it is there.
    expect((await later(run, settingsWith("goneOrders", ...gone)).orders.read(state)).kind).toBe(
      "present",
    );
    expect(await buyAnew(run, { quantity: 2 }, settingsWith("goneOrders", ...gone))).toMatchObject({
      bought: 0,
    });
  });

  test("which are listed and paid: a refresh refuses that, and it is not bought twice", async () => {
    const run = beginRun();
    let { state } = await run.buy();
    state = await readPresent(run, state);
    const options = settingsWith("goneOrders", ...state.ipAddressIds);
    const { code } = await failureOf(later(run, options).orders.read(state));
    expect(code).toBe("CONFIGURATION_INVALID");
    expect(await buyAnew(run, {}, options)).toMatchObject({ bought: 0 });
  });

  test("one of two, which the service has moved to another address before it was refunded: the other one lives", async () => {
    const run = beginRun();
    const { service } = run;
    const { state } = await run.buy("fleet", { quantity: 2 });
    const renewal = await renew(run, ["ip-1", "ip-2"]);
    await createAutoExtensionLifecycle(later(run).account).delete(renewal);
    const fresh = await readPresent(run, state);
    service.now = new Date("2026-03-10T00:00:00Z");
    service.records = service.records.map((listed) =>
      listed.ipAddressId === "ip-1"
        ? { ...listed, ipAddressIp: "198.51.100.1", dateEnd: "2026-03-09T00:00:00Z" }
        : listed,
    );
    const partly = await later(run, settingsWith("goneOrders", "ip-1")).orders.read(fresh);
    expect(partly).toMatchObject({ kind: "present", state: { quantity: 1 } });
    expect(await buyAnew(run, { quantity: 2 }, settingsWith("goneOrders", "ip-1"))).toMatchObject({
      bought: 0,
    });
  });

  test("the former ids of proxies that were extended under new ones, as LISTING_INCONSISTENT says: it is not bought twice", async () => {
    const { run, service, state: fresh } = await bought();
    let state = await readPresent(run, fresh);
    await extend(run, state.ipAddressIds);
    // The service goes on with them under new ids, and leaves the former ones as they were.
    service.records = service.records.flatMap((listed) => [
      { ...listed, dateEnd: "2026-03-31T00:00:00.000+00:00" },
      { ...listed, ipAddressId: `${listed.ipAddressId}x` },
    ]);
    service.now = new Date("2026-04-02T00:00:00Z");
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("list ip-1,ip-2,ip-3,ip-4,ip-5 in PROXYRENTAL_GONE_ORDERS");
    const options = settingsWith("goneOrders", "ip-1", "ip-2", "ip-3", "ip-4", "ip-5");
    state = await readPresent(run, state, options);
    expect(state.ipAddressIds).toEqual(["ip-1x", "ip-2x", "ip-3x", "ip-4x", "ip-5x"]);
    expect(await buyAnew(run, {}, options)).toMatchObject({ bought: 0 });
  });

  test("undead by ids, of a run that was killed before the engine had it: the paid order is not written off", async () => {
    const run = beginRun();
    const { state } = await run.buy();
    const options = settingsWith("goneOrders", ...state.ipAddressIds);
    const { bought: count } = await buyAnew(run, {}, options);
    const [first] = await later(run).account.journal.readAll();
    expect([count, first?.phase, first?.closedBecause]).toEqual([0, "returned", undefined]);
  });
});

describe("267: a refresh finds an order gone in one run (`pulumi refresh`), and the next run buys it anew:", () => {
  test("its proxies are declared gone by their ids, as LISTING_INCONSISTENT says, and are not listed any more", async () => {
    const { run, service, state } = await bought();
    await run.buy("other");
    await readPresent(run, state);
    service.now = new Date("2026-03-10T00:00:00Z");
    service.records = service.records.map((listed) =>
      listed.orderId === "7000" ? { ...listed, dateEnd: "2026-03-09T00:00:00Z" } : listed,
    );
    const { code, message } = await failureOf(later(run).orders.read(state));
    expect(code).toBe("LISTING_INCONSISTENT");
    expect(message).toContain("list ip-1,ip-2,ip-3,ip-4,ip-5 in PROXYRENTAL_GONE_ORDERS");
    const options = settingsWith("goneOrders", ...state.ipAddressIds);
    expect((await later(run, options).orders.read(state)).kind).toBe("gone");
    unlist(service, ({ orderId }) => orderId === "7000");
    expect(await buyAnew(run, {}, options)).toEqual({ bought: 1, refusal: "" });
  });

  test("the listed end is some hours before 30 days are over", async () => {
    const run = beginRun();
    const { service } = run;
    service.now = new Date("2026-03-01T20:00:00Z");
    const { state } = await run.buy();
    await run.buy("other");
    await readPresent(run, state);
    service.now = new Date("2026-03-31T01:00:00Z");
    unlist(service, ({ orderId }) => orderId === "7000");
    expect((await later(run).orders.read(state)).kind).toBe("gone");
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("two of five were extended, the others have ended; then these two are refunded and declared gone by their ids", async () => {
    const run = beginRun();
    const { service } = run;
    const { state: first } = await run.buy();
    let state = await readPresent(run, first);
    await extend(run, ["ip-1", "ip-2"]);
    service.now = new Date("2026-04-02T00:00:00Z");
    state = await readPresent(run, state);
    expect(state.quantity).toBe(2);
    service.now = new Date("2026-04-10T00:00:00Z");
    service.records = service.records.map((listed) =>
      ["ip-1", "ip-2"].includes(listed.ipAddressId)
        ? { ...listed, dateEnd: "2026-04-09T00:00:00Z" }
        : listed,
    );
    const { message } = await failureOf(later(run).orders.read(state));
    expect(message).toContain("list ip-1,ip-2 in PROXYRENTAL_GONE_ORDERS");
    const next = later(run, settingsWith("goneOrders", "ip-1", "ip-2"));
    expect((await next.orders.read(state)).kind).toBe("gone");
    const plan = await next.orders.check(ownerOf("fleet"), undefined, given());
    expect(plan).toMatchObject({ failures: [] });
    await next.orders.create(plan.checked as CheckedOrder);
    expect(service.calls.createOrder).toBe(2);
  });

  test("a refunded order, PROXYRENTAL_GONE_ORDERS is set for one refresh, as ORDER_MISSING says, and the next run buys it anew", async () => {
    const { run, service, state } = await bought();
    await run.buy("other");
    const fresh = await readPresent(run, state);
    service.now = new Date("2026-03-10T00:00:00Z");
    unlist(service, ({ orderId }) => orderId === "7000");
    const missing = await later(run)
      .orders.read(fresh)
      .then(
        () => "",
        ({ message }: Error) => message,
      );
    expect(missing).toContain("list 7000 in PROXYRENTAL_GONE_ORDERS");
    expect((await later(run, settingsWith("goneOrders", "7000")).orders.read(fresh)).kind).toBe(
      "gone",
    );
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });
});

describe("267: an order was declared gone and bought anew, and goneOrders is taken out when it has served:", () => {
  /** Its automatic extension has failed, as where the balance is too small. */
  async function failedExtension() {
    const { run, service, state } = await renewing();
    service.now = new Date("2026-04-02T00:00:00Z");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    const declared = later(run, settingsWith("goneOrders", "7000"));
    expect((await declared.orders.read(state)).kind).toBe("gone");
    const again = await declared.buy();
    // The service lists it no more.
    unlist(service, ({ orderId }) => orderId === "7000");
    service.records = service.records.map((listed) => ({
      ...listed,
      dateEnd: "2026-09-30T00:00:00Z",
    }));
    service.now = new Date("2026-09-01T00:00:00Z");
    return { run, service, ...again };
  }

  test("goneOrders has served and was taken out: the resource can be made larger", async () => {
    const { run, service, inputs, state } = await failedExtension();
    expect(await enlarge(run, { inputs, state })).toBe("topUp");
    expect(service.calls.createOrder).toBe(3);
  });

  test("the new order has ended in the ordinary way: it is bought anew", async () => {
    const { run, service, state } = await failedExtension();
    const present = await readPresent(run, state);
    service.now = new Date("2026-10-02T00:00:00Z");
    const next = later(run);
    expect((await next.orders.read(present)).kind).toBe("gone");
    const plan = await next.orders.check(ownerOf("fleet"), undefined, given());
    expect(plan).toMatchObject({ failures: [], checked: { quote: { effect: "buy" } } });
    await next.orders.create(plan.checked as CheckedOrder);
    expect(service.calls.createOrder).toBe(3);
  });

  test("a refunded order without any automatic extension: the new one can be made larger in the same month", async () => {
    const { run, service, state } = await bought();
    const fresh = await readPresent(run, state);
    service.now = new Date("2026-03-10T00:00:00Z");
    unlist(service, ({ orderId }) => orderId === "7000");
    const declared = later(run, settingsWith("goneOrders", "7000"));
    expect((await declared.orders.read(fresh)).kind).toBe("gone");
    const again = await declared.buy();
    service.now = new Date("2026-03-15T00:00:00Z");
    expect(await enlarge(run, again)).toBe("topUp");
    expect(service.calls.createOrder).toBe(3);
  });

  test("with a further order, whose automatic extension had failed: the new one is made larger by an order that is bought, and not by the one that is gone", async () => {
    const run = beginRun();
    const { service } = run;
    const first = await run.buy();
    const grown = later(run);
    const { checked } = await grown.orders.check(
      ownerOf("fleet"),
      first.inputs,
      given({ quantity: 7 }),
    );
    let state = await grown.orders.update(first.state, checked as CheckedOrder);
    await renew(run, state.ipAddressIds);
    state = await readPresent(run, state);
    service.now = new Date("2026-04-02T00:00:00Z");
    const declared = later(run, settingsWith("goneOrders", "7000", "7001"));
    expect((await declared.orders.read(state)).kind).toBe("gone");
    const again = await declared.buy();
    unlist(service, ({ orderId }) => orderId !== "7002");
    service.records = service.records.map((listed) => ({
      ...listed,
      dateEnd: "2026-05-02T00:00:00Z",
    }));
    service.now = new Date("2026-04-20T00:00:00Z");
    expect(await enlarge(run, again)).toBe("topUp");
    expect(service.calls.createOrder).toBe(4);
  });
});

describe("267: a proxy that the service has exchanged,", () => {
  test("whose flag the service refused to switch, so that it was declared gone: the order ends in the ordinary way, and is bought anew", async () => {
    const { run, service, state: fresh } = await bought();
    const renewal = await renew(run, fresh.ipAddressIds);
    let state = await readPresent(run, fresh);
    service.now = new Date("2026-03-10T00:00:00Z");
    unlist(service, ({ ipAddressId }) => ipAddressId === "ip-1");
    service.records.push(record("7000", 9));
    state = await readPresent(run, state);
    refuseUnlisted(service);
    const args = { proxyType: "IPv4", ipAddressIds: state.ipAddressIds, rentPeriodDays: 30 };
    const known = { known: args, unknown: new Set<string>() };
    const update = async (options = {}) => {
      const renewals = createAutoExtensionLifecycle(later(run, options).account);
      const { checked } = await renewals.check("org/urn::renewal", renewal, known);
      return renewals.update(renewal, checked as CheckedAutoExtension);
    };
    const refused = await update().then(
      () => "",
      ({ message }: Error) => message,
    );
    expect(refused).toContain("list them in PROXYRENTAL_GONE_ORDERS=ip-1");
    const renewed = await update(settingsWith("goneOrders", "ip-1"));
    await createAutoExtensionLifecycle(later(run).account).delete(renewed);
    state = await readPresent(run, state);
    service.now = new Date("2026-04-05T00:00:00Z");
    const next = later(run);
    expect((await next.orders.read(state)).kind).toBe("gone");
    const plan = await next.orders.check(ownerOf("fleet"), undefined, given());
    expect(plan).toMatchObject({ failures: [] });
    await next.orders.create(plan.checked as CheckedOrder);
    expect(service.calls.createOrder).toBe(2);
  });
});

describe("268: a flag that is written down by a state without its order", () => {
  test("of an `IpAutoExtend` of release 0.1.0, taken out when the listing lacks its proxies: the order is not bought twice", async () => {
    const { run, service, renewal, state } = await renewing();
    const older = {
      ...renewal,
      proxies: renewal.proxies.map(({ orderId: _, ...proxy }) => proxy),
    };
    moveEnds(service, state.ipAddressIds, 30);
    service.now = MONTH_LATER;
    showInstead(service, "all", none);
    await createAutoExtensionLifecycle(later(run).account).delete(older);
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });
});

describe("269: one answer is from before the automatic extension was switched on, and the others are empty: it is not gone;", () => {
  test.each(["known", "lost"])("the state is %s", async (how) => {
    const { run, service, state } = await renewing();
    const stale = withAllOff(service);
    moveEnds(service, state.ipAddressIds, 30);
    service.now = MONTH_LATER;
    let reading = 0;
    showInstead(service, "all", () => {
      reading += 1;
      return reading === 1 ? stale : [];
    });
    if (how === "lost") expect(await buyAnew(run)).toMatchObject({ bought: 0 });
    else await failureOf(later(run).orders.read(state));
  });
});

test("269: one single answer of one run is from before the automatic extension was switched on; days later, all are empty", async () => {
  const { run, service, state } = await renewing();
  const stale = withAllOff(service);
  moveEnds(service, state.ipAddressIds, 30);
  service.now = new Date("2026-04-10T00:00:00Z");
  showInstead(service, [1], () => stale);
  await readPresent(run, state);
  service.now = MONTH_LATER;
  showInstead(service, "all", none);
  expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
});

test("270: one answer tells a time 12 hours ahead when the automatic extension is switched off 6 hours before the end: the order ends in the ordinary way", async () => {
  const { run, service, state, takeOut } = await renewing();
  service.now = new Date("2026-03-30T18:00:00Z");
  showInstead(
    service,
    [1],
    (records) => records,
    () => new Date("2026-03-31T06:00:00Z"),
  );
  await takeOut({ ownClock: true });
  service.before = {};
  service.now = new Date("2026-04-02T00:00:00Z");
  expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
});

/** The listing shows former ends, and flags as they are. The first answers tell these times. */
function showFormerEnds({ service }: Pick<Run, "service">, ...times: Date[]) {
  const former = [...service.records];
  service.before.listProxies = async () => {
    const flags = new Map(service.records.map((row) => [row.ipAddressId, row.extendInfo]));
    const content = former.map((row) => ({
      ...row,
      extendInfo: flags.get(row.ipAddressId) ?? row.extendInfo,
    }));
    const answeredAt = times.shift() ?? service.now;
    return { totalElements: content.length, totalPages: 1, content, answeredAt };
  };
}

describe("272: an order extends itself at its end, and half an hour later its automatic extension is switched off, while the listing shows the former end: it is not bought twice;", () => {
  test.each([undefined, new Date("2026-03-29T00:00:00Z")])(
    "its `IpAutoExtend` is taken out, and the first answer tells the time %s",
    async (time) => {
      const { run, service, state, takeOut } = await renewing();
      service.now = new Date("2026-03-31T00:30:00Z");
      showFormerEnds(run, ...(time ? [time] : []));
      moveEnds(service, state.ipAddressIds, 30);
      await takeOut();
      service.now = new Date("2026-03-31T01:00:00Z");
      expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
      expect(await buyAnew(run)).toMatchObject({ bought: 0 });
    },
  );

  async function switchedByHand() {
    const scene = await renewing();
    const { run, service, state } = scene;
    service.now = new Date("2026-03-31T00:30:00Z");
    showFormerEnds(run);
    moveEnds(service, state.ipAddressIds, 30);
    service.records = withAllOff(service);
    return scene;
  }

  test("a person has switched it off in the account", async () => {
    const { run, state } = await switchedByHand();
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });

  test("a person has switched it off in the account, and then its `IpAutoExtend` is taken out", async () => {
    const { run, service, state, takeOut } = await switchedByHand();
    await takeOut();
    service.now = new Date("2026-03-31T02:00:00Z");
    expect((await failureOf(later(run).orders.read(state))).code).toBe("ORDER_MISSING");
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });
});

test("272: a person has switched it off days before its end: it ends in the ordinary way, an hour later at the latest", async () => {
  const { run, service, state } = await renewing();
  service.records = withAllOff(service);
  service.now = new Date("2026-03-31T01:01:00Z");
  expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
  expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
});

test("273: one answer is from before an automatic extension was switched off, minutes after that: the order ends in the ordinary way", async () => {
  const { run, service, state: on, takeOut } = await renewing();
  await run.buy("other");
  const stale = [...service.records];
  service.now = new Date("2026-03-20T12:00:00Z");
  await takeOut();
  service.now = new Date("2026-03-20T12:10:00Z");
  showInstead(service, [1], () => stale);
  const state = await readPresent(run, on);
  service.before = {};
  service.now = new Date("2026-04-03T00:00:00Z");
  unlist(service, ({ orderId }) => orderId === "7000");
  expect(await later(run).orders.read(state)).toEqual({ kind: "gone" });
});

describe("274: an order is listed as L-1, and another one as its number; its state is lost:", () => {
  async function misnamed() {
    const { run, service, state } = await boughtAsL1();
    return { run, service, state: await readPresent(run, state) };
  }

  test("it was extended by hand, and the other one has ended: it is not bought twice", async () => {
    const { run, service, state } = await misnamed();
    service.records.unshift(record("7005", 9));
    moveEnds(service, state.ipAddressIds, 30);
    service.now = new Date("2026-04-02T00:00:00Z");
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });

  test("it has ended, and the other one lives: it is bought anew", async () => {
    const { run, service } = await misnamed();
    service.records.unshift({ ...record("7005", 9), dateEnd: "2026-09-01T00:00:00Z" });
    service.now = new Date("2026-04-15T00:00:00Z");
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("what the message advises takes it over, and not the other one", async () => {
    const { run, service, state } = await misnamed();
    await foundGone(run, state);
    const others = [11, 12, 13, 14, 15].map((number) => record("7005", number));
    service.records.push(...others.map((row) => ({ ...row, dateEnd: "2026-06-01T00:00:00Z" })));
    const { refusal } = await buyAnew(run);
    const [, adoptOrderNumber] = /adoptOrderNumber: "(.*?)"/.exec(refusal) ?? [];
    const { state: taken } = await later(run).buy("fleet", { adoptOrderNumber });
    expect(taken.orderIds).toEqual(["L-1"]);
  });
});
