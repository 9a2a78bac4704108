import { describeEstimate, type Estimate } from "../../provider/core/spending/estimate.ts";
import { describeRate } from "../../provider/core/spending/renewing.ts";
import type { Row } from "../table.ts";
import type { Balance, PlannedBudget } from "./planned-account.ts";
import type { Action, Purchase, Renewal } from "./planned-cost.ts";
import type { CostReport, NamedResource, StackCost } from "./report.ts";
import type { MonthlyRate } from "./run-rate.ts";
import type { Price, Sum } from "./sums.ts";

const actionWords: Record<Action, string> = {
  buy: "buys",
  grow: "grows",
  replace: "replaces",
  extend: "extends",
  takeOver: "takes over",
  mayBuy: "may buy",
  keep: "buys nothing",
  letGo: "lets go",
};

/** Writes the name of a resource or a stack, which is the program's own text, in a way that can do no harm. */
export type Naming = (name: string) => string;

/** "This run spends 7.00 USD". */
export function describeSpending({ total, stacks }: CostReport): string {
  const { sums, unpriced } = total;
  const runs = stacks.length === 1 ? "This run spends" : `These ${stacks.length} runs spend`;
  const amounts = sums.map(describeSum).join(" and ");
  if (unpriced.length === 0) return `${runs} ${amounts || "nothing"}`;
  const open = `${unpriced.length === 1 ? "a price" : `${unpriced.length} prices`} that nobody knows yet`;
  return `${runs} ${amounts === "" ? open : `${amounts}, and ${open}`}`;
}

function describeSum({ currency, price, atMost }: Sum): string {
  if (price === atMost) return formatAmount(price, currency);
  const most = formatAmount(atMost, currency, "atMost");
  return price === 0 ? most : `${formatAmount(price, currency)}, ${most}`;
}

function formatAmount(
  amount: number,
  currency: string | undefined,
  is: Estimate["is"] = "exact",
): string {
  return describeEstimate({ amount, is }, currency ?? "").trimEnd();
}

/** One row for each resource that something is planned for, stack by stack. */
export function toRows({ stacks }: CostReport, naming: Naming): Row[] {
  return stacks.flatMap((stack) => toRowsOfStack(stack, naming));
}

function toRowsOfStack({ label, cost: { purchases, renewals } }: StackCost, naming: Naming): Row[] {
  // A column without any text is left out: that of a single stack.
  const STACK = label === "" ? "" : naming(label);
  return [
    ...purchases.map((purchase) => ({
      STACK,
      RESOURCE: naming(purchase.name),
      PLAN: actionWords[purchase.action],
      WHAT: describeProxies(purchase),
      "PAID NOW": describePrice(purchase.price),
      "PAID LATER": "",
    })),
    ...renewals.map((renewal) => ({
      STACK,
      RESOURCE: naming(renewal.name),
      PLAN: renewal.isEnding ? "stops renewing" : "renews",
      WHAT: describeProxies(renewal),
      "PAID NOW": "",
      "PAID LATER": renewal.isEnding ? "" : describeCycle(renewal),
    })),
  ];
}

/** "5 IPv4 proxies in USA, 30 days", without what the plan does not tell. */
export function describeProxies({
  quantity,
  proxyType,
  country,
  rentPeriodDays,
}: Omit<Purchase, "action" | "price" | "isUnexplained">): string {
  const words = [
    quantity === undefined ? "" : String(quantity),
    proxyType ?? "",
    quantity === 1 ? "proxy" : "proxies",
    country === undefined ? "" : `in ${country}`,
  ];
  const what = words.filter((word) => word !== "").join(" ");
  return rentPeriodDays === undefined ? what : `${what}, ${rentPeriodDays} days`;
}

function describePrice(price: Price): string {
  switch (price.kind) {
    case "exact":
      return formatAmount(price.amount, price.currency);
    case "atMost":
      return formatAmount(price.amount, price.currency, "atMost");
    case "nothing":
      return "0";
    case "unknown":
      return "unknown";
  }
}

function describeCycle({ pricePerCycle, currency, rentPeriodDays }: Renewal): string {
  const price = pricePerCycle === undefined ? "unknown" : formatAmount(pricePerCycle, currency);
  return rentPeriodDays === undefined ? price : `${price} every ${rentPeriodDays} days`;
}

/** How a text says what is beside the rows. */
interface RestOptions {
  naming: Naming;
  /** How many names one line lists. The others are counted. @default all */
  nameLimit?: number;
}

