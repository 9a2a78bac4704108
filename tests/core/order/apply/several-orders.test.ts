import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import { edit, editPending, planEdit, refresh } from "../../support/edits-under-test.ts";
import { AFTER_END, refuseUnlisted, unlist } from "../../support/fake-service.ts";
import {
  type Bought,
  beginRun,
  failureOf,
  given,
  ownerOf,
  type Run,
} from "../../support/orders-under-test.ts";

const LATER = "2026-12-31T00:00:00.000+00:00";

const later = ({ service }: Run, options = {}) => beginRun({ ...options, service });

const gone = (...orders: string[]) => ({ settings: { goneOrders: new Set(orders) } });

/** Changes what the listing shows of some proxies. */
function relist({ service }: Run, change: (listed: ProxyRecord) => Partial<ProxyRecord>): void {
  service.records = service.records.map((listed) => ({ ...listed, ...change(listed) }));
}

/** Order 7000 with five proxies, delivered. */
async function bought(args = {}): Promise<[Run, Bought]> {
  const run = beginRun();
  return [run, await run.buy("fleet", args)];
}

/** Orders 7000 with five proxies and 7001 with three, delivered. */
async function boughtTwice(args = {}): Promise<[Run, Bought]> {
  const [run, five] = await bought(args);
  return [run, await edit(later(run), five, { ...args, quantity: 8 })];
}

/** Like `boughtTwice`, but nothing of the second order is listed yet. Returns its proxies, to be listed later. */
async function boughtTwicePending(): Promise<[Run, Bought, ProxyRecord[]]> {
  const [run, five] = await bought();
  const missing: ProxyRecord[] = [];
  run.service.before.createOrder = async (request) => {
    delete run.service.before.createOrder;
    const answer = await run.service.createOrder(request);
    missing.push(...run.service.records.splice(5));
    return answer;
  };
  return [run, await editPending(later(run), five, { quantity: 8 }), missing];
}

