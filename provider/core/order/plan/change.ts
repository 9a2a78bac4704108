import { isPriced } from "../../spending/quote.ts";
import { findEarliestEnd, findLatestEnd, hasEnded } from "../../values/dates.ts";
import type { GivenInputs } from "../../values/inputs.ts";
import { formatMoney } from "../../values/money.ts";
import {
  changedIdentity,
  describeOrder,
  type IdentifyingArg,
  leavesPurchaseOpen,
  type OrderArgs,
} from "../model/args.ts";
import { findReleasable } from "../model/released-proxies.ts";
import { countPlanned, resizeOf } from "../model/resize.ts";
import { type CheckedOrder, type OrderState, paidUntil } from "../model/state.ts";

/** What an order's arguments mean, before any price is asked. */
export type PlannedPurchase = "buy" | "replace" | "adopt" | "resize" | "none" | "unknown";

/**
 * Decides whether arguments mean a purchase.
 * @param before the old checked inputs, if the engine gave any.
 * @param seenAlive whether this process has already met the resource alive. The engine gives no old inputs when it
 * replaces a resource, for whatever reason. Then a paid order stands behind it.
 */
export function planPurchase(
  before: CheckedOrder | undefined,
  args: Partial<OrderArgs>,
  unknown: GivenInputs["unknown"],
  seenAlive: boolean,
): PlannedPurchase {
  if (before === undefined) {
    if (unknown.size > 0) return "unknown";
    if (args.adoptOrderNumber !== undefined) return "adopt";
    return seenAlive ? "replace" : "buy";
  }
  if (leavesPurchaseOpen(unknown)) return "unknown";
  // If the argument is taken out again, the resource keeps the order that it has.
  const { adoptOrderNumber: wanted = before.adoptOrderNumber } = args;
  if (wanted !== before.adoptOrderNumber) return unknown.size > 0 ? "unknown" : "adopt";
  const isReplaced = changedIdentity(before, args).length > 0;
  if (!isReplaced && args.quantity === before.quantity) return "none";
  if (unknown.size > 0) return "unknown";
  return isReplaced ? "replace" : "resize";
}

/** What a diff finds. */
export type OrderChange =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: (IdentifyingArg | "adoptOrderNumber")[] }
  | { kind: "refused"; code: "EDIT_REFUSED" | "REFRESH_NEEDED"; reason: string };

/**
 * Compares what is recorded with what is wanted. Spends nothing. A change that would pay again for a paid order is
 * refused here, at preview, unless the user has allowed it.
 * @param state with the ends that are listed, where proxies were extended since they were recorded.
 * @param now the service's time. It matters only for another quantity, or if the edit would buy again.
 */
export function planChange(
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  unknown: GivenInputs["unknown"],
  now: Date,
): OrderChange {
  const { adoptOrderNumber: adopted = state.orderNumber } = wanted;
  if (![state.orderNumber, ...state.orderIds].includes(adopted)) {
    return { kind: "replace", properties: ["adoptOrderNumber"] };
  }
  const identity = changedIdentity(state, wanted, unknown);
  if (identity.length > 0) {
    if (wanted.allowReplacement) return { kind: "replace", properties: identity };
    return {
      kind: "refused",
      code: "EDIT_REFUSED",
      reason: refuseIdentity(state, wanted, identity, now),
    };
  }
  const isOpen = leavesPurchaseOpen(unknown) || wanted.quote?.effect === "unknown";
  if (isOpen) return { kind: "update" };
  const refusal = refuseResize(state, wanted, now);
  if (refusal) return { kind: "refused", ...refusal };
  // A refresh clears the engine's own memory of an unfinished create, so the state remembers it.
  const isUnfinished = state.status === "pendingDelivery";
  const isUpdate = isUnfinished || wanted.quantity !== state.quantity;
  return { kind: isUpdate ? "update" : "none" };
}

