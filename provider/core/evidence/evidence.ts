import type { ProxyRecord } from "../../client/index.ts";
import type { ExtensionIntent, Intent, OrderIntent } from "../journal/intent.ts";
import { DAY_MS } from "../values/dates.ts";
import { addMoney, divideMoney, subtractMoney } from "../values/money.ts";

/** An order as the listing shows it: the proxies that are listed under one order id. */
export interface ListedOrder {
  orderId: string;
  country: string;
  /** How many of its proxies are listed; some may still be missing. */
  count: number;
  /** When the first of them began, by the service; undefined where it does not say. */
  startedAt: Date | undefined;
  /** When the last of them ends. */
  endsAt: Date | undefined;
}

/** What could be seen of the account after a purchase whose answer is not known. */
export interface Seen<Listed> {
  /** Undefined where the listing could not be read. */
  listed: readonly Listed[] | undefined;
  /** Undefined where it could not be read. */
  balance: number | undefined;
  /** What other purchases in the journal have cost since. */
  explainedSpend: number;
}

/**
 * How long it has been watched: `open` while a late effect is still to be expected; `settled` when what is
 * not charged by now never will be; `over` when what is charged should long be listed.
 */
export type Window = "open" | "settled" | "over";

/** What the evidence says of purchases whose answers are not known. */
export type Finding =
  /** All of them were carried out, as these orders, in the order in which they were sent. */
  | { kind: "adopted"; orderIds: string[] }
  /** None of them was carried out. */
  | { kind: "notSent" }
  /** Nobody can tell, so a person must. */
  | { kind: "unresolved"; candidates: string[]; reason: string };

/** It is too early to say. */
export interface Wait {
  kind: "wait";
}

export type Verdict = Finding | Wait;

/** The service's clock shows whole seconds, and a balancer may stand between two clocks. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Puts the listing's records together by order. */
export function groupOrders(records: readonly ProxyRecord[]): ListedOrder[] {
  const byOrder = Map.groupBy(records, (record) => record.orderId);
  return Array.from(byOrder, ([orderId, proxies]) => ({
    orderId,
    country: proxies[0]?.country ?? "",
    count: proxies.length,
    startedAt: toDate(proxies.map((proxy) => proxy.dateStart).sort(byDate)[0]),
    endsAt: toDate(
      proxies
        .map((proxy) => proxy.dateEnd)
        .sort(byDate)
        .at(-1),
    ),
  }));
}

/** Orders that may be a purchase: `whole` with as many proxies as were bought, `partial` with fewer yet. */
export interface Matches {
  whole: ListedOrder[];
  partial: ListedOrder[];
}

/**
 * Finds what a purchase may have become: orders of the same type (the listing is of one), country and
 * count that were not there before, began while it was under way, and are not somebody else's for certain.
 * @param claimed order ids that are known to belong to other purchases.
 */
export function matchOrders(
  intent: OrderIntent,
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
): Matches {
  const { request, ordersBefore } = intent.purchase;
  const from = Date.parse(intent.sentAt) - CLOCK_TOLERANCE_MS;
  const to = Date.parse(intent.answerBy) + CLOCK_TOLERANCE_MS;
  const possible = listed.filter(
    ({ orderId, country, startedAt }) =>
      country === request.country &&
      !ordersBefore.includes(orderId) &&
      !claimed.has(orderId) &&
      (startedAt === undefined || (startedAt.getTime() >= from && startedAt.getTime() <= to)),
  );
  return {
    whole: possible.filter(({ count }) => count === request.quantity),
    partial: possible.filter(({ count }) => count < request.quantity),
  };
}

/**
 * Weighs the evidence for purchases of one kind whose answers are not known; there is more than one only
 * where several runs ended badly. Decides all or nothing: with fewer or more orders than purchases nobody
 * can say which is whose.
 * @param unlisted other purchases that the service took, and that are not listed under their numbers: it may
 * list them under others, so a new order may be theirs.
 */
