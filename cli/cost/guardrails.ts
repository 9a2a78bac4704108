import { formatMoney, growthPercent } from "../../provider/core/values/money.ts";
import { isAbove } from "./planned-cost.ts";
import type { CostReport, TotalCost } from "./report.ts";

/** The limits that a command line may set. Each holds for all given stacks together, and in each currency. */
export interface Limits {
  /** The most that may be spent, in account currency. */
  failAbove?: number;
  /** By how many per cent what is held per 30 days may grow. */
  failAbovePercent?: number;
  /** The most that may be held per 30 days afterwards, in account currency. */
  failAboveMonthly?: number;
}

/** One sentence for each limit that a report exceeds, or may exceed: what is not known counts as above. */
export function findExcesses(report: CostReport, limits: Limits): string[] {
  const { failAbove, failAbovePercent, failAboveMonthly } = limits;
  return [
    ...(failAbove === undefined ? [] : findSpendingExcess(report, failAbove)),
    ...(failAbovePercent === undefined ? [] : findGrowthExcess(report, failAbovePercent)),
    ...(failAboveMonthly === undefined ? [] : findMonthlyExcess(report, failAboveMonthly)),
  ];
}

function findSpendingExcess({ total, stacks }: CostReport, limit: number): string[] {
  if (!isAbove(total, limit)) return [];
  const open = total.unpriced.length > 0 ? ", or more than anybody knows" : "";
  const amounts = total.sums.map(({ atMost, currency }) => formatMoney(atMost, currency ?? ""));
  const sum = amounts.map((amount) => amount.trimEnd()).join(" and ") || "0.00";
  const run = stacks.length === 1 ? "this run" : `these ${stacks.length} runs`;
  return [`Above --fail-above ${limit}: ${run} may spend ${sum}${open}.`];
}

function findMonthlyExcess({ total, openness }: CostReport, limit: number): string[] {
  const title = `Above --fail-above-monthly ${limit}:`;
  const above = total.monthly.held.filter(({ after }) => after > limit);
  if (above.length > 0) {
    const amounts = above.map(({ after, currency }) => formatMoney(after, currency));
    return [`${title} ${amounts.join(" and ")} are held per 30 days afterwards.`];
  }
  const missing = nameMissing(total, openness.after);
  return missing === ""
    ? []
    : [`${title} what is held per 30 days is not known, since ${missing}.`];
}

/** Amounts before and after, in one currency. */
interface Growth {
  currency: string;
  before: number;
  after: number;
}

/**
 * The amounts that growth is measured with. What is not told before a change can only make its share smaller. What an
 * unchanged resource costs is the same before and after.
 */
function findGrowthExcess(report: CostReport, limit: number): string[] {
  const { total, openness } = report;
  const title = `Above --fail-above-percent ${limit}:`;
  const compared = total.againstBase?.map(({ currency, base, proposed }) => ({
    ...{ currency, before: base, after: proposed },
  }));
  const growths: Growth[] = compared ?? total.monthly.held;
  const isHidden = total.hiddenCount > 0;
  const missing = compared
    ? nameMissing(total, openness.after)
    : nameMissing({ hiddenCount: 0 }, openness.afterOfChanged);
  const above = growths.filter((growth) => isGrowingAbove(growth, limit));
  if (above.length > 0) {
    const from = compared ? " on the base branch" : "";
    const hint = !compared && isHidden ? `, as far as the preview tells (${HOW_TO_SHOW})` : "";
    const grown = above.map((growth) => describeGrowth(growth, from));
    return [`${title} what is held per 30 days grows ${grown.join(" and ")}${hint}.`];
  }
  return missing === ""
    ? []
    : [`${title} how much what is held grows is not known, since ${missing}.`];
}

function isGrowingAbove({ before, after }: Growth, limit: number): boolean {
  const percent = growthPercent(before, after);
  return percent === undefined ? after > 0 : percent > limit;
}

function describeGrowth({ currency, before, after }: Growth, from: string): string {
  const percent = growthPercent(before, after);
  const by = percent === undefined ? "" : `, by ${roundUp(percent)} %`;
  return `from ${formatMoney(before, currency)}${from} to ${formatMoney(after, currency)}${by}`;
}

const HOW_TO_SHOW = "preview with --show-sames";

function nameMissing({ hiddenCount }: Pick<TotalCost, "hiddenCount">, isOpen: boolean): string {
  if (isOpen) return "a price is not told";
  return hiddenCount === 0 ? "" : `unchanged resources are not in the preview: ${HOW_TO_SHOW}`;
}

/** Rounded up to a tenth: what is above a limit never looks like the limit. */
function roundUp(percent: number): number {
  return Math.ceil(Number((percent * 10).toFixed(6))) / 10;
}
