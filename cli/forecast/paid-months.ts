import { type Intent, sentBetween } from "../../provider/core/records/intent.ts";
import { mayBePaid, sumOf } from "../../provider/core/spending/budget.ts";
import { stackOf } from "../../provider/core/values/owner.ts";
import { inScopes } from "../journal/intent-words.ts";

/** What a stack has bought in a calendar month, UTC. */
export interface PaidMonth {
  /** "2026-03". */
  month: string;
  /** "project/stack", and its journalScope where it has one: "project/stack (staging)". */
  stack: string;
  purchases: number;
  amount: number;
  currency: string;
}

/** What the journal says of the past. */
export interface PurchaseBook {
  /** The newest month first. */
  months: PaidMonth[];
  /** Whether purchases of several accounts are in it, since they share the journal. */
  hasSeveralAccounts: boolean;
}

/** Adds up what was bought, by month and stack. What may have been bought counts too, as it does for a monthly budget. */
export function addUpMonths(intents: readonly Intent[]): PurchaseBook {
  const paid = intents.filter(mayBePaid);
  const alike = Map.groupBy(paid, (intent) =>
    JSON.stringify([monthOf(intent), nameStack(intent), intent.currency]),
  );
  const months = [...alike].map(([key, purchases]) => {
    const [month, stack, currency] = JSON.parse(key) as [string, string, string];
    const amount = sumOf(purchases);
    return { month, stack, currency, purchases: purchases.length, amount };
  });
  return {
    months: months.toSorted(
      (a, b) => b.month.localeCompare(a.month) || a.stack.localeCompare(b.stack),
    ),
    hasSeveralAccounts: new Set(paid.flatMap(({ account }) => account ?? [])).size > 1,
  };
}

function monthOf(intent: Intent): string {
  return sentBetween(intent).latest.toISOString().slice(0, "2026-03".length);
}

function nameStack(intent: Intent): string {
  const stackOfOwner = stackOf(intent.owner);
  const [, stack = "", project = ""] = /urn:pulumi:(.+?)::(.+?)$/.exec(stackOfOwner) ?? [];
  return inScopes(`${project}/${stack}`, intent);
}