describe("while a further order is pending", () => {
  test("it is kept when the first one is declared gone, at each read", async () => {
    const [run, pending, missing] = await boughtTwicePending();
    let read = pending;
    unlist(run.service, ({ orderId }) => orderId === "7000");
    for (let time = 0; time < 3; time++) read = await refresh(later(run, gone("7000")), read);
    expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 3 });
    run.service.records.push(...missing);
    const next = later(run, gone("7000"));
    const done = await edit(next, await refresh(next, read), { quantity: 3 });
    expect(done.state).toMatchObject({ status: "active", quantity: 3 });
    expect(done.state.proxies).toHaveLength(3);
    expect(run.service.orders).toHaveLength(2);
  });

  test.each([
    ["still lists", false],
    ["does not list any more", true],
  ])(
    "309: it arrives after the first one has ended, which the service %s",
    async (_how, isUnlisted) => {
      const [run, pending, missing] = await boughtTwicePending();
      const { service } = run;
      const late = missing.map((record) => ({ ...record, dateEnd: LATER }));
      const [first] = late;
      service.now = AFTER_END;
      if (isUnlisted) unlist(service, ({ orderId }) => orderId === "7000");
      if (first) service.records.push(first);
      // Nobody refreshes: each run waits, and saves what it has seen.
      const half = await editPending(later(run), pending, { quantity: 8 });
      expect(half.state.proxies.map(({ orderId }) => orderId)).toEqual([
        ...Array.from({ length: 5 }, () => "7000"),
        "7001",
      ]);
      service.records.push(...late.slice(1));
      // What depends on the resource is not given proxies that have ended.
      const whole = await editPending(later(run), half, { quantity: 8 });
      const waiting = later(run).orders.update(whole.state, whole.inputs);
      expect((await failureOf(waiting)).message).toContain(
        "has arrived, but others of this resource have ended meanwhile, or are not listed. It is saved; run `pulumi up --refresh`, and",
      );
      const read = await refresh(later(run), whole);
      expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 3 });
      expect((await failureOf(planEdit(later(run), read, { quantity: 8 }))).message).toContain(
        "Set it to 3 until all has arrived",
      );
      const done = await edit(later(run), read, { quantity: 3 });
      expect(done.state).toMatchObject({ status: "active", quantity: 3 });
      expect(done.state.proxies).toHaveLength(3);
      const { planned } = await planEdit(later(run), done, { quantity: 8 });
      expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 5 });
      expect(service.orders).toHaveLength(2);
    },
  );

  test("309: of those that have ended, none is recorded beside its extended self under another id", async () => {
    const [run, pending, missing] = await boughtTwicePending();
    const { service } = run;
    const [extended] = service.records;
    unlist(service, ({ ipAddressId }) => ipAddressId !== extended?.ipAddressId);
    relist(run, ({ ipAddressId }) => ({ ipAddressId: `${ipAddressId}9`, dateEnd: LATER }));
    service.now = AFTER_END;
    service.records.push(...missing.map((record) => ({ ...record, dateEnd: LATER })));
    const half = await editPending(later(run), pending, { quantity: 8 });
    const addresses = half.state.proxies.map(({ ipAddressIp }) => ipAddressIp);
    expect(addresses).toHaveLength(8);
    expect(new Set(addresses).size).toBe(8);
    const read = await refresh(later(run), half);
    expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 4 });
    const done = await edit(later(run), read, { quantity: 4 });
    expect(done.state).toMatchObject({ status: "active", quantity: 4 });
    expect(service.orders).toHaveLength(2);
  });

  const LATE = { dateEnd: LATER };
  test.each([
    [
      "is refunded, and not listed any more",
      async ({ service }: Run) => unlist(service, ({ orderId }) => orderId === "7000"),
      "7000",
      3,
    ],
    [
      "is refunded in part",
      async ({ service }: Run) => unlist(service, ({ ipAddressId }) => ipAddressId === "ip-1"),
      "ip-1",
      7,
    ],
    [
      "has ended by the listing before its recorded end",
      async (run: Run) => relist(run, () => ({ dateEnd: "2026-02-20T00:00:00.000+00:00" })),
      "ip-1,ip-2,ip-3,ip-4,ip-5",
      3,
    ],
  ])(
    "310: it arrives after the first one %s, and what the messages say leads out",
    async (_what, happens, named, left) => {
      const [run, pending, missing] = await boughtTwicePending();
      await happens(run);
      // Nobody refreshes at first.
      const waiting = await editPending(later(run), pending, { quantity: 8 });
      run.service.records.push(...missing);
      const whole = await editPending(later(run), waiting, { quantity: 8 });
      expect((await failureOf(refresh(later(run), whole))).message).toContain(`list ${named} in`);
      const declared = gone(...named.split(","));
      // It says to run it once without a refresh.
      const once = await editPending(later(run, declared), whole, { quantity: 8 });
      const read = await refresh(later(run, declared), once);
      expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: left });
      const done = await edit(later(run, declared), read, { quantity: left });
      expect(done.state).toMatchObject({ status: "active", quantity: left });
      expect(done.state.proxies).toHaveLength(left);
      expect(run.service.orders).toHaveLength(2);
    },
  );

  test("310: it arrives after a part of the first one has ended, whose ports share one address", async () => {
    const [run, pending, missing] = await boughtTwicePending();
    relist(run, () => ({ ipAddressIp: "192.0.2.1" }));
    const known = await refresh(later(run), pending);
    unlist(run.service, ({ ipAddressId }) => ipAddressId !== "ip-1");
    run.service.records.push(...missing);
    relist(run, () => LATE);
    run.service.now = AFTER_END;
    const whole = await editPending(later(run), known, { quantity: 8 });
    const read = await refresh(later(run), whole);
    expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 4 });
    const done = await edit(later(run), read, { quantity: 4 });
    expect(done.state).toMatchObject({ status: "active", quantity: 4 });
  });

  test("310: it arrives after the first one, whose end was never told, is not listed any more", async () => {
    const [run, pending, missing] = await boughtTwicePending();
    const proxies = pending.state.proxies.map((proxy) => ({ ...proxy, dateEnd: undefined }));
    run.service.now = AFTER_END;
    run.service.records = missing.map((record) => ({ ...record, ...LATE }));
    const untold = { ...pending, state: { ...pending.state, proxies } };
    const whole = await editPending(later(run), untold, { quantity: 8 });
    const read = await refresh(later(run), whole);
    expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 3 });
  });

  test("310: what renews and a listing lacks is switched off when it is deleted", async () => {
    const [run, pending] = await boughtTwicePending();
    relist(run, () => ({ extendInfo: { autoExtend: true, extendDays: 30 } }));
    const known = await refresh(later(run), pending);
    unlist(run.service, () => true);
    const half = await editPending(later(run), known, { quantity: 8 });
    await later(run).orders.delete(half.state);
    expect(run.service.switches.flatMap(({ ipAddressIds }) => ipAddressIds)).toHaveLength(5);
  });

  test.each([
    ["a run without a refresh", true],
    ["a refresh", false],
  ])(
    "310: of the first one, what was extended and exchanged has not ended for %s",
    async (_who, isRun) => {
      const [run, pending, missing] = await boughtTwicePending();
      const moved = { ipAddressId: "new", ipAddressIp: "198.51.100.1" };
      relist(run, ({ ipAddressId }) => ({ ...LATE, ...(ipAddressId === "ip-1" ? moved : {}) }));
      run.service.now = AFTER_END;
      const late = missing.map((record) => ({ ...record, ...LATE }));
      run.service.records.push(...late.slice(1));
      const half = isRun ? await editPending(later(run), pending, { quantity: 8 }) : pending;
      const read = await refresh(later(run), half);
      expect(read.state).toMatchObject({ status: "pendingDelivery", quantity: 8 });
      run.service.records.push(...late.slice(0, 1));
      const done = await edit(later(run), read, { quantity: 8 });
      expect(done.state).toMatchObject({ status: "active", quantity: 8 });
      const { planned } = await planEdit(later(run), done, { quantity: 8 });
      expect(planned.quote).toMatchObject({ effect: "none" });
    },
  );

  test("one that has not arrived is waited for, although the first one is listed under new ids", async () => {
    const [run, pending, missing] = await boughtTwicePending();
    relist(run, ({ ipAddressId }) => ({ ipAddressId: `${ipAddressId}9`, dateEnd: LATER }));
    run.service.now = AFTER_END;
    const half = await editPending(later(run), pending, { quantity: 8 });
    expect(half.state).toMatchObject({ status: "pendingDelivery" });
    expect(half.state.proxies).toHaveLength(5);
    run.service.records.push(...missing.map((record) => ({ ...record, dateEnd: LATER })));
    const done = await edit(later(run), half, { quantity: 8 });
    expect(done.state).toMatchObject({ status: "active" });
    expect(done.state.proxies).toHaveLength(8);
  });

  test("it is removed once when it is declared gone, even if the listing lacks something else", async () => {
    const [run, pending] = await boughtTwicePending();
    const [hidden] = run.service.records.splice(0, 1);
    expect((await failureOf(refresh(later(run, gone("7001")), pending))).code).toBe(
      "ORDER_MISSING",
    );
    if (hidden) run.service.records.push(hidden);
    const read = await refresh(later(run, gone("7001")), pending);
    expect(read.state).toMatchObject({ status: "active", quantity: 5 });
  });

  test("a listing that lacks the earlier proxies does not remove them", async () => {
    const [run, pending] = await boughtTwicePending();
    const all = run.service.records.splice(0);
    const failure = await failureOf(refresh(later(run), pending));
    expect(failure.code).toBe("ORDER_MISSING");
    run.service.records.push(...all);
    expect((await refresh(later(run), pending)).state.proxies).toHaveLength(5);
  });

  test("a listing that lacks released proxies does not remove them", async () => {
    const [run, five] = await bought();
    const three = await edit(later(run), five, { quantity: 3 });
    run.service.before.createOrder = async (request) => {
      delete run.service.before.createOrder;
      const answer = await run.service.createOrder(request);
      run.service.records.splice(5);
      return answer;
    };
    const pending = await editPending(later(run), three, { quantity: 6 });
    const back = pending.state.ipAddressIds[4];
    run.service.records = run.service.records.filter(({ ipAddressId }) => ipAddressId !== back);
    expect((await failureOf(refresh(later(run), pending))).code).toBe("ORDER_MISSING");
  });
});

