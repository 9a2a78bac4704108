import { describe, expect, test } from "vitest";
import { findExcesses, type Limits } from "../../../cli/cost/guardrails.ts";
import { readPreviews } from "../../../cli/cost/previews.ts";
import { createReport } from "../../../cli/cost/report.ts";
import { runCli } from "../command.ts";
import {
  bought,
  orderInputs,
  type PreviewOptions,
  type StepText,
  step,
  writePreview,
} from "./preview-document.ts";

const paid = orderInputs(bought());
const ownedFor = (price: number) => ({ price, quantity: 5, rentPeriodDays: 30, currency: "USD" });
const held = (price: number, name = "held") =>
  step(orderInputs({ effect: "none", owned: ownedFor(price) }), {
    name,
    op: "same",
    old: orderInputs({ effect: "none", owned: ownedFor(price) }),
  });
const buy = (price: number, quote: object = {}) =>
  step(orderInputs(bought({ price, ...quote })), { name: "new" });
const adopted = orderInputs(
  { effect: "none" },
  { holdings: { held: 5, released: [], adopted: 5 } },
);
const adoptedBefore = step(adopted, { name: "old", op: "same", old: adopted });
const open = step(orderInputs({ effect: "unknown" }), { name: "open" });
const grownOpen = step(orderInputs({ effect: "unknown", owned: ownedFor(10) }), {
  ...{ name: "grown", op: "update", old: orderInputs({ effect: "none", owned: ownedFor(10) }) },
});

async function excessesOf(
  limits: Limits,
  steps: readonly StepText[],
  more: PreviewOptions = {},
  base?: readonly StepText[],
  baseMore: PreviewOptions = {},
): Promise<string[]> {
  const file = await writePreview(steps, more);
  const bases = base === undefined ? [] : [await writePreview(base, { stack: "dev", ...baseMore })];
  return findExcesses(createReport(await readPreviews([file], bases)), limits);
}

describe("--fail-above-monthly", () => {
  const title = (limit: number) => `Above --fail-above-monthly ${limit}:`;
  const rows: [
    what: string,
    limit: number,
    steps: StepText[],
    more: PreviewOptions,
    why: string | undefined,
  ][] = [
    ["as much as the limit", 17, [held(10), buy(7)], {}, undefined],
    ["a cent more", 16.99, [held(10), buy(7)], {}, "17.00 USD are held per 30 days afterwards."],
    ["nothing", 0, [], {}, undefined],
    [
      "each currency for itself",
      10,
      [held(10), buy(11, { currency: "EUR" })],
      {},
      "11.00 EUR are held per 30 days afterwards.",
    ],
    [
      "a price that nobody knows",
      1e6,
      [open],
      {},
      "what is held per 30 days is not known, since a price is not told.",
    ],
    [
      "an order of unknown price that does not change",
      1e6,
      [adoptedBefore],
      {},
      "what is held per 30 days is not known, since a price is not told.",
    ],
    [
      "unchanged resources that the preview does not list",
      1e6,
      [held(10)],
      { same: 3 },
      "what is held per 30 days is not known, since unchanged resources are not in the preview: preview with --show-sames.",
    ],
  ];
  test.each(rows)("%s", async (_what, limit, steps, more, why) => {
    expect(await excessesOf({ failAboveMonthly: limit }, steps, more)).toEqual(
      why === undefined ? [] : [`${title(limit)} ${why}`],
    );
  });
});

