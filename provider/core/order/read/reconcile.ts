import type { Reading } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { findEarliestEnd, hasEnded, laterEnd } from "../../values/dates.ts";
import { costBasisIn } from "../model/cost-basis.ts";
import type { Holdings } from "../model/holdings.ts";
import { recordHoldings } from "../model/released-proxies.ts";
import {
  type CheckedOrder,
  type OrderState,
  parseCheckedOrder,
  type ReleasedProxy,
  toReleased,
} from "../model/state.ts";
import type { MayBeExtended } from "./classify-proxies.ts";
import { compareWithListing, type ListingComparison } from "./compare-with-listing.ts";
import { hasRunOut, withPaidEnd } from "./paid-end.ts";

/** What a read finds. Only `gone` lets the engine plan another purchase, so it is never given in doubt. */
export type Reconciled =
  | { kind: "present"; state: OrderState; drift?: CheckedOrder }
  | { kind: "gone" }
  /** `orders`: the numbers of those in doubt. */
  | {
      kind: "doubtful";
      code: "ORDER_MISSING" | "LISTING_INCONSISTENT" | "CONFIGURATION_INVALID";
      reason: string;
      orders: string[];
    };

/** Compares a resource's recorded orders with a complete listing, and says which conclusions need a second listing. */
export function readListed(
  state: OrderState,
  snapshot: Pick<Snapshot, "records" | "asOf">,
  goneOrders: ReadonlySet<string>,
  mayBeExtended?: MayBeExtended,
): Reading<Reconciled> {
  const found = compareWithListing(state, snapshot, goneOrders, mayBeExtended);
  const value = judge(state, found, snapshot.asOf);
  const rows = [...found.held, ...found.released].map(({ ipAddressId }) => ipAddressId);
  return { value, rows, costly: describeLoss(state, found, value) };
}

/** In words, what would be bought again, or no longer be looked after, if it were wrong. */
function describeLoss(
  state: OrderState,
  { held, released, ended, missing, renewing, cutShort }: ListingComparison,
  { kind }: Reconciled,
): string | undefined {
  const letGo = Math.max(0, state.released.length - released.length);
  const isWhole = ended + missing + renewing.length + cutShort.length + letGo === 0;
  if (kind === "present" && isWhole) return undefined;
  const numbers = [
    `${held.length + released.length} proxies of order ${numbersOfProxies(state, []).join(", ")} are listed and living`,
    ...(ended > 0 ? [`${ended} have ended`] : []),
    ...(letGo > 0 ? [`${letGo} that were let go are not there any more`] : []),
    ...(missing > 0 ? [`${missing} are missing`] : []),
    ...(renewing.length > 0 ? [`${renewing.length} are past their end and may be extended`] : []),
    ...(cutShort.length > 0 ? [`${cutShort.length} have ended before their recorded end`] : []),
    ...(kind === "gone" ? ["nothing is left of it"] : []),
  ];
  return numbers.join(", ");
}

function judge(state: OrderState, found: ListingComparison, asOf: Date | undefined): Reconciled {
  const { held, released, ended, isAwaited, missing, renewing, cutShort, undead } = found;
  const remains = state.holdings.held - ended;
  const isEmpty = held.length === 0 && released.length === 0 && renewing.length === 0;
  if (undead.length > 0) return refuseGone(state, undead);
  if (cutShort.length > 0) return doubtEnds(state, cutShort);
  if (missing > 0) return doubtMissing(state, found, asOf);
  if (remains <= 0 && isEmpty) return { kind: "gone" };
  // What renews of an awaited order may be what is awaited. What was seen before is counted as ended.
  if (renewing.length > 0 && (!isAwaited || ended > 0)) {
    const numbers = numbersOfProxies(state, renewing);
    const reason = `${renewing.length} proxies of order ${numbers.join(", ")} have ended although their auto-extension was on; the service may have extended them, and not list it yet`;
    const orders = namesToDeclare(state, found, renewing);
    return { kind: "doubtful", code: "ORDER_MISSING", reason, orders };
  }
  if (isAwaited) {
    if (isEmpty && hasRunOut(state, asOf)) return { kind: "gone" };
    // Only an update completes a delivery. If a refresh did, the failed run would look healthy.
    return present(state, found, remains + found.replaced, "pendingDelivery");
  }
  return present(state, found, Math.min(held.length, state.holdings.held), "active");
}

function present(
  state: OrderState,
  { held, released }: Pick<ListingComparison, "held" | "released">,
  count: number,
  status: OrderState["status"],
): Reconciled {
  const latest = keepEnds(state);
  const fresh = {
    ...state,
    ...recordHoldings(state, held.map(latest), released.map(latest).map(toReleased)),
    status,
  };
  const holdings = { ...fresh.holdings, held: count };
  if (isSameHoldings(holdings, state.holdings))
    return { kind: "present", state: { ...fresh, holdings } };
  const quantity = state.quantity - (state.holdings.held - count);
  const corrected = { ...fresh, quantity, holdings };
  // The inputs go on with the cost basis: the period that is recorded may be meant for the next purchase.
  const quote: OrderQuote = { effect: "none", owned: costBasisIn(state) };
  return { kind: "present", state: corrected, drift: parseCheckedOrder({ ...corrected, quote }) };
}