describe("a resource with its first order declared gone", () => {
  const renewing = { extendInfo: { autoExtend: true, extendDays: 30 } };

  test("ends the auto-extension of the others when it is deleted", async () => {
    const [run, eight] = await boughtTwice();
    relist(run, ({ orderId }) => (orderId === "7001" ? renewing : {}));
    unlist(run.service, ({ orderId }) => orderId === "7000");
    const next = later(run, gone("7000"));
    const { state } = await refresh(next, eight);
    await next.orders.delete(state);
    expect(run.service.switches.flatMap(({ ipAddressIds }) => ipAddressIds)).toHaveLength(3);
  });

  test("is deleted even if the order that is gone was renewing and is not listed", async () => {
    const [run, eight] = await boughtTwice();
    relist(run, () => renewing);
    const { state } = await refresh(later(run), eight);
    unlist(run.service, ({ orderId }) => orderId !== "7000");
    refuseUnlisted(run.service);
    expect((await failureOf(later(run).orders.delete(state))).code).toBe("AUTO_EXTENSION_FAILED");
    run.service.switches = [];
    await later(run, gone("7001")).orders.delete(state);
    expect(run.service.switches.flatMap(({ ipAddressIds }) => ipAddressIds)).toHaveLength(5);
  });
});

test("a living order that was wrongly declared gone comes back free of charge", async () => {
  const [run, eight] = await boughtTwice();
  const { records } = run.service;
  unlist(run.service, ({ orderId }) => orderId === "7001");
  const five = await refresh(later(run, gone("7001")), eight);
  run.service.records = records;
  const next = later(run);
  const read = await refresh(next, five);
  expect(read.state.proxies).toHaveLength(5);
  expect(read.inputs.holdings).toMatchObject({ held: 5, released: [{ count: 3 }] });
  const back = await edit(next, read, { quantity: 8 });
  expect(back.state.proxies).toHaveLength(8);
  expect(run.service.calls.createOrder).toBe(2);
});

