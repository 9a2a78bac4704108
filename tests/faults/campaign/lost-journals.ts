import { type Intent, namesOf as namesInJournal } from "../../../provider/core/records/intent.ts";
import { isUnansweredFor } from "./paid-orders.ts";
import type { Tenant } from "./tenant.ts";

/** What was known only to journals that are lost. */
export interface LostJournals {
  /** Whether any was lost. */
  any(): boolean;
  /** Notes that the journal of these stacks is lost. */
  note(tenants: readonly Tenant[]): void;
  /** The ids of orders that were bought with such a journal. */
  readonly unrecorded: ReadonlySet<string>;
  /** Whether nobody has a record of the order since then. */
  isForgotten(row: { orderId: string }): boolean;
}

export function createLostJournals(): LostJournals {
  const forgotten = new Set<string>();
  const unrecorded = new Set<string>();
  let isAnyLost = false;
  return {
    any: () => isAnyLost,
    note(tenants) {
      isAnyLost = true;
      for (const { account, known } of tenants) {
        const inState = known();
        for (const { orderNumber, orderId } of account.orders()) {
          unrecorded.add(orderId);
          if (!inState.has(orderNumber) && !inState.has(orderId)) forgotten.add(orderId);
        }
      }
    },
    unrecorded,
    isForgotten: ({ orderId }) => forgotten.has(orderId),
  };
}

/**
 * Lets go of orders that only `pulumi-proxyrental orphans` can find: after its journal was lost, a machine knows nothing of
 * an order that the program no longer asks for.
 */
export function letGoOfUnwanted({ account, program, known, missingOf, release }: Tenant): void {
  const inState = known();
  for (const { orderNumber, orderId, goal, country, quantity } of account.orders()) {
    const isWanted = program.get(goal)?.country === country && missingOf(goal) === quantity;
    if (!isWanted && !inState.has(orderNumber) && !inState.has(orderId)) release(orderNumber);
  }
}

/**
 * Lets go of orders that nobody can know of: the journal was lost, no state has them, and they are older than the
 * look-back. docs/limits.md says so.
 */
export function letGoOfForgotten(
  tenant: Tenant,
  recorded: readonly Intent[],
  lookBackFromMs: number,
): void {
  const inState = tenant.known();
  const inJournal = new Set(recorded.flatMap(namesInJournal));
  for (const { orderNumber, orderId, goal, placedAt } of tenant.account.orders()) {
    const isUnanswered = recorded.some((intent) => isUnansweredFor(tenant, goal, intent));
    const names = [orderNumber, orderId];
    const isKnown = isUnanswered || names.some((name) => inState.has(name) || inJournal.has(name));
    if (!isKnown && Date.parse(placedAt) < lookBackFromMs) tenant.release(orderNumber);
  }
}
