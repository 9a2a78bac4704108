import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProxyRecord } from "../../../../provider/client/index.ts";
import type { OrderState } from "../../../../provider/core/order/model/state.ts";
import { classifyProxies } from "../../../../provider/core/order/read/classify-proxies.ts";
import { compareWithListing } from "../../../../provider/core/order/read/compare-with-listing.ts";
import { AFTER_END, DATE_END, record, WHILE_PAID } from "../../support/fake-service.ts";
import { orderState } from "../../support/recorded-order.ts";

const LATER = "2026-05-30T00:00:00.000+00:00";

/** Proxies with only a few different orders, ids and addresses, so that some of them are equal. */
const proxyArbitrary: fc.Arbitrary<ProxyRecord> = fc
  .record({
    orderId: fc.constantFrom("7000", "7001", "8000"),
    number: fc.integer({ min: 1, max: 6 }),
    address: fc.integer({ min: 1, max: 6 }),
    dateEnd: fc.constantFrom(undefined, DATE_END, LATER),
    autoExtend: fc.boolean(),
  })
  .map(({ orderId, number, address, dateEnd, autoExtend }) => ({
    ...record(orderId, number, { dateEnd, extendInfo: { autoExtend, extendDays: 30 } }),
    ipAddressIp: record(orderId, address).ipAddressIp,
  }));

const listingArbitrary = fc.uniqueArray(proxyArbitrary, {
  maxLength: 8,
  selector: ({ ipAddressId }) => ipAddressId,
});

const stateArbitrary: fc.Arbitrary<OrderState> = fc
  .record({
    recorded: listingArbitrary,
    heldCount: fc.integer({ min: 0, max: 8 }),
    bought: fc.integer({ min: 0, max: 8 }),
    status: fc.constantFrom("active" as const, "pendingDelivery" as const),
    orderIds: fc.subarray(["7000", "7001"], { minLength: 1 }),
  })
  .map(({ recorded, heldCount, bought, status, orderIds }) => ({
    ...orderState({ status, orderIds }, recorded.slice(0, heldCount)),
    released: recorded.slice(heldCount),
    holdings: { held: bought, released: [] },
  }));

const seenArbitrary = fc.record({
  state: stateArbitrary,
  records: listingArbitrary,
  asOf: fc.constantFrom(undefined, WHILE_PAID, AFTER_END),
  gone: fc.subarray(["7000", "7001", record("7000", 1).ipAddressId]).map((names) => new Set(names)),
});

const idsOf = (proxies: readonly { ipAddressId: string }[]) =>
  proxies.map(({ ipAddressId }) => ipAddressId).toSorted();

test("each listed proxy of the resource's orders has exactly one class, and no other has any", () => {
  fc.assert(
    fc.property(seenArbitrary, ({ state, records, asOf, gone }) => {
      const { listed } = classifyProxies(state, { records, asOf }, gone);
      const own = records.filter(({ orderId }) => state.orderIds.includes(orderId));
      expect(idsOf(listed.map(({ proxy }) => proxy))).toEqual(idsOf(own));
    }),
  );
});

test("each recorded proxy has exactly one class, held or released", () => {
  fc.assert(
    fc.property(seenArbitrary, ({ state, records, asOf, gone }) => {
      const found = classifyProxies(state, { records, asOf }, gone);
      expect(found.recordedHeld.map(({ proxy }) => proxy)).toEqual(state.proxies);
      expect(found.recordedReleased.map(({ proxy }) => proxy)).toEqual(state.released);
    }),
  );
});

test("no proxy is counted twice", () => {
  fc.assert(
    fc.property(seenArbitrary, ({ state, records, asOf, gone }) => {
      const found = compareWithListing(state, { records, asOf }, gone);
      const rows = [found.held, found.released, found.renewing, found.undead].flat();
      expect(new Set(rows).size).toBe(rows.length);
      const recorded = [...found.unlisted, ...found.cutShort];
      expect(new Set(recorded).size).toBe(recorded.length);
    }),
  );
});

test("228: a proxy that is not listed is not found at an address to which another recorded one has moved", () => {
  const [gone, moved] = [record("7000", 1), record("7000", 2)];
  const state = {
    ...orderState({ orderIds: ["7000"], holdings: { held: 1, released: [] } }, [moved]),
    released: [gone],
  };
  const records = [{ ...moved, ipAddressIp: gone.ipAddressIp, httpsPort: gone.httpsPort ?? "" }];
  const found = compareWithListing(state, { records, asOf: WHILE_PAID }, new Set());
  expect(idsOf(found.held)).toEqual([moved.ipAddressId]);
  expect(idsOf(found.unlisted)).toEqual([gone.ipAddressId]);
});
