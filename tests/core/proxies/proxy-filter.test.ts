import { describe, expect, test } from "vitest";
import { serviceTime } from "../../../provider/core/account/listing.ts";
import { selectProxies } from "../../../provider/core/proxies/proxy-filter.ts";
import { DATE_END, record } from "../support/fake-service.ts";
import { beginRun } from "../support/orders-under-test.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A moment so many days before the end of all listed proxies. */
const daysBefore = (days: number) => new Date(Date.parse(DATE_END) - days * DAY_MS);

const listed = [
  record("7000", 1),
  record("7001", 2, { country: "DEU" }),
  record("7002", 3, { dateEnd: undefined }),
];

describe("proxies are found", () => {
  test.each([
    ["all, without a filter", {}, 3, ["ip-1", "ip-2", "ip-3"]],
    ["by order", { orderNumber: "7001" }, 3, ["ip-2"]],
    ["by country", { country: "DEU" }, 3, ["ip-2"]],
    ["by both", { country: "DEU", orderNumber: "7000" }, 3, []],
    ["below the days left", { daysLeftBelow: 3.5 }, 3, ["ip-1", "ip-2"]],
    ["not at exactly that number of days", { daysLeftBelow: 3 }, 3, []],
    ["from exactly that number of days", { daysLeftAtLeast: 3 }, 3, ["ip-1", "ip-2"]],
    ["not above the days left", { daysLeftAtLeast: 3.5 }, 3, []],
    ["between two numbers of days", { daysLeftAtLeast: 2, daysLeftBelow: 4 }, 3, ["ip-1", "ip-2"]],
    ["after their end", { daysLeftBelow: 0 }, -1, ["ip-1", "ip-2"]],
  ])("%s", (_what, filter, daysLeft, ids) => {
    const found = selectProxies(listed, filter, daysBefore(daysLeft));
    expect(found.map((proxy) => proxy.ipAddressId)).toEqual(ids);
  });

  test("by the service's clock, not by this machine's", async () => {
    const { service, account } = beginRun();
    service.records = listed;
    service.now = daysBefore(1);
    const snapshot = await account.listing.complete("IPv4");
    const now = serviceTime(snapshot, account.clock);
    expect(selectProxies(snapshot.records, { daysLeftBelow: 1.01 }, now)).toHaveLength(2);
    expect(selectProxies(snapshot.records, { daysLeftBelow: 0.99 }, now)).toEqual([]);
  });
});