/** What is to be said besides the rows: warnings, what is left, and the figures per 30 days. */
export function describeRest(report: CostReport, options: RestOptions): string[] {
  const { total } = report;
  const unrated = report.stacks.flatMap(({ label, cost }) =>
    cost.monthly.unrated.map((name) => ({ stack: label, name })),
  );
  return [
    ...describeUnexplained(report, options),
    ...(total.unpriced.length === 0
      ? []
      : [
          `No price yet, and no maxPrice to count instead: ${listNames(total.unpriced, options)}. The figures below are without.`,
        ]),
    ...total.balances.map(describeBalance),
    ...total.budgets.map(describeBudget),
    ...total.monthly.held.map((rate) => `Held, per 30 days: ${describeMonthly(rate)}.`),
    ...total.monthly.renewing.map(
      (rate) =>
        `Renews by itself, per 30 days: ${describeMonthly(rate)}; never part of the sum above.`,
    ),
    ...(unrated.length === 0
      ? []
      : [
          `Not in the figures per 30 days, since their price is not told: ${listNames(unrated, options)}.`,
        ]),
    ...describeHidden(report),
  ];
}

function describeUnexplained({ stacks }: CostReport, options: RestOptions): string[] {
  const { naming, nameLimit = Number.POSITIVE_INFINITY } = options;
  const unexplained = stacks.flatMap(({ label, cost }) =>
    cost.purchases
      .filter(({ isUnexplained }) => isUnexplained)
      .map(({ name }) => nameWithStack({ stack: label, name }, naming)),
  );
  const rest = unexplained.length - Math.min(nameLimit, unexplained.length);
  return [
    ...unexplained.slice(0, nameLimit),
    ...(rest === 0 ? [] : [`Each of ${nameLimit === 0 ? "" : "the other "}${countOf(rest)}`]),
  ].map(
    (name) =>
      `${name} is replaced although no argument asks for it (--target-replace, \`pulumi state taint\`, or replacementTrigger): what it holds stays paid, and is bought again.`,
  );
}

function describeHidden({ total: { hiddenCount }, stacks }: CostReport): string[] {
  if (hiddenCount === 0) return [];
  const what =
    hiddenCount === 1 ? "1 unchanged resource is" : `${hiddenCount} unchanged resources are`;
  const where = stacks.length === 1 ? "the preview" : "the previews";
  return [`${what} not in ${where}, so not in the figures per 30 days: preview with --show-sames.`];
}

function listNames(
  names: readonly NamedResource[],
  { naming, nameLimit = Number.POSITIVE_INFINITY }: RestOptions,
): string {
  const shown = names.slice(0, nameLimit).map((name) => nameWithStack(name, naming));
  const rest = names.length - shown.length;
  if (rest === 0) return shown.join(", ");
  return shown.length === 0 ? countOf(rest) : `${shown.join(", ")} and ${rest} more`;
}

function nameWithStack({ stack, name }: NamedResource, naming: Naming): string {
  return stack === "" ? naming(name) : `${naming(name)} in ${naming(stack)}`;
}

function countOf(count: number): string {
  return count === 1 ? "1 resource" : `${count} resources`;
}

function describeBalance({ before, after, afterIs, currency }: Balance): string {
  return `Balance: ${formatAmount(before, currency)} before, ${formatAmount(after, currency, afterIs)} after.`;
}

function describeBudget({
  monthly,
  spent,
  thisRun,
  thisRunIs,
  left,
  leftIs,
  currency,
  isShared,
}: PlannedBudget): string {
  const whole = `Monthly budget of ${formatAmount(monthly, currency)}`;
  const own = `${formatAmount(thisRun, currency, thisRunIs)} by this run`;
  if (spent === undefined || left === undefined) {
    return `${whole}: ${own}; the plan does not tell what is used (proxyrental:showBalance is false).`;
  }
  const whose = isShared ? "" : " (the journal counts the purchases of one machine only)";
  return `${whole}: ${formatAmount(spent, currency)} used, ${own}, ${formatAmount(left, currency, leftIs)} left${whose}.`;
}

function describeMonthly(rate: MonthlyRate): string {
  const { currency, before, after, isBeforeOpen = false, isAfterOpen = false, isAtMost } = rate;
  const earlier = { amount: before, currency, isAtMost: false, isOpen: isBeforeOpen };
  const later = { amount: after, currency, isAtMost: isAtMost ?? false, isOpen: isAfterOpen };
  return `${describeRate(earlier)} before, ${describeRate(later)} after`;
}
