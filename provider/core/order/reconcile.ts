import { findEarliestEnd } from "../end.ts";
import type { Snapshot } from "../listing.ts";
import type { OrderQuote } from "../quote.ts";
import type { Holdings } from "./holdings.ts";
import { ownedIn } from "./owned.ts";
import { hasRunOut } from "./paid-end.ts";
import { recordHoldings } from "./release.ts";
import {
  type CheckedOrder,
  type OrderState,
  type ReleasedProxy,
  readCheckedOrder,
  toReleased,
} from "./state.ts";
import { type Tally, tally } from "./tally.ts";

/** What a read finds. Only `gone` lets the engine plan another purchase, so it is never said on doubt. */
export type Reconciled =
  | { kind: "present"; state: OrderState; drift?: CheckedOrder }
  | { kind: "gone" }
  /** `orders`: by their numbers, those in doubt. */
  | { kind: "doubtful"; reason: string; orders: string[] };

/** Holds what is recorded of a resource's orders against a complete listing. */
export function reconcile(
  state: OrderState,
  snapshot: Snapshot,
  goneOrders: ReadonlySet<string>,
): Reconciled {
  const found = tally(state, snapshot, goneOrders);
  const { held, released, ended, isAwaited, missing, renewing } = found;
  const remains = state.holdings.held - ended;
  const isEmpty = held.length === 0 && released.length === 0 && renewing.length === 0;
  if (missing > 0) return doubtMissing(state, found);
  if (remains <= 0 && isEmpty) return { kind: "gone" };
  if (isAwaited) {
    if (isEmpty && hasRunOut(state, snapshot.asOf)) return { kind: "gone" };
    // Only an update completes a delivery: a refresh that did would make the failed run look healthy.
    return present(state, found, remains, "pendingDelivery");
  }
  if (renewing.length > 0) {
    const orders = numbersOf(state, renewing);
    const reason = `${renewing.length} proxies of order ${orders.join(", ")} have ended although their auto-extension is on; it may be under way`;
    return { kind: "doubtful", reason, orders };
  }
  return present(state, found, Math.min(held.length, state.holdings.held), "active");
}

function present(
  state: OrderState,
  { held, released }: Pick<Tally, "held" | "released">,
  count: number,
  status: OrderState["status"],
): Reconciled {
  const fresh = { ...state, ...recordHoldings(state, held, released.map(toReleased)), status };
  const holdings = { ...fresh.holdings, held: count };
  if (isSameHoldings(holdings, state.holdings))
    return { kind: "present", state: { ...fresh, holdings } };
  const quantity = state.quantity - (state.holdings.held - count);
  const corrected = { ...fresh, quantity, holdings };
  // The inputs go on with what is owned: the period that is recorded may be meant for the next purchase.
  const quote: OrderQuote = { effect: "none", owned: ownedIn(state) };
  return { kind: "present", state: corrected, drift: readCheckedOrder({ ...corrected, quote }) };
}

function isSameHoldings(a: Holdings, b: Holdings): boolean {
  return JSON.stringify([a.held, a.released]) === JSON.stringify([b.held, b.released]);
}

function doubtMissing(state: OrderState, { missing, unlisted }: Tally): Reconciled {
  const orders = numbersOf(state, unlisted);
  const end = findEarliestEnd(unlisted) ?? "not known";
  const all = [...state.proxies, ...state.released];
  const total = all.filter((proxy) => orders.includes(numberOf(state, proxy))).length;
  return {
    kind: "doubtful",
    reason: `${missing} of the ${Math.max(missing, total)} proxies of order ${orders.join(", ")} are missing from the listing before their recorded end (${end})`,
    orders,
  };
}

/** The numbers of the orders that these proxies are of; of all where there are none. */
export function numbersOf(
  state: OrderState,
  proxies: readonly Pick<ReleasedProxy, "orderId">[],
): string[] {
  const those = proxies.length > 0 ? proxies : state.orderIds.map((orderId) => ({ orderId }));
  return [...new Set(those.map((proxy) => numberOf(state, proxy)))];
}

function numberOf(
  { orderNumber, purchases }: OrderState,
  { orderId }: Pick<ReleasedProxy, "orderId">,
): string {
  const bought = purchases.find(({ orderIds }) => orderIds.includes(orderId));
  return bought?.orderNumber ?? orderNumber;
}
