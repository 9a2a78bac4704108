import { expect, test } from "vitest";
import { describeNote, findInJournal, findOrphans } from "../../../cli/orphans/orphan.ts";
import type { ProxyRecord } from "../../../provider/client/index.ts";
import { orderIntent } from "../../core/records/intents.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function proxy(orderId: string, dateEnd?: string): ProxyRecord {
  return {
    ipAddressId: `${orderId}-${dateEnd}`,
    ipAddressIp: "192.0.2.1",
    orderId,
    country: "USA",
    dateEnd,
    extendInfo: { autoExtend: false, extendDays: 0 },
    credential: undefined,
  };
}

test.each([
  ["has ended", ["2026-02-28T12:00:00Z", "2026-03-01T12:00:00Z"], []],
  ["ends later", ["2026-03-01T12:00:01Z"], ["7000"]],
  ["has ended in part", ["2026-02-28T12:00:00Z", "2026-03-02T12:00:00Z"], ["7000"]],
  ["has an unknown end", ["2026-02-28T12:00:00Z", undefined], ["7000"]],
])("an order that %s", (_, ends, expected) => {
  const records = ends.map((end) => proxy("7000", end));
  const orphans = findOrphans("IPv4", records, () => false, NOW);
  expect(orphans.map(({ orderId }) => orderId)).toEqual(expected);
});

test.each([
  [undefined, /^bought for fleet \(/],
  [["staging", "test"], /^bought for fleet \(staging, test\) \(/],
])("an order of a stack with the scopes %s", (scopes, expected) => {
  const bought = orderIntent({ phase: "confirmed", orderNumber: "7000", scopes });
  const note = findInJournal({ orderId: "7000", proxyType: "IPv4" }, [bought]);
  expect(note && describeNote(note)).toMatch(expected);
  expect(findInJournal({ orderId: "7000", proxyType: "ISP" }, [bought])).toBeUndefined();
});
