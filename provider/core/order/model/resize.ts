import { planResize, type Resize } from "./holdings.ts";
import { groupReleases } from "./released-proxies.ts";
import type { CheckedOrder, OrderState } from "./state.ts";

/** What another quantity means, by the state. */
export function resizeOf(state: OrderState, quantity: number, now: Date): Resize {
  const holdings = { ...state.holdings, released: groupReleases(state.proxyType, state.released) };
  return planResize(holdings, quantity, state.proxyType === "IPv6", now);
}

/** How many proxies the plan would buy with a further order. The state has those that are bought already. */
export function countPlanned(
  state: OrderState,
  { requestId, quote }: Partial<CheckedOrder>,
): number {
  return requestId === undefined || requestId === state.requestId ? 0 : (quote?.quantity ?? 0);
}