describe("--fail-above-percent", () => {
  const title = (limit: number) => `Above --fail-above-percent ${limit}: `;
  const grows = "what is held per 30 days grows from";
  const rows: [
    what: string,
    limit: number,
    plan: [steps: StepText[], more?: PreviewOptions],
    base: [steps: StepText[], more?: PreviewOptions] | undefined,
    why: string | undefined,
  ][] = [
    ["as much as the limit", 70, [[held(10), buy(7)]], undefined, undefined],
    [
      "a little more",
      69.99,
      [[held(10), buy(7)]],
      undefined,
      `${grows} 10.00 USD to 17.00 USD, by 70 %.`,
    ],
    [
      "a share that is nearly the limit does not look like it",
      10,
      [[held(1000), buy(100.01)]],
      undefined,
      `${grows} 1000.00 USD to 1100.01 USD, by 10.1 %.`,
    ],
    ["less than before", 0, [[step(undefined, { op: "delete", old: paid })]], undefined, undefined],
    ["nothing, before and after", 0, [[]], undefined, undefined],
    ["from nothing", 1e6, [[buy(7)]], undefined, `${grows} 0.00 USD to 7.00 USD.`],
    [
      "each currency for itself",
      50,
      [[held(100), buy(1, { currency: "EUR" })]],
      undefined,
      `${grows} 0.00 EUR to 1.00 EUR.`,
    ],
    [
      "a changed order whose price nobody knows",
      1e6,
      [[held(10), grownOpen]],
      undefined,
      "how much what is held grows is not known, since a price is not told.",
    ],
    // It costs the same before and after, so it can only make the share smaller.
    [
      "an unchanged order whose price nobody knows",
      70,
      [[held(10), adoptedBefore, buy(7)]],
      undefined,
      undefined,
    ],
    ["what the preview does not list", 70, [[held(10), buy(7)], { same: 9 }], undefined, undefined],
    [
      "what the preview does not list, and what it lists is above",
      50,
      [[held(10), buy(7)], { same: 9 }],
      undefined,
      `${grows} 10.00 USD to 17.00 USD, by 70 %, as far as the preview tells (preview with --show-sames).`,
    ],
    ["the base branch, not before", 0, [[held(10), buy(7)]], [[held(17)]], undefined],
    [
      "above the base branch",
      10,
      [[held(10)]],
      [[held(8)]],
      `${grows} 8.00 USD on the base branch to 10.00 USD, by 25 %.`,
    ],
    [
      "with a base, and not all of the plan is listed",
      1e6,
      [[held(10)], { same: 9 }],
      [[held(10)]],
      "how much what is held grows is not known, since unchanged resources are not in the preview: preview with --show-sames.",
    ],
    [
      "with a base that holds more than is told",
      0,
      [[held(10)]],
      [[held(10)], { same: 9 }],
      undefined,
    ],
    [
      "with a base, and an unchanged order whose price nobody knows",
      1e6,
      [[held(10), adoptedBefore]],
      [[held(10)]],
      "how much what is held grows is not known, since a price is not told.",
    ],
  ];
  test.each(rows)("%s", async (_what, limit, [steps, more], base, why) => {
    expect(
      await excessesOf({ failAbovePercent: limit }, steps, more, base?.[0], base?.[1]),
    ).toEqual(why === undefined ? [] : [`${title(limit)}${why}`]);
  });
});

test("several stacks are held against a limit together", async () => {
  const files = [
    await writePreview([buy(60)], { stack: "eu" }),
    await writePreview([buy(60)], { stack: "us" }),
  ];
  const report = createReport(await readPreviews(files, []));
  expect(findExcesses(report, { failAbove: 120, failAboveMonthly: 120 })).toEqual([]);
  expect(findExcesses(report, { failAbove: 119, failAboveMonthly: 119 })).toEqual([
    "Above --fail-above 119: these 2 runs may spend 120.00 USD.",
    "Above --fail-above-monthly 119: 120.00 USD are held per 30 days afterwards.",
  ]);
});

test("each exceeded limit is one sentence, on standard error and in the comment, and the exit code is 2", async () => {
  const file = await writePreview([held(10), buy(7)]);
  const flags = ["--fail-above", "6", "--fail-above-percent", "10", "--fail-above-monthly", "16"];
  const { exitCode, stdout, stderr } = await runCli(["cost", file, "--markdown", ...flags]);
  expect(exitCode).toBe(2);
  expect(stderr.split("\n")).toEqual([
    "Above --fail-above 6: this run may spend 7.00 USD.",
    "Above --fail-above-percent 10: what is held per 30 days grows from 10.00 USD to 17.00 USD, by 70 %.",
    "Above --fail-above-monthly 16: 17.00 USD are held per 30 days afterwards.",
  ]);
  for (const sentence of stderr.split("\n")) expect(stdout).toContain(`\n**${sentence}**\n`);
});

test.each(["--fail-above", "--fail-above-percent", "--fail-above-monthly"])(
  "%s refuses what is no amount, and does not take a wrong one for none",
  async (flag) => {
    const file = await writePreview([buy(7)]);
    for (const value of ["", "-1", "1e3", "7,50", "ten", "10%", " 5", "NaN", "Infinity"]) {
      const { exitCode, stdout, stderr } = await runCli(["cost", file, `${flag}=${value}`]);
      expect([value, exitCode, stdout]).toEqual([value, 1, ""]);
      expect(stderr).toMatch(/is invalid\. Give (an amount|per cent)/);
    }
    expect(await runCli(["cost", file, `${flag}s`, "1"])).toMatchObject({
      exitCode: 1,
      stdout: "",
    });
  },
);
