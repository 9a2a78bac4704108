import type { Account } from "../account.ts";
import { ProxyRentalError } from "../errors.ts";
import { assertNotDearer, isPriced, type PricedQuote } from "../quote.ts";
import type { DatedProxy } from "./rounds.ts";
import type { CheckedExtension } from "./state.ts";

/** Nothing is paid that the plan did not show: no further round, no further proxy, no higher price. */
export function assertPlanned(
  { quote, rounds: planned }: CheckedExtension,
  rounds: readonly DatedProxy[][],
  paidCount: number,
): PricedQuote {
  const left = planned.slice(paidCount);
  const [next] = left;
  const covered = rounds.every((round, index) => round.length <= (left[index]?.quantity ?? 0));
  if (quote.effect === "extend" && isPriced(quote) && next && covered) {
    return { effect: "extend", currency: quote.currency, ...next };
  }
  const needed = rounds.map((round) => round.length).join(" + ");
  const shown = left.map((round) => round.quantity).join(" + ") || "no";
  throw new ProxyRentalError(
    "NOT_PLANNED",
    `${needed} extensions of single proxies are needed, and the plan shows ${shown} (effect ${quote.effect}), so nothing more was bought. Run \`pulumi up --refresh\` to plan anew.`,
  );
}

/** What a preview has shown for all rounds together binds the run after it. */
export async function assertNotDearerThanShown(
  { journal }: Account,
  { requestId, quote }: CheckedExtension,
): Promise<void> {
  if (quote.effect !== "extend" || !isPriced(quote)) return;
  const earlier = await journal.shown.shownBefore(requestId);
  if (earlier) assertNotDearer(earlier, quote.price, quote.currency);
}