export function settleOrders(
  intents: readonly [OrderIntent, ...OrderIntent[]],
  seen: Seen<ListedOrder>,
  claimed: ReadonlySet<string>,
  window: Window,
  unlisted: readonly OrderIntent[] = [],
): Verdict {
  if (seen.listed === undefined) {
    return waitOr(window === "open", [], "the listing could not be read");
  }
  const sent = intents.toSorted((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt));
  const { listed } = seen;
  const matches = sent.map((intent) => matchOrders(intent, listed, claimed));
  const whole = distinct(matches.flatMap((match) => match.whole));
  const partial = distinct(matches.flatMap((match) => match.partial));
  const candidates = [...whole, ...partial].map(({ orderId }) => orderId);
  const money = weighBalance(sent, seen);

  if (candidates.length === 0) return settleUnlisted(money, window);
  if (candidates.length > sent.length) {
    return waitOr(window === "open" && whole.length <= sent.length, candidates, TOO_MANY);
  }
  const pairs = pairOff(matches, whole.concat(partial));
  if (pairs === undefined) {
    return waitOr(window === "open", candidates, "there are fewer new orders than purchases");
  }
  const rival = unlisted.find((other) => mayBeOneOf(other, listed, claimed, pairs));
  if (rival) {
    const reason = `it may as well be order ${rival.orderNumber}, which is not listed under its number`;
    return waitOr(window !== "over", candidates, reason);
  }
  return partial.length > 0
    ? waitOr(window !== "over", candidates, "a new order has fewer proxies than were bought as yet")
    : settleWhole(pairs, money, window);
}

function mayBeOneOf(
  other: OrderIntent,
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
  orderIds: readonly string[],
): boolean {
  const { whole, partial } = matchOrders(other, listed, claimed);
  return [...whole, ...partial].some(({ orderId }) => orderIds.includes(orderId));
}

/**
 * As many new orders as purchases, with as many proxies: of an order that is not all there yet neither count
 * nor balance prove anything. It is believed at the end of the window only: somebody else's order may be
 * listed already, and ours be charged or listed later.
 */
function settleWhole(orderIds: string[], money: Money, window: Window): Verdict {
  if (window === "open") return { kind: "wait" };
  if (money === "spentAgain") {
    return waitOr(window !== "over", orderIds, "the balance fell by the price more than once");
  }
  return { kind: "adopted", orderIds };
}

const TOO_MANY = "there are more new orders than purchases, so somebody else may have bought one";

/** Nothing is listed that could be it; then the balance says whether to go on waiting. */
function settleUnlisted(money: Money, window: Window): Verdict {
  switch (money) {
    case "untouched":
      return window === "open" ? { kind: "wait" } : { kind: "notSent" };
    case "spent":
      return waitOr(window !== "over", [], "it was charged, and no such order is listed");
    case "spentAgain":
    case "unclear":
      return waitOr(
        window === "open",
        [],
        "no such order is listed, but the balance has changed otherwise, or could not be read, or the order was free",
      );
  }
}

/** What the balance says of purchases: nothing was paid, exactly they were, more of the same was, or it can't tell. */
type Money = "untouched" | "spent" | "spentAgain" | "unclear";

function weighBalance(
  intents: readonly Pick<Intent, "price" | "balanceBefore">[],
  seen: Seen<unknown>,
): Money {
  const [first] = intents;
  const price = addMoney(...intents.map((intent) => intent.price));
  if (first === undefined || seen.balance === undefined || price === 0) return "unclear";
  const unspent = subtractMoney(first.balanceBefore, seen.explainedSpend);
  const times = divideMoney(subtractMoney(unspent, seen.balance), price);
  if (times === 0) return "untouched";
  if (times === 1) return "spent";
  return times > 1 && Number.isInteger(times) ? "spentAgain" : "unclear";
}

