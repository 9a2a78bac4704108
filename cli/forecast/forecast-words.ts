import { addMoney, formatMoney } from "../../provider/core/values/money.ts";
import { keyOf } from "../listed-order.ts";
import { makePrintable, printMarkdownTable, printTable, quoteName, type Row } from "../table.ts";
import type { Forecast, NamedEvent } from "./account-forecast.ts";
import { type DayLine, dayOf, groupByDay } from "./day-lines.ts";

/** What happens to proxies, in words. */
export const happenings: Record<DayLine["kind"], string> = {
  renews: "renews",
  notCovered: "NOT COVERED, ends",
  renewsUnpriced: "renews, price unknown",
  ends: "ends",
};

/** How many orders a line names. */
const MOST_NAMED = 3;

/** A forecast, for a terminal. */
export function describeForecast(forecast: Forecast): string {
  return [
    describeSum(forecast),
    printTable(toRows(forecast, makePrintable)),
    describeRest(forecast).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** A forecast, for the summary of a job. */
export function describeForecastInMarkdown(forecast: Forecast): string {
  return [
    `### ${describeSum(forecast)}`,
    printMarkdownTable(toRows(forecast, quoteName), /^(COST|BALANCE)$/),
    describeRest(forecast)
      .map((line) => `- ${line}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Which renewal of the next days is not certainly paid. */
export function describeShortage(
  { currency }: Forecast,
  { at, what, ...event }: NamedEvent,
  days: number,
): string {
  const renews = `Within --fail-if-short ${days}: ${nameOrder(event)} renews on ${dayOf(at)}`;
  return what.kind === "notCovered"
    ? `${renews} for ${formatMoney(what.price, currency)}, which the balance does not cover.`
    : `${renews}, and nobody knows for how much.`;
}

function describeDryness(
  { currency, missing, until }: Forecast,
  { at, what, balanceAfter, ...event }: NamedEvent,
): string[] {
  if (what.kind !== "notCovered") return [];
  const [price, left, more] = [what.price, balanceAfter, missing].map((amount) =>
    formatMoney(amount, currency),
  );
  return [
    `The balance runs dry on ${dayOf(at)}: ${nameOrder(event)} renews for ${price}, and ${left} is left. All renewals until ${dayOf(until)} are paid if at least ${more} more is paid in.`,
  ];
}

function nameOrder({ orderId, resource }: Pick<NamedEvent, "orderId" | "resource">): string {
  return `order ${orderId}${resource === undefined ? "" : ` (${makePrintable(resource)})`}`;
}

/** "In 90 days, until 2027-02-21: 3 renewals for 21.00 USD, 1 order ends. Balance: 100.00 USD now, 79.00 USD then." */
export function describeSum({ from, until, events, balance, currency }: Forecast): string {
  const days = Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000);
  const renewals = events.filter(({ what }) => what.kind.startsWith("renews"));
  const ending = events.filter(({ what }) => what.kind === "ends" || what.kind === "notCovered");
  const cost = addMoney(...events.map(({ what }) => (what.kind === "renews" ? what.price : 0)));
  const endings = new Set(ending.map(keyOf)).size;
  const happening = [
    ...(renewals.length === 0
      ? []
      : [`${count(renewals.length, "renewal")} for ${formatMoney(cost, currency)}`]),
    ...(endings === 0 ? [] : [`proxies of ${count(endings, "order")} end`]),
  ];
  return `In ${count(days, "day")}, until ${dayOf(until)}: ${happening.join(", ") || "nothing renews or ends"}. Balance: ${formatMoney(balance.now, currency)} now, ${formatMoney(balance.atEnd, currency)} then.`;
}

function toRows(forecast: Forecast, nameResource: (name: string) => string): Row[] {
  return groupByDay(forecast).map((line) => toRow(line, forecast, nameResource));
}

/** What happens to some proxies, by column titles. */
export function toRow(
  { day, kind, proxies, rentPeriodDays, orderIds, resource, price, balanceAfter }: DayLine,
  { currency }: Pick<Forecast, "currency">,
  nameResource: (name: string) => string,
): Row {
  return {
    DAY: day,
    WHAT: happenings[kind],
    PROXIES: rentPeriodDays === undefined ? proxies : `${proxies}, ${rentPeriodDays} days`,
    ORDER: nameSome(orderIds),
    RESOURCE: resource === undefined ? "" : nameResource(resource),
    COST: price === undefined ? "" : formatMoney(price, currency),
    BALANCE: formatMoney(balanceAfter, currency),
  };
}

/** What else a reader must know. */
export function describeRest(forecast: Forecast): string[] {
  const { events, endless } = forecast;
  const short = events.find(({ what }) => what.kind === "notCovered");
  const untold = events.flatMap(({ orderId, what }) =>
    what.kind === "renewsUnpriced" ? [`order ${orderId}: ${what.why}`] : [],
  );
  return [
    ...(short === undefined ? [] : describeDryness(forecast, short)),
    ...(untold.length === 0
      ? []
      : [`The figures are without renewals whose price is not told: ${nameSome(untold, "; ")}.`]),
    ...endless.map(
      ({ orderId, count: some }) =>
        `The service does not tell yet when ${some} ${some === 1 ? "proxy" : "proxies"} of order ${orderId} end: not in the table.`,
    ),
  ];
}

function nameSome(names: readonly string[], between = ", "): string {
  const different = [...new Set(names)];
  const more = different.length - MOST_NAMED;
  return `${different.slice(0, MOST_NAMED).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
