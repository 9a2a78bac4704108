import { bySending, type OrderIntent } from "../records/intent.ts";
import { type ListedOrder, type Matches, matchOrders } from "./listed-orders.ts";
import {
  hasChanged,
  type Money,
  type Seen,
  type Traces,
  type Wait,
  type Window,
  weighBalance,
} from "./weigh-balance.ts";

/** What the evidence says of purchases whose answers are not known. */
export type OrderFinding =
  /** All of them were placed, as these orders, in the order in which they were sent. */
  | { kind: "placed"; orderIds: string[] }
  /** None of them was placed. */
  | { kind: "notPlaced" }
  /** Nobody can tell, so a person must. */
  | ({ kind: "unknown"; candidates: string[]; reason: string } & Traces);

export type OrderVerdict = OrderFinding | (Wait & Traces);

/**
 * Judges purchases of one kind whose answers are not known. There are several only if several runs ended badly.
 * Decides about all or none: with fewer or more orders than purchases nobody can say which is whose.
 * @param unlisted other placed purchases that are not listed under their numbers. The service may list them under
 * other names, so a new order may be theirs.
 */
export function judgeOrders(
  intents: readonly [OrderIntent, ...OrderIntent[]],
  seen: Seen<ListedOrder>,
  claimed: ReadonlySet<string>,
  window: Window,
  unlisted: readonly OrderIntent[] = [],
): OrderVerdict {
  const sent = intents.toSorted(bySending);
  const { listed } = seen;
  const money = weighBalance(sent, seen);
  // If nothing else was paid, nobody else has bought what is listed.
  const asOf = money === "spent" || money === "untouched" ? undefined : seen.asOf;
  const matches = sent.map((intent) => matchOrders(intent, listed ?? [], claimed, asOf));
  const whole = distinct(matches.flatMap((match) => match.whole));
  const partial = distinct(matches.flatMap((match) => match.partial));
  const candidates = [...whole, ...partial].map(({ orderId }) => orderId);
  const hasTraces = seen.hadTraces || candidates.length > 0 || hasChanged(sent, seen);
  const waitOr = (wait: boolean, found: string[], reason: string): OrderVerdict =>
    wait ? { kind: "wait", hasTraces } : { kind: "unknown", candidates: found, reason, hasTraces };

  if (listed === undefined) return waitOr(window === "open", [], "the listing could not be read");
  if (candidates.length === 0) {
    const untimely = matches.flatMap((match) => match.untimely);
    const larger = matches.flatMap((match) => match.larger);
    const odd = distinct([...untimely, ...larger]).map(({ orderId }) => orderId);
    if (odd.length > 0) {
      const reasons = [
        ...(untimely.length > 0 ? [UNTIMELY] : []),
        ...(larger.length > 0 ? [LARGER] : []),
      ];
      return waitOr(window === "open", odd, reasons.join(", and "));
    }
    if (matches.some(({ otherwisePaid }) => otherwisePaid.length > 0)) {
      return waitOr(window !== "over", [], OTHERWISE_PAID);
    }
    return judgeUnlisted(money, window, hasTraces, waitOr);
  }
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
    : judgeWhole(pairs, money, window, waitOr);
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
 * There are as many new orders as purchases, with as many proxies. (For an order that is not complete yet, neither
 * count nor balance prove anything.) It is believed only at the end of the window: somebody else's order may be
 * listed already, and ours be charged or listed later.
 */
function judgeWhole(
  orderIds: string[],
  money: Money,
  window: Window,
  waitOr: WaitOr,
): OrderVerdict {
  if (window === "open") return { kind: "wait", hasTraces: true };
  if (money === "spentAgain") {
    return waitOr(window !== "over", orderIds, "the balance fell by the price more than once");
  }
  if (money === "spentElse") {
    const reason =
      "it was free, and the balance has changed: somebody else may have bought the one that is listed";
    return waitOr(window !== "over", orderIds, reason);
  }
  return { kind: "placed", orderIds };
}

/** Waits, or says why nobody can tell. */
type WaitOr = (wait: boolean, candidates: string[], reason: string) => OrderVerdict;

const UNTIMELY = "a new order is listed for its country that began at another time";

const LARGER = "a new order is listed for its country that has more proxies than were bought";

const OTHERWISE_PAID =
  "a new order is listed for its country that is paid for another period, so somebody else has bought that one";

const TRACES_GONE =
  "an earlier look has seen its charge or another change of the balance, or an order that may be it, and this one sees none of them";

const TOO_MANY = "there are more new orders than purchases, so somebody else may have bought one";

/** Nothing is listed that could be it. The balance then decides whether to go on waiting. */
function judgeUnlisted(
  money: Money,
  window: Window,
  hasTraces: boolean,
  waitOr: WaitOr,
): OrderVerdict {
  switch (money) {
    case "untouched":
      if (hasTraces) return waitOr(window !== "over", [], TRACES_GONE);
      return window === "open" ? { kind: "wait", hasTraces } : { kind: "notPlaced" };
    case "spent":
      return waitOr(window !== "over", [], "it was charged, and no such order is listed");
    case "spentAgain":
    case "spentElse":
    case "unclear":
      return waitOr(
        window === "open",
        [],
        "no such order is listed, but the balance has changed otherwise, or could not be read, or the order was free",
      );
  }
}

/** One order for each purchase, earliest first; undefined if one of them fits no purchase that way. */
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

function distinct(orders: readonly ListedOrder[]): ListedOrder[] {
  return [...new Set(orders)];
}
