import { describe, expect, test } from "vitest";
import type { Calculation, ProxyType } from "../../../../provider/client/index.ts";
import { throughMs } from "../../../../provider/core/extension/model/args.ts";
import { type DatedProxy, planRounds } from "../../../../provider/core/extension/model/rounds.ts";
import { sumCalculations } from "../../../../provider/core/extension/plan/pricing.ts";
import { record } from "../../support/fake-service.ts";

function ending(number: number, dateEnd: string, orderId = "7000"): DatedProxy {
  return { ...record(orderId, number), dateEnd };
}

/** The number of proxies that each round extends. */
function roundsOf(
  paidThrough: string,
  ends: string[],
  proxyType: ProxyType = "IPv4",
  orders: string[] = [],
): string[] {
  const proxies = ends.map((end, index) => ending(index + 1, end, orders[index]));
  const rounds = planRounds({ proxyType, rentPeriodDays: 30, paidThrough }, proxies);
  return rounds.map((round) => round.map((proxy) => proxy.ipAddressId.slice(3)).join());
}

const day = (date: string) => `${date}T00:00:00.000+00:00`;

describe("rounds", () => {
  const table: [string, string, string[], string[]][] = [
    ["nothing falls short", "2026-03-30", [day("2026-03-31")], []],
    ["it ends at that moment", "2026-03-31T00:00:00Z", [day("2026-03-31")], []],
    ["it ends a second before", "2026-03-31T00:00:01Z", [day("2026-03-31")], ["1"]],
    ["it ends in the last second of the day", "2026-03-31", ["2026-03-31T23:59:59.000Z"], []],
    ["it ends before the last second", "2026-03-31", ["2026-03-31T23:59:58.999Z"], ["1"]],
    ["exactly one period is missing", "2026-04-30T00:00:00Z", [day("2026-03-31")], ["1"]],
    [
      "one period and a second are missing",
      "2026-04-30T00:00:01Z",
      [day("2026-03-31")],
      ["1", "1"],
    ],
    [
      "only some fall short",
      "2026-04-10",
      [day("2026-03-31"), day("2026-05-01"), day("2026-04-01")],
      ["1,3"],
    ],
    [
      "some fall short by more than others",
      "2026-05-15",
      [day("2026-03-31"), day("2026-05-01"), day("2026-06-01")],
      ["1,2", "1"],
    ],
    ["the moment is in another zone", "2026-03-31T02:00:00+02:00", [day("2026-03-31")], []],
    ["the moment is long past", "2020-01-01", [day("2026-03-31")], []],
  ];

  test.each(table)("%s", (_what, paidThrough, ends, expected) => {
    expect(roundsOf(paidThrough, ends)).toEqual(expected);
  });

  test("of IPv6 extend whole orders, even if the other proxies are paid for longer", () => {
    const ends = [day("2026-03-31"), day("2026-06-30"), day("2026-06-30")];
    const orders = ["7000", "7000", "7001"];
    expect(roundsOf("2026-05-15", ends, "IPv6", orders)).toEqual(["1,2", "1,2"]);
    expect(roundsOf("2026-05-15", ends, "IPv4", orders)).toEqual(["1", "1"]);
  });
});

test("a plain date means the end of that day in UTC, whatever this machine's time zone", () => {
  expect(throughMs("2026-12-31")).toBe(Date.UTC(2026, 11, 31, 23, 59, 59));
  expect(throughMs("2026-12-31T12:00:00+01:00")).toBe(Date.UTC(2026, 11, 31, 11));
});

describe("the sum of the rounds' prices", () => {
  const one: Calculation = {
    ...{ price: 0.1, currency: "USD", discount: 10, promoCodeStatus: "VALID" },
    ...{ balance: 50, warnings: [] },
  };

  test("is exact", () => {
    const sum = sumCalculations([one, { ...one, price: 0.2 }]);
    expect(sum).toMatchObject({ price: 0.3, currency: "USD", discount: 10, balance: 50 });
  });

  test("has the smallest discount and every warning", () => {
    const warning = { code: 16, message: "funds" };
    const sum = sumCalculations([one, { ...one, discount: 0, warnings: [warning] }]);
    expect(sum).toMatchObject({ discount: 0, warnings: [warning] });
  });

  test.each([
    ["has no price", { ...one, price: null }],
    ["has a price that is no number", { ...one, price: Number.NaN }],
    ["is in another currency", { ...one, currency: "EUR" }],
  ])("is no price if one of them %s", (_what, other) => {
    expect(sumCalculations([one, other]).price).toBeNull();
    expect(sumCalculations([other, one]).price).toBeNull();
  });
});
