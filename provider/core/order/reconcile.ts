import type { Snapshot } from "../listing.ts";
import type { Holdings } from "./holdings.ts";
import { recordHoldings } from "./release.ts";
import { type CheckedOrder, type OrderState, readCheckedOrder, toReleased } from "./state.ts";
import { type Tally, tally } from "./tally.ts";

/** What a read finds. Only `gone` lets the engine plan another purchase, so it is never said on doubt. */
export type Reconciled =
  | { kind: "present"; state: OrderState; drift?: CheckedOrder }
  | { kind: "gone" }
  | { kind: "doubtful"; reason: string };

/** Holds what is recorded of a resource's orders against a complete listing. */
export function reconcile(
  state: OrderState,
  snapshot: Snapshot,
  goneOrders: ReadonlySet<string>,
): Reconciled {
  const found = tally(state, snapshot, goneOrders);
  const { held, released, ended, cancelled, missing, renewing } = found;
  const remains = state.holdings.held - ended;
  const isEmpty = held.length === 0 && released.length === 0 && renewing === 0;
  if (remains <= 0 && isEmpty && missing === 0) return { kind: "gone" };
  // What is declared gone is not waited for any more, or the next read would count it again.
  if (state.status === "pendingDelivery" && cancelled === 0) {
    if (isEmpty && hasRunOut(state, snapshot.asOf)) return { kind: "gone" };
    // Only an update completes a delivery: a refresh that did would make the failed run look healthy.
    return present(state, found, remains, "pendingDelivery");
  }
  if (missing > 0) return doubt(state, missing);
  if (renewing > 0) {
    return {
      kind: "doubtful",
      reason: `${renewing} proxies of order ${state.orderNumber} have ended although their auto-extension is on; it may be under way`,
    };
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
  return { kind: "present", state: corrected, drift: readCheckedOrder(corrected) };
}

function isSameHoldings(a: Holdings, b: Holdings): boolean {
  return JSON.stringify([a.held, a.released]) === JSON.stringify([b.held, b.released]);
}

function doubt(state: OrderState, count: number): Reconciled {
  return {
    kind: "doubtful",
    reason: `${count} of the ${state.holdings.held + state.released.length} proxies of order ${state.orderNumber} are missing from the listing before their recorded end (${state.expiresAt ?? "not known"})`,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether what was paid has ended although nobody ever saw it listed, and nothing extends what is not. */
function hasRunOut({ purchases }: OrderState, asOf: Date | undefined): boolean {
  const ends = purchases.map(({ at, rentPeriodDays }) => Date.parse(at) + rentPeriodDays * DAY_MS);
  // A day more: the purchase is dated by this machine's clock.
  return asOf !== undefined && ends.length > 0 && Math.max(...ends) + DAY_MS <= asOf.getTime();
}
