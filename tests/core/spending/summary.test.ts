import { describe, expect, test } from "vitest";
import type { ShownPlan } from "../../../provider/core/records/run-fact.ts";
import { describePlans, type PlanContext } from "../../../provider/core/spending/summary.ts";
import { ownerOf } from "../support/orders-under-test.ts";

const told = { currency: "USD", balance: 100 };
const priced = (price: number): ShownPlan => ({ ...told, lines: ["buys"], spend: { price } });
const capped = (atMost: number): ShownPlan => ({ ...told, lines: ["may buy"], spend: { atMost } });
const open: ShownPlan = { ...told, lines: ["may buy"], spend: {} };
const free: ShownPlan = { lines: ["nothing is bought"] };
const unchanged: ShownPlan = { lines: [] };

function lastWords(
  plans: readonly ShownPlan[],
  { budget, showBalance = true, isJournalAtRisk = false }: Partial<PlanContext> = {},
): string | undefined {
  const named = new Map(plans.map((plan, index) => [ownerOf(`r${index}`), plan]));
  return describePlans(named, { budget, showBalance, isJournalAtRisk });
}

function lastLines(...plans: ShownPlan[]): string[] | undefined {
  const words = lastWords(plans);
  return words?.split("\n").filter((line) => !line.startsWith("  "));
}

const heading = "The plan, resource by resource:";

describe("the end of a preview", () => {
  test.each([
    [
      "one price",
      [priced(7)],
      ["In all: 1 purchase for 7.00 USD.", "Balance: 100.00 USD now, 93.00 USD after."],
    ],
    [
      "several, added exactly",
      [priced(0.1), priced(0.2)],
      ["In all: 2 purchases for 0.30 USD.", "Balance: 100.00 USD now, 99.70 USD after."],
    ],
    [
      "a cap",
      [capped(60)],
      [
        "In all: 1 purchase at a price that is not known yet, at most 60.00 USD.",
        "Balance: 100.00 USD now, at least 40.00 USD after.",
      ],
    ],
    [
      "a price and a cap",
      [priced(7), capped(60)],
      [
        "In all: 1 purchase for 7.00 USD, and 1 purchase at a price that is not known yet, at most 60.00 USD: at most 67.00 USD together.",
        "Balance: 100.00 USD now, at least 33.00 USD after.",
      ],
    ],
    [
      "a price and none",
      [priced(7), open],
      [
        "In all: 1 purchase for 7.00 USD, and 1 purchase at a price that is not known yet and has no cap. Set maxPrice to cap it.",
        "Balance: 100.00 USD now, at most 93.00 USD after.",
      ],
    ],
    [
      "a price, a cap and none",
      [priced(7), capped(60), open],
      [
        "In all: 1 purchase for 7.00 USD, and 1 purchase at a price that is not known yet, at most 60.00 USD, and 1 purchase at a price that is not known yet and has no cap. Set maxPrice to cap it.",
        "Balance: 100.00 USD now, at most 93.00 USD after.",
      ],
    ],
    ["nothing that costs", [free], ["Nothing is bought."]],
  ])("with %s", (_what, plans, lines) => {
    expect(lastLines(...plans)).toEqual([heading, ...lines]);
  });

  const budget = {
    monthly: 100,
    spent: 20,
    month: "2026-03",
    currencies: ["USD"],
    inDoubt: [],
    isShared: true,
  };
  test.each([
    ["a price", [priced(7)], "7.00 USD is planned by this run and 73.00 USD is left."],
    [
      "a cap",
      [priced(7), capped(60)],
      "at most 67.00 USD is planned by this run and at least 13.00 USD is left.",
    ],
    [
      "a cap above the rest",
      [capped(90)],
      "at most 90.00 USD is planned by this run and at least 0.00 USD is left.",
    ],
    [
      "neither",
      [priced(7), capped(60), open],
      "at least 7.00 USD is planned by this run and at most 73.00 USD is left.",
    ],
  ])("says of a monthly budget no more than is sure with %s", (_what, plans, own) => {
    expect(lastWords(plans, { budget })?.split("\n").at(-1)).toBe(
      `Of the monthly budget of 100.00 USD, 20.00 USD is spent in 2026-03, ${own}`,
    );
  });

  test("tells neither the balance nor what is spent of a budget if the settings say so", () => {
    const silent = lastWords([priced(7), capped(60)], { budget, showBalance: false });
    expect(silent?.split("\n").slice(3)).toEqual([
      "In all: 1 purchase for 7.00 USD, and 1 purchase at a price that is not known yet, at most 60.00 USD: at most 67.00 USD together.",
      "Of the monthly budget of 100.00 USD, at most 67.00 USD is planned by this run (what is spent of it is not told: proxyrental:showBalance is false).",
    ]);
  });

  test("is not there if nothing happens, or if something is refused", () => {
    expect(lastLines(unchanged)).toBeUndefined();
    expect(lastLines(priced(7), { lines: [], isRefused: true })).toBeUndefined();
  });

  test("counts what renews by itself, also what does not change", () => {
    const renewing = (amount?: number): ShownPlan => ({
      ...unchanged,
      renewing: { proxyType: "IPv4", amount },
    });
    const buying: ShownPlan = { ...priced(7), keeping: { proxyType: "IPv4", amount: 7 } };
    const line = (...plans: ShownPlan[]) =>
      lastLines(...plans)?.find((one) => one.startsWith("Renews"));
    const words = (amount: string) =>
      `Renews by itself, per 30 days: ${amount}; never part of the sum above.`;
    expect(line(priced(7))).toBeUndefined();
    expect(line(priced(7), renewing(1.005), renewing(2))).toBe(words("3.01 USD"));
    // Its proxies are those of the order that the plan buys.
    expect(line(buying, renewing())).toBe(words("up to 7.00 USD"));
    expect(line(buying, renewing(), renewing(2))).toBe(words("up to 9.00 USD"));
    expect(line(priced(7), renewing())).toBe(words("not known yet"));
    expect(line(priced(7), renewing(), renewing(2))).toBe(
      words("2.00 USD and what is not known yet"),
    );
  });

  test("says in CI that the machine alone knows of the purchases, and only where there are some", () => {
    const atRisk = { isJournalAtRisk: true };
    expect(
      lastWords([priced(7)], atRisk)
        ?.split("\n")
        .at(-1),
    ).toContain("proxyrental:journal");
    expect(lastWords([priced(7)])).not.toContain("proxyrental:journal");
    expect(lastWords([free], atRisk)).not.toContain("proxyrental:journal");
  });
});