test("a resource is not deleted while an unlisted released proxy renews, whoever switched it on", async () => {
  const [run, five] = await bought();
  const three = await edit(later(run), five, { quantity: 3 });
  relist(run, () => ({ extendInfo: { autoExtend: true, extendDays: 30 } }));
  const { state } = await refresh(later(run), three);
  const free = state.released.map(({ ipAddressId }) => ipAddressId);
  unlist(run.service, ({ ipAddressId }) => free.includes(ipAddressId));
  refuseUnlisted(run.service);
  const failure = await failureOf(later(run).orders.delete(state));
  expect(failure.code).toBe("AUTO_EXTENSION_FAILED");
  for (const id of free) expect(failure.message).toContain(id);
});

test.each(["7000", "7001"])("the error says that order %s is missing", async (lost) => {
  const [run, eight] = await boughtTwice();
  run.service.records = run.service.records.filter(({ orderId }) => orderId !== lost);
  const { message } = await failureOf(refresh(later(run), eight));
  expect(message).toContain(`list ${lost} in PROXYRENTAL_GONE_ORDERS`);
  expect(message).toContain(`proxies of order ${lost} are missing`);
});

describe("the cost basis", () => {
  const owned = async (run: Run, bought: Bought, quantity: number) =>
    (await planEdit(run, bought, { quantity })).planned.quote.owned;

  test("is for the period of the purchase, whatever period is recorded for the next", async () => {
    const [run, five] = await bought();
    const three = await edit(later(run), five, { quantity: 3, rentPeriodDays: 90 });
    const next = later(run);
    const read = await refresh(next, three);
    const { planned } = await planEdit(next, read, { quantity: 3, rentPeriodDays: 90 });
    expect(planned.quote.owned).toMatchObject({ price: 4.2, quantity: 3, rentPeriodDays: 30 });
  });

  test("is known again if all held proxies have ended and released ones come back", async () => {
    const [run, five] = await bought();
    const three = await edit(later(run), five, { quantity: 3 });
    const free = three.state.released.map(({ ipAddressId }) => ipAddressId);
    relist(run, ({ ipAddressId }) => (free.includes(ipAddressId) ? { dateEnd: LATER } : {}));
    run.service.now = AFTER_END;
    const next = later(run);
    const none = await refresh(next, three);
    expect(await owned(next, none, 2)).toMatchObject({ price: 2.8, quantity: 2 });
  });

  test("of an adopted order is what this program bought beside it", async () => {
    const [run] = await bought();
    const adopting = { adoptOrderNumber: "7000" };
    const five = await later(run).buy("other", adopting);
    const next = later(run);
    const { planned } = await planEdit(next, five, { ...adopting, quantity: 8 }, "other");
    const eight = { inputs: planned, state: await next.orders.update(five.state, planned) };
    const after = await planEdit(later(run), eight, { ...adopting, quantity: 8 }, "other");
    expect(after.planned.quote.owned).toMatchObject({ price: 4.2, quantity: 3 });
  });
});

