import type { GivenInputs } from "../inputs.ts";
import { formatMoney } from "../money.ts";
import { isPriced } from "../quote.ts";
import {
  changedIdentity,
  describeOrder,
  type IdentifyingArg,
  leavesPurchaseOpen,
  type OrderArgs,
} from "./args.ts";
import { type CheckedOrder, countOrdered, type OrderState } from "./state.ts";

/** What check makes of an order's arguments, before any price is asked. */
export type PlannedPurchase = "buy" | "replace" | "adopt" | "none" | "unknown";

/**
 * Decides whether arguments mean a purchase.
 * @param before the old checked inputs, if the engine gave any.
 * @param seenAlive whether this process has already met the resource alive. The engine comes back without
 * old inputs when it replaces a resource, whatever made it do so; then a paid order stands behind it.
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
  // Taking the argument out again leaves the resource with the order that it has.
  const { adoptOrderNumber: wanted = before.adoptOrderNumber } = args;
  if (wanted !== before.adoptOrderNumber) return unknown.size > 0 ? "unknown" : "adopt";
  if (changedIdentity(before, args).length === 0) return "none";
  return unknown.size > 0 ? "unknown" : "replace";
}

/** What a diff finds. */
export type OrderChange =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: (IdentifyingArg | "adoptOrderNumber")[] }
  | { kind: "refused"; code: "EDIT_REFUSED" | "REFRESH_NEEDED"; reason: string };

/**
 * Compares what is recorded with what is wanted. It spends nothing; what would mean paying again for a
 * paid order is refused here, at preview, unless the user allowed it.
 */
export function planChange(
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  unknown: GivenInputs["unknown"],
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
      reason: refuseIdentity(state, wanted, identity),
    };
  }
  if (wanted.holdings && wanted.holdings.held !== state.holdings.held) {
    return {
      kind: "refused",
      code: "REFRESH_NEEDED",
      reason: `the plan was made for ${wanted.holdings.held} proxies, the state knows of ${state.holdings.held}. Nothing was bought. Run again with --refresh`,
    };
  }
  if (wanted.quantity !== undefined && wanted.quantity !== state.quantity) {
    return {
      kind: "refused",
      code: "EDIT_REFUSED",
      reason: refuseQuantity(state, wanted.quantity),
    };
  }
  // A refresh clears the engine's own memory of an unfinished create, so the state remembers it.
  if (state.status === "pendingDelivery") return { kind: "update" };
  return leavesPurchaseOpen(unknown) ? { kind: "update" } : { kind: "none" };
}

function refuseIdentity(
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  names: readonly IdentifyingArg[],
): string {
  const edits = names.map((name) => `${name} (${show(state[name])} to ${show(wanted[name])})`);
  const { quote } = wanted;
  const price = quote && isPriced(quote) ? ` for ${formatMoney(quote.price, quote.currency)}` : "";
  return `changing ${edits.join(", ")} would mean buying again${price}: order ${state.orderNumber} (${describeOrder(state)}) is paid ${paidUntil(state)} and can't be cancelled. Nothing was bought. Undo the edit, declare a further ProxyOrder beside it, or set allowReplacement: true to buy the new one and let the old one run out`;
}

function refuseQuantity(state: OrderState, quantity: number): string {
  const ended = countOrdered(state) - state.holdings.held;
  if (ended > 0) {
    return `${ended} of the proxies of order ${state.orderNumber} have ended, ${state.quantity} remain, and an order can't be topped up. Nothing was bought. Set quantity to ${state.quantity}, and declare a further ProxyOrder for more proxies`;
  }
  const pending = state.status === "pendingDelivery" ? " while its delivery is pending" : "";
  return `quantity of order ${state.orderNumber} can't be changed from ${state.quantity} to ${quantity}${pending}: the order is paid ${paidUntil(state)}. Nothing was bought. Undo the edit, or declare a further ProxyOrder for more proxies`;
}

/** Until when an order is paid, as far as the service has said. */
export function paidUntil(state: Pick<OrderState, "expiresAt">): string {
  return state.expiresAt === undefined ? "for its whole period" : `until ${state.expiresAt}`;
}

function show(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}
