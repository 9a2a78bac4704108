import { describe, expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import { AFTER_END, serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

/** A delivered order, in a later run on the same account. */
async function laterRun(settings: { goneOrders?: Set<string> } = {}) {
  const first = beginRun();
  const bought = await first.buy();
  return { ...bought, ...beginRun({ service: first.service, settings }) };
}

describe("read", () => {
  test("finds an order as recorded, with one request", async () => {
    const { orders, state, service } = await laterRun();
    service.calls.listProxies = 0;
    expect(await orders.read(state)).toEqual({ kind: "present", state });
    expect(service.calls).toMatchObject({ listProxies: 1, createOrder: 1, calculateOrder: 2 });
  });

  test("finds it gone when all proxies have ended", async () => {
    const { orders, state, service } = await laterRun();
    service.now = AFTER_END;
    expect(await orders.read(state)).toEqual({ kind: "gone" });
  });

  test("the plan of a new purchase names the order whose end it follows", async () => {
    const { orders, state, service, log, plan } = await laterRun();
    service.now = AFTER_END;
    await orders.read(state);
    log.lines.length = 0;
    await plan();
    expect(log.lines.join()).toContain(
      "buys 5 IPv4 proxies in USA for 30 days for 7.00 USD after the end of order 7000; bought now",
    );
  });

  test("finds it gone when a person declares it", async () => {
    const { orders, state, service } = await laterRun({ goneOrders: new Set(["7000"]) });
    service.records = [];
    expect(await orders.read(state)).toEqual({ kind: "gone" });
  });

  test.each([
    ["empty", (all: unknown[]) => all.splice(0)],
    ["short of one proxy", (all: unknown[]) => all.splice(0, 1)],
  ])("keeps the state and names the ways out when the listing is %s", async (_how, spoil) => {
    const { orders, state, service } = await laterRun();
    spoil(service.records);
    const failure = await failureOf(orders.read(state));
    expect(failure.code).toBe("ORDER_MISSING");
    for (const said of [
      "order 7000",
      "proxyrental:goneOrders",
      "--refresh=false",
      "Nothing was bought",
    ]) {
      expect(failure.message).toContain(said);
    }
  });

  test("keeps the state if the listing can't be read", async () => {
    const { orders, state, service } = await laterRun();
    service.before.listProxies = async () => {
      throw serviceFailure("rejected");
    };
    expect((await failureOf(orders.read(state))).code).toBe("SERVICE_REFUSED");
  });

  test("keeps an unreadable state", async () => {
    const { orders, service } = await laterRun();
    const later = { stateVersion: 2 };
    service.calls.listProxies = 0;
    expect((await failureOf(orders.read(later))).code).toBe("STATE_UNREADABLE");
    expect(service.calls.listProxies).toBe(0);
  });

  test("of an order with expired proxies makes the next plan buy the rest, at its price", async () => {
    const { orders, state, service } = await laterRun();
    service.records.splice(0, 2);
    service.now = AFTER_END;
    service.records = service.records.map((listed) => ({
      ...listed,
      dateEnd: "2027-01-01T00:00:00Z",
    }));
    const found = await orders.read(state);
    if (found.kind !== "present") throw new Error("it is there");
    expect(found.drift).toMatchObject({ quantity: 3, holdings: { held: 3 } });
    const { checked } = await orders.check(ownerOf("fleet"), found.drift, given());
    expect(checked.quote).toMatchObject({ effect: "topUp", quantity: 2, price: 2.8 });
    expect(checked.quote?.owned).toMatchObject({ quantity: 3, price: 4.2 });
    expect(await orders.diff(found.state, checked, new Set())).toEqual({ kind: "update" });
    expect(service.calls.createOrder).toBe(1);
  });
});

test("228: a held proxy that the service has moved to the former address of a released one stays held", async () => {
  const { inputs, state, service, orders } = await laterRun();
  const { checked: fewer } = await orders.check(ownerOf("fleet"), inputs, given({ quantity: 4 }));
  const less = await orders.update(state, fewer);
  const [held, released] = [less.proxies[0], less.released[0]];
  const place = { ipAddressIp: released?.ipAddressIp, httpsPort: released?.httpsPort };
  service.records = service.records.map((row) => {
    if (row.ipAddressId === held?.ipAddressId) return { ...row, ...place } as ProxyRecord;
    const isReleased = row.ipAddressId === released?.ipAddressId;
    return isReleased ? { ...row, ipAddressIp: "198.51.100.9" } : row;
  });
  const found = await beginRun({ service }).orders.read(less);
  if (found.kind !== "present") throw new Error("it is there");
  const ids = (proxies: readonly { ipAddressId: string }[]) =>
    proxies.map(({ ipAddressId }) => ipAddressId).toSorted();
  expect(ids(found.state.proxies)).toEqual(ids(less.proxies));
  expect(ids(found.state.released)).toEqual(ids(less.released));
});
