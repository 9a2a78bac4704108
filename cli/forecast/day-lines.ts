import { describeProxies } from "../../provider/core/proxies/proxy-args.ts";
import { addMoney } from "../../provider/core/values/money.ts";
import type { Forecast, NamedEvent } from "./account-forecast.ts";

/** What happens on one day to proxies of one kind and one resource. */
export interface DayLine {
  /** UTC, "2026-12-01". */
  day: string;
  kind: NamedEvent["what"]["kind"];
  /** "5 IPv4 proxies in USA". */
  proxies: string;
  /** By how many days they are extended; undefined if they are not, or if nobody knows it. */
  rentPeriodDays: number | undefined;
  orderIds: string[];
  resource: string | undefined;
  /** What they cost together; undefined if they cost nothing, or if nobody knows it. */
  price: number | undefined;
  /** What is left on the account afterwards. */
  balanceAfter: number;
}

/** Puts together what a reader takes for one thing: what is alike, on the same day, of the same resource. */
export function groupByDay({ events }: Pick<Forecast, "events">): DayLine[] {
  const alike = Map.groupBy(events, ({ at, proxyType, country, what, resource }) =>
    JSON.stringify([dayOf(at), proxyType, country, what.kind, daysOf(what), resource]),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [toLine(first, [first, ...others])],
  );
}

function toLine(
  { at, proxyType, country, what, resource }: NamedEvent,
  alike: readonly NamedEvent[],
): DayLine {
  const count = alike.reduce((sum, { quantity }) => sum + quantity, 0);
  const prices = alike.flatMap((event) => ("price" in event.what ? event.what.price : []));
  return {
    day: dayOf(at),
    kind: what.kind,
    proxies: `${describeProxies(count, proxyType)} in ${country}`,
    rentPeriodDays: daysOf(what),
    orderIds: [...new Set(alike.map(({ orderId }) => orderId))],
    resource,
    price: prices.length === 0 ? undefined : addMoney(...prices),
    balanceAfter: alike.at(-1)?.balanceAfter ?? 0,
  };
}

function daysOf(what: NamedEvent["what"]): number | undefined {
  return what.kind === "ends" ? undefined : what.rentPeriodDays;
}

/** The day of a moment, UTC. */
export function dayOf(at: string): string {
  return at.slice(0, "2026-12-01".length);
}
