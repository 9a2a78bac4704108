import type { Account } from "../../account.ts";
import type { ShownPlan } from "../../records/run-fact.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { perMonth } from "../../spending/renewing.ts";
import { isSpending } from "../../values/effect.ts";
import { divideMoney } from "../../values/money.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import type { OrderCheck } from "../model/order-check.ts";
import type { CheckedOrder } from "../model/state.ts";

/** Tells people what a check has planned. A plan that is refused is told by its refusal. */
export async function showPlan(
  { story, balance }: Pick<Account, "story" | "balance">,
  owner: string,
  { checked, failures, lines = [], currency }: OrderCheck,
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
    currency: quote.currency ?? currency,
    balance: balance.beforeRun(),
  });
}

function spendOf(quote: OrderQuote): ShownPlan["spend"] {
  if (quote.effect === "unknown") return { atMost: quote.priceAtMost };
  return isSpending(quote) ? { price: quote.price } : undefined;
}

/** What it costs to keep all that is held after this plan; undefined if the plan buys nothing. */
function keepingOf(checked: Partial<CheckedOrder>): ShownPlan["keeping"] {
  const { proxyType, rentPeriodDays, quote, holdings } = checked;
  const mayBuy = quote?.effect === "unknown" || (quote !== undefined && isSpending(quote));
  if (!mayBuy || proxyType === undefined) return undefined;
  if (rentPeriodDays === undefined || holdings === undefined) return { proxyType };
  if (quote.effect === "unknown") return { proxyType };
  const basis = costBasisOf({ quote: withoutDiscount(quote), rentPeriodDays, holdings });
  return { proxyType, amount: basis && perMonth(basis.price, basis.rentPeriodDays) };
}

/** An automatic extension has no promo code. */
function withoutDiscount({ price, discount = 0, ...quote }: OrderQuote): OrderQuote {
  if (price === undefined || discount === 0) return { ...quote, price };
  return { ...quote, price: discount < 100 ? divideMoney(price * 100, 100 - discount) : undefined };
}
