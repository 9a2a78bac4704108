import type { Account } from "../../account.ts";
import type { ShownPlan } from "../../records/run-fact.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { isSpending } from "../../values/effect.ts";
import { keepingOf } from "../model/cost-basis.ts";
import type { OrderCheck } from "../model/order-check.ts";

/** Tells people what a check has planned. A plan that is refused is told by its refusal. */
export async function showPlan(
  { story, balance }: Pick<Account, "story" | "balance">,
  owner: string,
  { checked, failures, lines = [] }: OrderCheck,
): Promise<void> {
  const { quote } = checked;
  // Diff refuses a replacement that was not allowed.
  const isRefused =
    failures.length > 0 || (quote?.effect === "replace" && !checked.allowReplacement);
  if (isRefused || quote === undefined) return story.plan(owner, { lines: [], isRefused: true });
  await story.plan(owner, {
    lines: [...lines],
    spend: spendOf(quote),
    keeping: keepingOf(checked),
    currency: quote.currency,
    balance: balance.beforeRun(),
  });
}

function spendOf(quote: OrderQuote): ShownPlan["spend"] {
  if (quote.effect === "unknown") return { atMost: quote.priceAtMost };
  return isSpending(quote) ? { price: quote.price } : undefined;
}
