import { createHash } from "node:crypto";
import ical from "ical-generator";
import { formatMoney } from "../../provider/core/values/money.ts";
import type { Forecast } from "./account-forecast.ts";
import { type DayLine, groupByDay } from "./day-lines.ts";
import { happenings } from "./forecast-words.ts";

/** A forecast as a calendar (iCalendar, RFC 5545): an entry for what happens on a day, without a time of day. */
export function makeCalendar(forecast: Forecast): string {
  const calendar = ical({
    name: "Proxies: renewals and ends",
    prodId: { company: "pulumi-proxyrental", product: "forecast", language: "EN" },
  });
  for (const line of groupByDay(forecast)) {
    calendar.createEvent({
      id: identify(line),
      // The same forecast is the same file.
      stamp: new Date(forecast.from),
      start: new Date(line.day),
      allDay: true,
      summary: summarise(line, forecast),
      description: describe(line, forecast),
    });
  }
  return calendar.toString();
}

/** The same for the same proxies on the same day: a calendar that reads a newer forecast replaces the entry. */
function identify({ day, rentPeriodDays, orderIds }: DayLine): string {
  const what = JSON.stringify([day, rentPeriodDays, orderIds]);
  return `${createHash("sha256").update(what).digest("hex").slice(0, 32)}@pulumi-proxyrental`;
}

/** "Renews: 5 IPv4 proxies in USA (fleet), 7.00 USD". */
function summarise({ kind, proxies, resource, price }: DayLine, { currency }: Forecast): string {
  const [first = "", ...rest] = happenings[kind];
  const whose = resource === undefined ? "" : ` (${resource})`;
  const cost = price === undefined ? "" : `, ${formatMoney(price, currency)}`;
  return `${first.toUpperCase()}${rest.join("")}: ${proxies}${whose}${cost}`;
}

function describe(
  { orderIds, rentPeriodDays, balanceAfter }: DayLine,
  { currency }: Forecast,
): string {
  return [
    `Order ${orderIds.join(", ")}`,
    ...(rentPeriodDays === undefined ? [] : [`Extended by ${rentPeriodDays} days each time`]),
    `Balance afterwards: ${formatMoney(balanceAfter, currency)}`,
  ].join("\n");
}
