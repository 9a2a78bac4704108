import { findByMoment } from "../../journal/known-purchases.ts";
import type { Intent } from "../../records/intent.ts";
import type { OrderState } from "../model/state.ts";

/**
 * Adds the ids under which other runs have found its orders in the listing: the state may be from before, and the number that
 * the service has told is not listed everywhere.
 */
export function withListedIds(state: OrderState, intents: readonly Intent[]): OrderState {
  const purchases = state.purchases.map((receipt) => {
    const found = findByMoment(intents, receipt)?.orderIds ?? [];
    return { ...receipt, orderIds: [...new Set([...receipt.orderIds, ...found])] };
  });
  const all = purchases.flatMap(({ orderIds }) => orderIds);
  return { ...state, purchases, orderIds: [...new Set([...state.orderIds, ...all])] };
}
