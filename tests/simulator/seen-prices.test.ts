import { expect, test } from "vitest";
import { priceAsSeen } from "../../simulator/account/seen-prices.ts";

const reference = {
  proxyType: "IPv4",
  country: "USA",
  rentPeriodDays: 30,
  quantity: 10,
  price: 14,
} as const;
const seen = [
  reference,
  { ...reference, country: "JPN", price: 28 },
  { ...reference, rentPeriodDays: 60, price: 27 },
  { ...reference, quantity: 100, price: 126 },
  { ...reference, quantity: 2, price: 3 },
];

test.each([
  ["what was seen", { quantity: 100 }, "126"],
  ["a country", { country: "JPN", quantity: 20 }, "56"],
  ["a country that was not seen costs as the reference", { country: "FRA" }, "14"],
  ["a period", { rentPeriodDays: 60, quantity: 20 }, "54"],
  ["a period that was not seen costs by its days", { rentPeriodDays: 90 }, "42"],
  ["country and period together", { country: "JPN", rentPeriodDays: 60 }, "54"],
  ["a quantity above all that were seen", { quantity: 200 }, "252"],
  ["a quantity between two", { quantity: 5 }, "7.5"],
  ["a quantity below all that were seen", { quantity: 1 }, "1.5"],
  ["a type that was not seen", { proxyType: "ISP" }, undefined],
] as const)("prices as seen: %s", (_, change, price) => {
  expect(priceAsSeen(seen, { ...reference, ...change })?.toFixed()).toBe(price);
});
