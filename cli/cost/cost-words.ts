import { describeEstimate, type Estimate } from "../../provider/core/spending/estimate.ts";
import { describeRate } from "../../provider/core/spending/renewing.ts";
import { printTable, type Row } from "../table.ts";
import type {
  Action,
  Balance,
  Cost,
  PlannedBudget,
  Price,
  Purchase,
  Renewal,
  Sum,
} from "./planned-cost.ts";
import type { MonthlyRate } from "./run-rate.ts";

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

/** What a plan costs, for a terminal. */
export function describeCost(cost: Cost): string {
  const rows = toRows(cost, makePrintable);
  return [
    `${describeSpending(cost)}.`,
    ...(rows.length === 0 ? [] : [printTable(rows)]),
    describeRest(cost, makePrintable).join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** What a plan costs, as the comment of a pull request. */
export function describeCostInMarkdown(cost: Cost): string {
  const rows = toRows(cost, quoteName);
  return [
    `### ${describeSpending(cost)}`,
    ...(rows.length === 0 ? [] : [toMarkdownTable(rows)]),
    describeRest(cost, quoteName)
      .map((line) => `- ${line}`)
      .join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Why a plan is refused. */
export function describeExcess(cost: Cost, limit: number): string {
  const open = cost.unpriced.length > 0 ? ", or more than anybody knows" : "";
  const amounts = cost.sums.map(({ atMost, currency }) => formatAmount(atMost, currency));
  return `Above --fail-above ${limit}: this run may spend ${amounts.join(" and ") || "0.00"}${open}.`;
}

type Naming = (name: string) => string;

/** A name is the program's own text. No part of it must move the cursor. */
function makePrintable(name: string): string {
  return name.replaceAll(/\p{C}/gu, "?");
}

/** In code there are no links, mentions or tags. Only a pipe ends a cell, unless it is escaped. */
function quoteName(name: string): string {
  return `\`${makePrintable(name).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function describeSpending({ sums, unpriced }: Cost): string {
  const amounts = sums.map(describeSum).join(" and ");
  if (unpriced.length === 0) return `This run spends ${amounts || "nothing"}`;
  const open = `${unpriced.length === 1 ? "a price" : `${unpriced.length} prices`} that nobody knows yet`;
  return `This run spends ${amounts === "" ? open : `${amounts}, and ${open}`}`;
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

function toRows({ purchases, renewals }: Cost, nameResource: Naming): Row[] {
  return [
    ...purchases.map((purchase) => ({
      RESOURCE: nameResource(purchase.name),
      PLAN: actionWords[purchase.action],
      WHAT: describeProxies(purchase),
      "PAID NOW": describePrice(purchase.price),
      "PAID LATER": "",
    })),
    ...renewals.map((renewal) => ({
      RESOURCE: nameResource(renewal.name),
      PLAN: renewal.isEnding ? "stops renewing" : "renews",
      WHAT: describeProxies(renewal),
      "PAID NOW": "",
      "PAID LATER": renewal.isEnding ? "" : describeCycle(renewal),
    })),
  ];
}

/** "5 IPv4 proxies in USA, 30 days", without what the plan does not tell. */
function describeProxies({
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

function describeRest(cost: Cost, nameResource: Naming): string[] {
  const { purchases, unpriced, balance, budget, monthly, hiddenCount } = cost;
  const list = (names: readonly string[]) => names.map(nameResource).join(", ");
  const unexplained = purchases.filter(({ isUnexplained }) => isUnexplained);
  return [
    ...unexplained.map(
      ({ name }) =>
        `${nameResource(name)} is replaced although no argument asks for it (--target-replace, \`pulumi state taint\`, or replacementTrigger): what it holds stays paid, and is bought again.`,
    ),
    ...(unpriced.length === 0
      ? []
      : [
          `No price yet, and no maxPrice to count instead: ${list(unpriced)}. The figures below are without.`,
        ]),
    ...(balance === undefined ? [] : [describeBalance(balance)]),
    ...(budget === undefined ? [] : [describeBudget(budget)]),
    ...monthly.held.map((rate) => `Held, per 30 days: ${describeMonthly(rate)}.`),
    ...monthly.renewing.map(
      (rate) =>
        `Renews by itself, per 30 days: ${describeMonthly(rate)}; never part of the sum above.`,
    ),
    ...(monthly.unrated.length === 0
      ? []
      : [
          `Not in the figures per 30 days, since their price is not told: ${list(monthly.unrated)}.`,
        ]),
    ...(hiddenCount === 0
      ? []
      : [
          `${hiddenCount === 1 ? "1 unchanged resource is" : `${hiddenCount} unchanged resources are`} not in the preview, so not in the figures per 30 days: preview with --show-sames.`,
        ]),
  ];
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
}: PlannedBudget): string {
  const whole = `Monthly budget of ${formatAmount(monthly, currency)}`;
  const own = `${formatAmount(thisRun, currency, thisRunIs)} by this run`;
  if (spent === undefined || left === undefined) {
    return `${whole}: ${own}; the plan does not tell what is used (proxyrental:showBalance is false).`;
  }
  return `${whole}: ${formatAmount(spent, currency)} used, ${own}, ${formatAmount(left, currency, leftIs)} left.`;
}

function describeMonthly(rate: MonthlyRate): string {
  const { currency, before, after, isBeforeOpen = false, isAfterOpen = false, isAtMost } = rate;
  const earlier = { amount: before, currency, isAtMost: false, isOpen: isBeforeOpen };
  const later = { amount: after, currency, isAtMost: isAtMost ?? false, isOpen: isAfterOpen };
  return `${describeRate(earlier)} before, ${describeRate(later)} after`;
}

function toMarkdownTable(rows: readonly Row[]): string {
  const titles = Object.keys(rows[0] ?? {}).filter((title) =>
    rows.some((row) => row[title] !== ""),
  );
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    toLine(titles.map((title) => title.toLowerCase())),
    toLine(titles.map((title) => (title.startsWith("PAID") ? "---:" : "---"))),
    ...rows.map((row) => toLine(titles.map((title) => row[title] ?? ""))),
  ].join("\n");
}