describe("IPv6 proxies of one order with different ends", () => {
  const six = { proxyType: "IPv6", protocol: "HTTP" };

  test("come back together or not at all", async () => {
    const [run, eight] = await boughtTwice(six);
    relist(run, ({ ipAddressId }) => (ipAddressId < "ip-3" ? { dateEnd: LATER } : {}));
    const three = await edit(later(run), await refresh(later(run), eight), { ...six, quantity: 3 });
    const read = await refresh(later(run), three);
    const { planned, change } = await planEdit(later(run), read, { ...six, quantity: 5 });
    expect(change).toBe("update");
    expect(planned.quote).toMatchObject({ effect: "topUp", quantity: 2 });
    const back = await edit(later(run), read, { ...six, quantity: 8 });
    expect(back.state.proxies).toHaveLength(8);
    expect((await refresh(later(run), back)).inputs).toEqual(back.inputs);
    expect(run.service.calls.createOrder).toBe(2);
  });
});

test("proxies that the service exchanges stay with their order, held or released", async () => {
  const six = { proxyType: "IPv6", protocol: "HTTP" };
  const [run, eight] = await boughtTwice(six);
  const five = await edit(later(run), eight, { ...six, quantity: 5 });
  const exchanged = ["ip-1", "ip-8"];
  relist(run, ({ ipAddressId }) =>
    exchanged.includes(ipAddressId)
      ? { ipAddressId: `new-${ipAddressId}`, ipAddressIp: `198.51.100.${ipAddressId.slice(3)}` }
      : {},
  );
  const { state } = await refresh(later(run), five);
  expect(state.proxies.map(({ orderId }) => orderId)).toEqual(Array(5).fill("7000"));
  expect(state.released.map(({ orderId }) => orderId)).toEqual(Array(3).fill("7001"));
});

test("proxies with the same address and unknown ports are distinguished by their ids", async () => {
  const [run, five] = await bought();
  relist(run, () => ({ ipAddressIp: "192.0.2.1", httpsPort: undefined }));
  const three = await edit(later(run), await refresh(later(run), five), { quantity: 3 });
  const read = await refresh(later(run), three);
  expect(read.state.ipAddressIds).toEqual(three.state.ipAddressIds);
  expect(read.state.released).toHaveLength(2);
});

