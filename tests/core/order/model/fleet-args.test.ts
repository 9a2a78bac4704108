import { describe, expect, test } from "vitest";
import { findFleetFailures } from "../../../../provider/core/order/model/fleet-args.ts";

const later = { later: true };

function failuresOf(args: Record<string, unknown>): string[] {
  const accepted = ["countries", "goal", "autoExtend"];
  const failures = findFleetFailures({ args, accepted, isLater: (value) => value === later });
  return failures.map(({ property, reason }) => `${property} ${reason}`);
}

describe("arguments of a fleet", () => {
  test.each([
    ["one country", { countries: { USA: 1 } }],
    ["several countries, with unknown quantities", { countries: { USA: 50, DEU: later } }],
    ["no automatic extension", { countries: { USA: 1 }, autoExtend: false }],
    ["automatic extension", { countries: { USA: 1 }, autoExtend: true }],
    ["automatic extension by days", { countries: { USA: 1 }, autoExtend: { rentPeriodDays: 60 } }],
    [
      "automatic extension by unknown days",
      { countries: { USA: 1 }, autoExtend: { rentPeriodDays: later } },
    ],
    ["wrong values that only the orders check", { countries: { USA: 1 }, goal: 7 }],
  ])("are accepted: %s", (_what, args) => {
    expect(failuresOf(args)).toEqual([]);
  });

  test.each([
    ["no countries", {}, /^countries is required: a number of proxies for each country/],
    ["countries without a country", { countries: {} }, /^countries must name a country/],
    ["a list", { countries: ["USA"] }, /^countries must be .*, not \["USA"\]/],
    ["a text", { countries: "USA" }, /^countries must be .*, not "USA"/],
    ["all unknown", { countries: later }, /^countries must be known when the program runs/],
    ["small letters", { countries: { usa: 5 } }, /^countries\.usa must be an ISO 3166-1 alpha-3/],
    ["two letters", { countries: { US: 5 } }, /^countries\.US must be an ISO/],
    ["zero", { countries: { USA: 0 } }, /^countries\.USA must be a whole .*, not 0; to have none/],
    ["a negative quantity", { countries: { USA: -1 } }, /not -1/],
    ["half a proxy", { countries: { USA: 1.5 } }, /not 1\.5/],
    ["a number as text", { countries: { USA: "5" } }, /not "5"/],
    ["no quantity", { countries: { USA: undefined } }, /^countries\.USA must be/],
    [
      "an argument that does not exist",
      { countries: { USA: 1 }, country: "USA" },
      /^country is not an argument; accepted: c/,
    ],
    [
      "an unknown extension",
      { countries: { USA: 1 }, autoExtend: later },
      /^autoExtend must be known/,
    ],
    [
      "an extension in words",
      { countries: { USA: 1 }, autoExtend: "yes" },
      /^autoExtend .+not "yes"/,
    ],
    [
      "an extension by 0 days",
      { countries: { USA: 1 }, autoExtend: {} },
      /^autoExtend must be true/,
    ],
    [
      "an extension with a property that does not exist",
      { countries: { USA: 1 }, autoExtend: { rentPeriodDays: 30, days: 1 } },
      /^autoExtend must be true, false or/,
    ],
  ])("are refused: %s", (_what, args, reason) => {
    expect(failuresOf(args)).toEqual([expect.stringMatching(reason)]);
  });

  test("are all checked, and every failure is reported", () => {
    const wrong = { countries: { usa: 1, DEU: 0 }, autoExtend: 1, quantity: 5 };
    expect(failuresOf(wrong).map((line) => line.split(" ")[0])).toEqual([
      "quantity",
      "countries.usa",
      "countries.DEU",
      "autoExtend",
    ]);
  });
});
