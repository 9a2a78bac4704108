import { describe, expect, test } from "vitest";
import type { Asked } from "../../../cli/check/asked.ts";
import { type AskedProxy, findPercentile, judge, tallyBy } from "../../../cli/check/result.ts";

const proxy: AskedProxy = {
  ipAddressId: "1000001",
  proxy: "203.0.113.7:10000",
  orderId: "4683731",
  proxyType: "IPv4",
  country: "USA",
  protocol: "http",
};

const answer = (told?: string, status = 200): Asked => ({ kind: "answered", status, ms: 12, told });

describe("a proxy", () => {
  test.each([
    ["comes out where it is listed", proxy, answer("203.0.113.7"), "works"],
    ["comes out elsewhere", proxy, answer("203.0.113.8"), "wrongExit"],
    [
      "is mobile and comes out elsewhere",
      { ...proxy, proxyType: "MOBILE" },
      answer("1.2.3.4"),
      "works",
    ],
    ["brings an answer that tells no address", proxy, answer(), "works"],
    ["brings an answer that is an error of the URL", proxy, answer("203.0.113.7", 500), "works"],
    ["brings such an answer from elsewhere", proxy, answer("203.0.113.8", 404), "wrongExit"],
    ["is slow", proxy, { kind: "failed", failure: "slow", why: "late", ms: 9 }, "slow"],
  ] as const)("%s", (_what, asked, outcome, verdict) => {
    const result = judge(asked, "203.0.113.7", outcome);
    expect(result.verdict).toBe(verdict);
    expect("why" in result).toBe(verdict !== "works");
  });
});

test.each([
  [[], 50, undefined],
  [[7], 50, 7],
  [[7], 95, 7],
  [[1, 2], 50, 1],
  [[1, 2, 3], 50, 2],
  [[1, 2, 3, 4], 95, 4],
  [Array.from({ length: 100 }, (_, index) => index + 1), 95, 95],
])("of %j the percentile %i is %s", (sorted, percent, found) => {
  expect(findPercentile(sorted, percent)).toBe(found);
});

test("times are added up by any key, sorted, and only those of answers", () => {
  const at = (country: string, outcome: Asked) =>
    judge({ ...proxy, country }, "203.0.113.7", outcome);
  const ms = (time: number): Asked => ({
    kind: "answered",
    status: 200,
    ms: time,
    told: undefined,
  });
  const slow: Asked = { kind: "failed", failure: "slow", why: "late", ms: 10_000 };
  const results = [
    ...[30, 10, 20].map((time) => at("USA", ms(time))),
    at("USA", slow),
    at("DEU", { ...answer("203.0.113.9"), ms: 5 }),
    at("POL", slow),
  ];
  expect([...tallyBy(results, ({ country }) => country)]).toEqual([
    ["DEU", { asked: 1, working: 0, p50Ms: 5, p95Ms: 5 }],
    ["POL", { asked: 1, working: 0 }],
    ["USA", { asked: 4, working: 3, p50Ms: 20, p95Ms: 30 }],
  ]);
});