describe("extended proxies with new ids while their old rows are still listed", () => {
  async function extended(): Promise<[Run, Bought]> {
    const [run, five] = await bought();
    const renewed = run.service.records.map((listed) => ({
      ...listed,
      ipAddressId: `new-${listed.ipAddressId}`,
      dateEnd: LATER,
    }));
    run.service.records.push(...renewed);
    run.service.now = AFTER_END;
    const read = await refresh(later(run), five);
    expect(read.state.proxies).toHaveLength(5);
    return [run, read];
  }

  test("can be released", async () => {
    const [run, five] = await extended();
    const three = await edit(later(run), five, { quantity: 3 });
    expect(three.state.proxies).toHaveLength(3);
  });

  test("do not count as ended if a listing lacks one of them", async () => {
    const [run, five] = await extended();
    run.service.records.pop();
    expect((await failureOf(refresh(later(run), five))).code).toBe("ORDER_MISSING");
  });
});

test("nothing is let go if the whole orders that the plan counted on are not there", async () => {
  const [run, eight] = await boughtTwice({ proxyType: "IPv6", protocol: "HTTP" });
  const args = { proxyType: "IPv6", protocol: "HTTP", quantity: 5 };
  const next = later(run);
  const { planned } = await planEdit(next, eight, args);
  let moved = 0;
  relist(run, ({ orderId }) => (orderId === "7001" && moved++ === 0 ? { orderId: "7000" } : {}));
  next.account.listing.invalidate();
  expect((await failureOf(next.orders.update(eight.state, planned))).code).toBe("REFRESH_NEEDED");
});

describe("proxies with different ends", () => {
  const endsLate = ["ip-3", "ip-5"];

  async function five(): Promise<[Run, Bought]> {
    const [run, fresh] = await bought();
    relist(run, ({ ipAddressId }) => (endsLate.includes(ipAddressId) ? { dateEnd: LATER } : {}));
    return [run, await refresh(later(run), fresh)];
  }

  test("are let go in the order of their ends, wherever they are listed", async () => {
    const [run, fresh] = await five();
    const { state } = await edit(later(run), fresh, { quantity: 2 });
    expect(state.ipAddressIds).toEqual(endsLate);
  });

  test("come back in reverse order, the longest paid first", async () => {
    const [run, fresh] = await five();
    const one = await edit(later(run), fresh, { quantity: 1 });
    const read = await refresh(later(run), one);
    const { state } = await edit(later(run), read, { quantity: 2 });
    expect([...state.ipAddressIds].sort()).toEqual(endsLate);
    expect((await refresh(later(run), { ...read, state })).state).toEqual(state);
  });
});

test("nothing is let go while a held proxy is missing from the listing", async () => {
  const [run, five] = await bought();
  const next = later(run);
  const { planned } = await planEdit(next, five, { quantity: 3 });
  run.service.records.shift();
  next.account.listing.invalidate();
  expect((await failureOf(next.orders.update(five.state, planned))).code).toBe("REFRESH_NEEDED");
});

test("a rent period that is no longer on offer is not bought again", async () => {
  const [run, five] = await bought();
  const next = later(run);
  next.service.before.listRentPeriods = async () => [90];
  const { failures } = await next.orders.check(
    ownerOf("fleet"),
    five.inputs,
    given({ quantity: 8 }),
  );
  expect(failures.map(({ property }) => property)).toEqual(["rentPeriodDays"]);
});

test("a released proxy that the listing lacks before its end counts as missing", async () => {
  const [run, five] = await bought();
  const three = await refresh(later(run), await edit(later(run), five, { quantity: 3 }));
  const [free] = three.state.released.map(({ ipAddressId }) => ipAddressId);
  run.service.records = run.service.records.filter(({ ipAddressId }) => ipAddressId !== free);
  expect((await failureOf(refresh(later(run), three))).message).toContain("1 of the 5 proxies");
});

test("an order that arrived in part and is declared gone removes only itself", async () => {
  const [run, pending, [first]] = await boughtTwicePending();
  if (first) run.service.records.push(first);
  const read = await refresh(later(run), pending);
  expect(read.state.proxies).toHaveLength(6);
  unlist(run.service, ({ orderId }) => orderId === "7001");
  const { state } = await refresh(later(run, gone("7001")), read);
  expect(state).toMatchObject({ status: "active", quantity: 5, holdings: { held: 5 } });
});
