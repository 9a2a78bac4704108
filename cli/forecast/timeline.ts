import { DAY_MS } from "../../provider/core/values/dates.ts";
import { addMoney, subtractMoney } from "../../provider/core/values/money.ts";
import type { ListedOrder } from "../listed-order.ts";
import { type HeldProxies, joinAlike } from "./held-proxies.ts";
import type { PriceRenewal } from "./renewal-prices.ts";

/** What happens to proxies of one order at one moment. */
export interface Event extends ListedOrder {
  /** When their time is over, ISO 8601. The service extends them before that, and does not say how long before. */
  at: string;
  country: string;
  quantity: number;
  what: Happening;
  /** What is left on the account afterwards. */
  balanceAfter: number;
}

/** What becomes of proxies whose time is over. */
export type Happening =
  | { kind: "renews"; rentPeriodDays: number; price: number }
  /** The balance does not cover the price, so they end. */
  | { kind: "notCovered"; rentPeriodDays: number; price: number }
  /** They renew, and nobody knows for how much. It counts as nothing. */
  | { kind: "renewsUnpriced"; rentPeriodDays: number | undefined; why: string }
  | { kind: "ends" };

/** With which money something is foreseen. */
export interface Funds {
  balance: number;
  /** Whether everything is paid, even if the balance falls below 0. @default false */
  isUnlimited?: boolean;
}

/** What becomes of proxies until a moment. */
export interface Timeline {
  /** In the order of time. */
  events: Event[];
  /** What is still held then. */
  living: HeldProxies[];
}

/**
 * Foresees what becomes of proxies until a moment. A renewal that the balance does not cover does not happen: the service's
 * document does not say what does.
 */
export async function foresee(
  held: readonly HeldProxies[],
  { balance: opening, isUnlimited = false }: Funds,
  until: Date,
  priceRenewal: PriceRenewal,
): Promise<Timeline> {
  const events: Event[] = [];
  // Nobody knows which of two renewals at one moment is paid first. Here it is the one that is listed first.
  const places = new Map(
    held.flatMap(({ ipAddressIds }) => ipAddressIds).map((id, place) => [id, place]),
  );
  const placeOf = ({ ipAddressIds: [first = ""] }: HeldProxies) => places.get(first) ?? 0;
  let balance = opening;
  let living = [...held];
  for (;;) {
    const nextMs = Math.min(...living.map(({ endsAtMs }) => endsAtMs));
    if (nextMs > until.getTime()) return { events, living };
    const due = living
      .filter(({ endsAtMs }) => endsAtMs === nextMs)
      .sort((a, b) => placeOf(a) - placeOf(b));
    living = living.filter(({ endsAtMs }) => endsAtMs !== nextMs);
    // What was extended by 30 days twice may end with what was extended by 60 days once.
    for (const proxies of joinAlike(due)) {
      const what = await foreseeOne(proxies, isUnlimited ? undefined : balance, priceRenewal);
      if (what.kind === "renews") balance = subtractMoney(balance, what.price);
      events.push(toEvent(proxies, what, balance));
      living.push(...extendBy(proxies, what));
    }
  }
}

/** What more must be paid in so that all these renewals are paid, if these are all that come. */
export function findMissing({ events }: Timeline, balance: number): number {
  const prices = events.map(({ what }) => (what.kind === "renews" ? what.price : 0));
  return Math.max(0, subtractMoney(addMoney(...prices), balance));
}

/** @param balance undefined if it covers everything */
async function foreseeOne(
  { proxyType, ipAddressIds, renewal }: HeldProxies,
  balance: number | undefined,
  priceRenewal: PriceRenewal,
): Promise<Happening> {
  if (renewal.kind === "none") return { kind: "ends" };
  if (renewal.kind === "untold") {
    const why = "the service does not tell by how many days";
    return { kind: "renewsUnpriced", rentPeriodDays: undefined, why };
  }
  const rentPeriodDays = renewal.days;
  const price = await priceRenewal({ proxyType, ipAddressIds, rentPeriodDays });
  if ("untold" in price) return { kind: "renewsUnpriced", rentPeriodDays, why: price.untold };
  const isCovered = balance === undefined || price.amount <= balance;
  return { kind: isCovered ? "renews" : "notCovered", rentPeriodDays, price: price.amount };
}

function extendBy(proxies: HeldProxies, what: Happening): HeldProxies[] {
  if (what.kind === "ends" || what.kind === "notCovered") return [];
  // By an unknown time: what comes after that, nobody can say.
  if (what.rentPeriodDays === undefined) return [];
  return [{ ...proxies, endsAtMs: proxies.endsAtMs + what.rentPeriodDays * DAY_MS }];
}

function toEvent(
  { orderId, proxyType, country, ipAddressIds, endsAtMs }: HeldProxies,
  what: Happening,
  balanceAfter: number,
): Event {
  return {
    at: new Date(endsAtMs).toISOString(),
    ...{ orderId, proxyType, country, quantity: ipAddressIds.length, what, balanceAfter },
  };
}