/** One order for each purchase, earliest first; undefined where one of them fits no purchase that way. */
function pairOff(
  matches: readonly Matches[],
  orders: readonly ListedOrder[],
): string[] | undefined {
  if (orders.length !== matches.length) return undefined;
  const began = ({ startedAt }: ListedOrder) => startedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const inTurn = orders.toSorted(
    (a, b) => began(a) - began(b) || a.orderId.localeCompare(b.orderId, "en", { numeric: true }),
  );
  const fits = inTurn.every((order, index) => {
    const match = matches[index];
    return match !== undefined && [...match.whole, ...match.partial].includes(order);
  });
  return fits ? inTurn.map(({ orderId }) => orderId) : undefined;
}

function waitOr(wait: boolean, candidates: string[], reason: string): Verdict {
  return wait ? { kind: "wait" } : { kind: "unresolved", candidates, reason };
}

function distinct(orders: readonly ListedOrder[]): ListedOrder[] {
  return [...new Set(orders)];
}

/** What became of an extension whose answer is not known. Its evidence is in its proxies' ends and the balance. */
export type ExtensionFinding =
  | { kind: "extended" }
  | { kind: "notSent" }
  | { kind: "unresolved"; reason: string };

export type ExtensionVerdict = ExtensionFinding | Wait;

/**
 * Weighs the evidence for an extension: the end of every proxy moved, of none, or something else. A listing
 * may lag behind a charge, so ends that have not moved prove nothing where the balance has fallen.
 */
export function settleExtension(
  intent: ExtensionIntent,
  seen: Seen<ProxyRecord>,
  window: Window,
): ExtensionVerdict {
  const { listed } = seen;
  const money = weighBalance([intent], seen);
  const isPaid = money === "spent";
  const waitOrStop = (reason: string): ExtensionVerdict =>
    window === "open" || (isPaid && window === "settled")
      ? { kind: "wait" }
      : { kind: "unresolved", reason: isPaid ? `it was charged, and ${reason}` : reason };
  if (listed === undefined) return waitOrStop("the listing could not be read");
  const { proxiesBefore, request } = intent.purchase;
  const moved = proxiesBefore.map((before) =>
    hasMoved(before, findProxy(listed, before), request.rentPeriodDays),
  );
  if (moved.every((one) => one === true)) return { kind: "extended" };
  if (!moved.every((one) => one === false)) {
    return waitOrStop("the ends of some of its proxies have moved, and of others not");
  }
  if (money === "untouched") return window === "open" ? { kind: "wait" } : { kind: "notSent" };
  return waitOrStop(
    isPaid
      ? "no end of its proxies has moved"
      : "no end of its proxies has moved, but the balance has changed otherwise, or could not be read, or the extension was free",
  );
}

/** A proxy by its id, or by its address where the service has given it a new id. */
export function findProxy(
  listed: readonly ProxyRecord[],
  { ipAddressId, address }: { ipAddressId: string; address: string },
): ProxyRecord | undefined {
  return (
    listed.find((record) => record.ipAddressId === ipAddressId) ??
    listed.find((record) => addressOf(record) === address)
  );
}

/** Address and port: what stays the same when the service changes an id. */
export function addressOf({
  ipAddressIp,
  httpsPort,
}: Pick<ProxyRecord, "ipAddressIp" | "httpsPort">): string {
  return `${ipAddressIp} ${httpsPort}`;
}

/** Undefined where the listing does not tell, or where the end moved by something else than this extension. */
function hasMoved(
  before: { dateEnd?: string | undefined },
  now: ProxyRecord | undefined,
  days: number,
): boolean | undefined {
  if (now?.dateEnd === undefined || before.dateEnd === undefined) return undefined;
  const movedMs = Date.parse(now.dateEnd) - Date.parse(before.dateEnd);
  if (movedMs === 0) return false;
  // Days may be calendar days, and a month's end or a summer time may shift them.
  return Math.abs(movedMs - days * DAY_MS) <= 2 * DAY_MS ? true : undefined;
}

function byDate(a: string | undefined, b: string | undefined): number {
  return (
    (a === undefined ? Number.POSITIVE_INFINITY : Date.parse(a)) -
    (b === undefined ? Number.POSITIVE_INFINITY : Date.parse(b))
  );
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