type Refusal = Pick<Extract<OrderChange, { kind: "refused" }>, "code" | "reason">;

/** Why another quantity is refused. Check decided by the old inputs alone, so its plan is compared with the state. */
function refuseResize(
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  now: Date,
): Refusal | undefined {
  const { quantity = state.quantity } = wanted;
  if (state.status === "pendingDelivery" && quantity !== state.quantity) {
    return {
      code: "EDIT_REFUSED",
      reason: `quantity can't be changed from ${state.quantity} to ${quantity} while the delivery of order ${state.purchases.at(-1)?.orderNumber ?? state.orderNumber} is pending. Nothing was bought. Set it to ${state.quantity} until all has arrived`,
    };
  }
  const ended = state.proxies.filter((proxy) => hasEnded(proxy, now));
  if (ended.length > 0 && quantity !== state.quantity) {
    return { code: "REFRESH_NEEDED", reason: refuseEnded(state, quantity, ended) };
  }
  const resize = resizeOf(state, quantity, now);
  const planned = countPlanned(state, wanted);
  if (planned !== resize.buy || (wanted.holdings?.held ?? quantity) !== quantity) {
    return {
      code: "REFRESH_NEEDED",
      reason: `the plan was made for other proxies than the state has: it buys ${planned}. The state holds ${state.holdings.held} and has ${state.released.length} released ones, so it would have to buy ${resize.buy}. Nothing was bought. Run again with --refresh`,
    };
  }
  if (findReleasable(state.proxyType, state.proxies, resize.release)) return undefined;
  return { code: "EDIT_REFUSED", reason: refusePart(state, resize.release) };
}

/** Proxies that have ended still count as held, so the plan would buy too few or let too many go. */
function refuseEnded(state: OrderState, quantity: number, ended: OrderState["proxies"]): string {
  const [were, their] = ended.length === 1 ? ["was", "its"] : ["were", "their"];
  return `quantity can't be changed from ${state.quantity} to ${quantity} yet: order ${state.orderNumber} (${describeOrder(state)}) is not as it is recorded. ${ended.length} of its ${state.proxies.length} proxies ${were} paid until ${findLatestEnd(ended)}, and no refresh has seen ${their} end yet. Nothing was bought or released. Run again with --refresh`;
}

/** The service extends IPv6 proxies by whole orders only (source: endpoint 9). */
function refusePart(state: OrderState, count: number): string {
  const sizes = [...Map.groupBy(state.proxies, ({ orderId }) => orderId)];
  const orders = sizes.map(([orderId, { length }]) => `${orderId} (${length})`).join(", ");
  return `IPv6 proxies are let go by whole orders only, and ${count} of the ${state.quantity} are no whole number of these: ${orders}. Nothing was released. Set quantity to what remains without one or more of them`;
}

function refuseIdentity(
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  names: readonly IdentifyingArg[],
  now: Date,
): string {
  const edits = names.map((name) => `${name} (${show(state[name])} to ${show(wanted[name])})`);
  const { quote } = wanted;
  const price = quote && isPriced(quote) ? ` for ${formatMoney(quote.price, quote.currency)}` : "";
  const again = `changing ${edits.join(", ")} would mean buying again${price}`;
  const order = `order ${state.orderNumber} (${describeOrder(state)})`;
  const paid = state.proxies.filter((proxy) => !hasEnded(proxy, now));
  const last = findLatestEnd(state.proxies);
  if (paid.length === 0 && last !== undefined) {
    return `${again}: ${order} was paid until ${last}, and no refresh has seen its end yet. Nothing was bought. Run again with --refresh: once the end is seen, the edit is a new purchase like any other`;
  }
  const until = paidUntil({ expiresAt: findEarliestEnd(paid) });
  return `${again}: ${order} is paid ${until} and can't be cancelled. Nothing was bought. Undo the edit, declare a further ProxyOrder beside it, or set allowReplacement: true to buy the new one and let the old one run out`;
}

function show(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}
