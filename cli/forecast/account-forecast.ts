import type { Client } from "../../provider/client/index.ts";
import { DAY_MS } from "../../provider/core/values/dates.ts";
import { keyOf, type ListedOrder } from "../listed-order.ts";
import type { EndlessProxies, HeldProxies, Holdings } from "./held-proxies.ts";
import { createRenewalPrices, type PriceRenewal } from "./renewal-prices.ts";
import { type Event, findMissing, foresee, type Timeline } from "./timeline.ts";

/** An event, and whose it is. */
export interface NamedEvent extends Event {
  /** The resource of a given state; undefined if none has the order. */
  resource: string | undefined;
}

/** An order that the account holds. */
export interface HeldOrder extends ListedOrder {
  country: string;
  quantity: number;
  /** See `NamedEvent`. */
  resource: string | undefined;
  /** Until when all of it is paid today, ISO 8601. */
  paidUntil: string;
  /** When the last of it ends; undefined if that is after the forecast, or if nobody knows it. */
  endsAt: string | undefined;
}

/** What becomes of an account: `--json` prints it. Amounts are in `currency`. */
export interface Forecast {
  /** The service's time, ISO 8601. */
  from: string;
  until: string;
  currency: string;
  balance: { now: number; atEnd: number };
  /** In the order of time. */
  events: NamedEvent[];
  /** What is held now and has an end, the earliest first. */
  orders: HeldOrder[];
  /** The first renewal that the balance does not cover; undefined if it covers all. */
  shortAt: string | undefined;
  /** What more must be paid in so that the balance covers all renewals; 0 if it does. */
  missing: number;
  /** What is held, and has no end yet by the service. So it is in no event. */
  endless: EndlessProxies[];
}

/** What a forecast is made of. */
export interface Outlook {
  holdings: Holdings;
  balance: { balance: number; currency: string };
  days: number;
  /** Names the resource of an order. */
  resourceOf: (order: ListedOrder) => string | undefined;
}

/**
 * Foresees what ends and what renews. Spends nothing.
 * @param showProgress is called while prices are asked for
 */
export async function forecastAccount(
  client: Pick<Client, "calculateExtension">,
  { holdings, balance: { balance, currency }, days, resourceOf }: Outlook,
  showProgress: (text: string) => void,
): Promise<Forecast> {
  const { now, held, endless } = holdings;
  const until = new Date(now.getTime() + days * DAY_MS);
  const priceRenewal = createRenewalPrices(client, currency);
  await askAhead(holdings, until, priceRenewal, showProgress);
  const likely = await foresee(held, { balance }, until, priceRenewal);
  const wanted = await foresee(held, { balance, isUnlimited: true }, until, priceRenewal);
  return {
    from: now.toISOString(),
    until: until.toISOString(),
    currency,
    balance: { now: balance, atEnd: likely.events.at(-1)?.balanceAfter ?? balance },
    events: likely.events.map((event) => ({ ...event, resource: resourceOf(event) })),
    orders: listOrders(held, likely, resourceOf),
    shortAt: likely.events.find(({ what }) => what.kind === "notCovered")?.at,
    missing: findMissing(wanted, balance),
    endless,
  };
}

function listOrders(
  held: readonly HeldProxies[],
  { events, living }: Timeline,
  resourceOf: Outlook["resourceOf"],
): HeldOrder[] {
  const outliving = new Set(living.map(keyOf));
  const endings = events.filter(({ what }) => what.kind === "ends" || what.kind === "notCovered");
  const lastEnds = new Map(endings.map((ending) => [keyOf(ending), ending.at]));
  const orders = [...Map.groupBy(held, keyOf)].flatMap(([key, proxies]) =>
    proxies.slice(0, 1).map(({ orderId, proxyType, country }) => ({
      ...{ orderId, proxyType, country, resource: resourceOf({ proxyType, orderId }) },
      quantity: proxies.reduce((sum, { ipAddressIds }) => sum + ipAddressIds.length, 0),
      paidUntil: new Date(Math.min(...proxies.map(({ endsAtMs }) => endsAtMs))).toISOString(),
      endsAt: outliving.has(key) ? undefined : lastEnds.get(key),
    })),
  );
  return orders.toSorted((a, b) => a.paidUntil.localeCompare(b.paidUntil));
}

/** Asks for many prices at once. One after the other, an account of many orders would take minutes. */
async function askAhead(
  { held }: Holdings,
  until: Date,
  priceRenewal: PriceRenewal,
  showProgress: (text: string) => void,
): Promise<void> {
  const specs = held.flatMap(({ proxyType, ipAddressIds, renewal, endsAtMs }) =>
    renewal.kind === "everyDays" && endsAtMs <= until.getTime()
      ? [{ proxyType, ipAddressIds, rentPeriodDays: renewal.days }]
      : [],
  );
  let answered = 0;
  await Promise.all(
    specs.map(async (spec) => {
      await priceRenewal(spec);
      answered += 1;
      showProgress(`Asking for prices: ${answered} of ${specs.length}`);
    }),
  );
}

/**
 * Why the renewals of the next days are not certainly paid: the balance does not cover one, or nobody knows what one
 * costs. Undefined if they are.
 */
export function findShortage({ from, events }: Forecast, days: number): NamedEvent | undefined {
  const untilMs = Date.parse(from) + days * DAY_MS;
  return events.find(
    ({ at, what }) =>
      Date.parse(at) <= untilMs && (what.kind === "notCovered" || what.kind === "renewsUnpriced"),
  );
}