/** No end moves backwards: one listing that is behind, or tells no end, must not shorten what is recorded. */
function keepEnds({ proxies, released }: OrderState): <Row extends ReleasedProxy>(row: Row) => Row {
  const recorded = new Map(
    [...proxies, ...released].map(({ ipAddressId, dateEnd }) => [ipAddressId, dateEnd]),
  );
  return (row) => ({ ...row, dateEnd: laterEnd(row.dateEnd, recorded.get(row.ipAddressId)) });
}

function isSameHoldings(a: Holdings, b: Holdings): boolean {
  return JSON.stringify([a.held, a.released]) === JSON.stringify([b.held, b.released]);
}

function doubtMissing(
  state: OrderState,
  found: ListingComparison,
  asOf: Date | undefined,
): Reconciled {
  const { missing, unlisted } = found;
  const orders = numbersOfProxies(state, unlisted);
  const all = [...state.proxies, ...state.released];
  const total = all.filter((proxy) => orders.includes(numberOf(state, proxy))).length;
  return {
    kind: "doubtful",
    code: "ORDER_MISSING",
    reason: `${missing} of the ${Math.max(missing, total)} proxies of order ${orders.join(", ")} are missing from the listing ${explainEnds(state, unlisted, asOf)}`,
    orders: namesToDeclare(state, found, unlisted),
  };
}

/** By what a person declares these proxies gone. An order of which a part lives can't be declared gone as a whole. */
function namesToDeclare(
  state: OrderState,
  { held, released }: Pick<ListingComparison, "held" | "released">,
  proxies: readonly ReleasedProxy[],
): string[] {
  const living = new Set([...held, ...released].map((proxy) => numberOf(state, proxy)));
  const isPart = proxies.some((proxy) => living.has(numberOf(state, proxy)));
  return isPart ? proxies.map(({ ipAddressId }) => ipAddressId) : numbersOfProxies(state, proxies);
}

/** Why their recorded ends prove nothing. */
function explainEnds(
  state: OrderState,
  unlisted: readonly ReleasedProxy[],
  asOf: Date | undefined,
): string {
  const isPast = (proxy: ReleasedProxy) => hasEnded(withPaidEnd(state, proxy), asOf);
  const living = unlisted.filter((proxy) => !isPast(proxy));
  if (living.length === 0 && unlisted.length > 0) {
    const ends = findEarliestEnd(unlisted.map((proxy) => withPaidEnd(state, proxy)));
    return `and were extended automatically when they were last seen, so their recorded end (${ends}), which has passed, may not be their last`;
  }
  const end = findEarliestEnd(living) ?? "not known";
  if (asOf === undefined) return `(recorded end: ${end}), and the service does not say its time`;
  return `before their recorded end (${end})`;
}

/** It may be a refund, or a listing that is behind an extension. */
function doubtEnds(state: OrderState, cutShort: readonly ReleasedProxy[]): Reconciled {
  const orders = numbersOfProxies(state, cutShort);
  const ids = cutShort.map(({ ipAddressId }) => ipAddressId);
  return {
    kind: "doubtful",
    code: "LISTING_INCONSISTENT",
    reason: `by the listing, ${cutShort.length} proxies of order ${orders.join(", ")} have ended, but they are recorded as paid until ${findEarliestEnd(cutShort)}: ${ids.join(", ")}`,
    orders: ids,
  };
}

/** To follow this declaration would mean to buy again what is there. */
function refuseGone(state: OrderState, undead: ListingComparison["undead"]): Reconciled {
  const orders = numbersOfProxies(state, undead);
  const ids = undead.map(({ ipAddressId }) => ipAddressId);
  return {
    kind: "doubtful",
    code: "CONFIGURATION_INVALID",
    reason: `goneOrders declares proxies of order ${orders.join(", ")} gone that are listed and paid until ${findEarliestEnd(undead) ?? "an end that is not told"}: ${ids.join(", ")}`,
    orders,
  };
}

/** The numbers of the orders of these proxies; of all orders if there are no proxies. */
export function numbersOfProxies(
  state: OrderState,
  proxies: readonly Pick<ReleasedProxy, "orderId">[],
): string[] {
  const those = proxies.length > 0 ? proxies : state.orderIds.map((orderId) => ({ orderId }));
  const numbers = new Set(those.map((proxy) => numberOf(state, proxy)));
  return numbers.size > 0 ? [...numbers] : [state.orderNumber];
}

function numberOf(
  { orderNumber, purchases }: OrderState,
  { orderId }: Pick<ReleasedProxy, "orderId">,
): string {
  const bought = purchases.find(({ orderIds }) => orderIds.includes(orderId));
  return bought?.orderNumber ?? orderNumber;
}
