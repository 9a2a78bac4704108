import { describe, expect, test } from "vitest";
import { findAdoptable, type Wanted } from "../../../cli/adopt/adoptable.ts";
import type { ProxyRecord } from "../../../provider/client/index.ts";
import type { TypeListing } from "../../../provider/core/account/type-listing.ts";

const now = new Date("2026-03-01T12:00:00Z");
const LATER = "2026-03-31T12:00:00.000+00:00";

let made = 0;

function proxy(orderId: string, more: Partial<ProxyRecord> = {}): ProxyRecord {
  made += 1;
  return {
    ipAddressId: `ip-${made}`,
    ipAddressIp: "192.0.2.1",
    orderId,
    country: "USA",
    dateStart: "2026-02-01T12:00:00.000+00:00",
    dateEnd: LATER,
    extendInfo: { autoExtend: false, extendDays: 0 },
    credential: { login: "a", password: "b" },
    ...more,
  };
}

function listingOf(...records: ProxyRecord[]): TypeListing {
  return { proxyType: "IPv4", records, now };
}

function wanting(more: Partial<Record<"countries" | "orderIds" | "known", string[]>> = {}): Wanted {
  const { countries = [], orderIds = [], known = [] } = more;
  return {
    countries: new Set(countries),
    orderIds: new Set(orderIds),
    isAccounted: ({ orderId }) => known.includes(orderId),
  };
}

function only(...records: ProxyRecord[]) {
  const { orders } = findAdoptable([listingOf(...records)], wanting());
  expect(orders).toHaveLength(1);
  return orders[0];
}

describe("the summary of an order", () => {
  test("counts only living proxies, with their flags and ends", () => {
    const gone = { dateEnd: "2026-03-01T12:00:00Z", credential: undefined };
    const order = only(
      proxy("7000", { ...gone, extendInfo: { autoExtend: true, extendDays: 30 } }),
      proxy("7000"),
      proxy("7000", { dateEnd: "2026-03-11T12:00:00Z" }),
    );
    expect(order).toEqual({
      orderId: "7000",
      proxyType: "IPv4",
      country: "USA",
      quantity: 2,
      since: new Date("2026-02-01T12:00:00Z"),
      ends: [new Date("2026-03-11T12:00:00Z"), new Date(LATER)],
      paidDays: 38,
      showsLogin: true,
      renewals: [],
    });
  });

  test.each([
    ["no end", { dateEnd: undefined }, { ends: [], paidDays: undefined }],
    ["no beginning", { dateStart: undefined }, { since: undefined, paidDays: undefined }],
    ["an invalid end", { dateEnd: "soon" }, { quantity: 0 }],
  ])("%s", (_, more, expected) => {
    const { orders } = findAdoptable([listingOf(proxy("7000", more))], wanting());
    if ("quantity" in expected) expect(orders).toEqual([]);
    else expect(orders).toMatchObject([{ quantity: 1, ...expected }]);
  });

  test("says that a proxy has no login", () => {
    const order = only(proxy("7000"), proxy("7000", { credential: undefined }), proxy("7000"));
    expect(order?.showsLogin).toBe(false);
  });

  test("says which proxies renew, and by how many days", () => {
    const renewing = (extendDays: number) => ({ extendInfo: { autoExtend: true, extendDays } });
    const [a, b, c, d] = [renewing(60), renewing(0), renewing(60), {}].map((more) =>
      proxy("7000", more),
    );
    if (!a || !b || !c || !d) throw new Error("there are four");
    expect(only(a, b, c, d)?.renewals).toEqual([
      { everyDays: 0, ipAddressIds: [b.ipAddressId] },
      { everyDays: 60, ipAddressIds: [a.ipAddressId, c.ipAddressId] },
    ]);
  });
});

const account = [
  listingOf(
    proxy("7000"),
    proxy("7001", { country: "DEU" }),
    proxy("7002", { dateEnd: "2026-02-28T12:00:00Z" }),
  ),
  { ...listingOf(proxy("7003")), proxyType: "ISP" as const },
];

test.each([
  [{}, ["7000", "7001", "7003"]],
  [{ countries: ["DEU", "FRA"] }, ["7001"]],
  [{ known: ["7000", "N-1"] }, ["7001", "7003"]],
  [{ orderIds: ["7003"] }, ["7003"]],
  [{ countries: ["FRA"] }, []],
])("%j finds %j", (wanted, expected) => {
  const { orders, unavailable } = findAdoptable(account, wanting(wanted));
  expect(orders.map(({ orderId }) => orderId)).toEqual(expected);
  expect(unavailable).toEqual([]);
});

test.each([
  [{ orderIds: ["7000", "7002"] }, "7002", "has ended"],
  [{ orderIds: ["9"] }, "9", "is not among the account's IPv4, ISP proxies"],
  [{ orderIds: ["7001"], countries: ["USA"] }, "7001", "is in none of the given countries"],
  [
    { orderIds: ["7001"], known: ["7001"] },
    "7001",
    "is in a given state, or declared somebody else's",
  ],
])("with %j it says why order %s can't be adopted", (wanted, orderId, why) => {
  expect(findAdoptable(account, wanting(wanted)).unavailable).toEqual([{ orderId, why }]);
});
