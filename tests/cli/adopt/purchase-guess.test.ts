import { describe, expect, test } from "vitest";
import { guessPurchase } from "../../../cli/adopt/purchase-guess.ts";

const usual = [180, 30, 60, 90, 360];

describe("the period is the nearest one on offer", () => {
  test.each([
    [30, usual, 30],
    [29.5, usual, 30],
    [44, usual, 30],
    // If two periods are equally near, the guess is the shorter one, because it costs less.
    [45, usual, 30],
    [46, usual, 60],
    [730, usual, 360],
    [undefined, usual, 30],
    [0, usual, 30],
    [30, [90, 180, 360], 90],
    [30, [0, -30, 30.5, Number.NaN, 60], 60],
    [44.6, [], 45],
    [0.2, [], 1],
    [undefined, [], 1],
  ])("paid for %j days, of %j: %d", (paidDays, rentPeriodDays, expected) => {
    const order = { proxyType: "IPv4", country: "USA", paidDays } as const;
    expect(guessPurchase(order, { rentPeriodDays, operators: {} })).toEqual({
      rentPeriodDays: expected,
      operator: undefined,
    });
  });
});

describe("the operator is the first of the country", () => {
  const telekom = { mobileOperator: "telekom", rotationTimes: [120, 300] };
  const vodafone = { mobileOperator: "vodafone", rotationTimes: [300] };
  const operators = {
    DEU: [telekom, vodafone],
    USA: [{ mobileOperator: "", rotationTimes: [1] }, vodafone],
    GBR: [{ mobileOperator: "ee", rotationTimes: [-1, 1.5, 0] }],
    POL: [{ mobileOperator: "play", rotationTimes: [] }],
    UKR: [],
  };

  test.each([
    ["DEU", { mobileOperator: "telekom", rotationTime: 120, others: ["vodafone"] }],
    ["USA", { mobileOperator: "vodafone", rotationTime: 300, others: [] }],
    ["GBR", { mobileOperator: "ee", rotationTime: 0, others: [] }],
    ["POL", { mobileOperator: "play", rotationTime: 0, others: [] }],
    ["UKR", undefined],
    ["FRA", undefined],
    ["constructor", undefined],
  ])("%s", (country, expected) => {
    const order = { proxyType: "MOBILE", country, paidDays: 30 } as const;
    const { operator } = guessPurchase(order, { rentPeriodDays: [30], operators });
    expect(operator).toEqual(expected);
  });

  test("no other type has an operator", () => {
    const order = { proxyType: "ISP", country: "DEU", paidDays: 30 } as const;
    const { operator } = guessPurchase(order, { rentPeriodDays: [30], operators });
    expect(operator).toBeUndefined();
  });
});
