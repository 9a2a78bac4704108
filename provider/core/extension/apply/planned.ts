import type { Account } from "../../account.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { assertPreviewed } from "../../spending/previewed-price.ts";
import { isPriced, type PricedQuote } from "../../spending/quote.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { addMoney, mostForShare, shareMoney } from "../../values/money.ts";
import type { DatedProxy } from "../model/rounds.ts";
import type { CheckedExtension } from "../model/state.ts";
import { nameTerms } from "../model/terms.ts";

/** Throws if anything would be paid that the plan did not show: a further round, a further proxy, a higher price. */
export function assertPlanned(
  { quote, rounds: planned }: CheckedExtension,
  rounds: readonly DatedProxy[][],
  paidCount: number,
): PricedQuote {
  const left = planned.slice(paidCount);
  const [next] = left;
  const [round = []] = rounds;
  const covered = rounds.every((round, index) => round.length <= (left[index]?.quantity ?? 0));
  if (quote.effect === "extend" && isPriced(quote) && next && covered) {
    const price = mostForShare(next.price, round.length, next.quantity);
    return { effect: "extend", currency: quote.currency, quantity: round.length, price };
  }
  const needed = rounds.map((round) => round.length).join(" + ");
  const shown = left.map((round) => round.quantity).join(" + ") || "no";
  throw new ProxyRentalError(
    "NOT_PLANNED",
    `${needed} extensions of single proxies are needed, and the plan shows ${shown} (effect ${quote.effect}), so nothing more was bought. Run \`pulumi up --refresh\` to plan anew.`,
  );
}

/**
 * The newest preview binds all rounds together: those that are paid already, and those that are still needed at the
 * prices of this plan.
 */
export async function assertRoundsPreviewed(
  account: Pick<Account, "journal" | "run">,
  checked: CheckedExtension,
  rounds: readonly DatedProxy[][],
  paid: readonly ExtensionIntent[],
): Promise<void> {
  const { owner, requestId, rounds: planned } = checked;
  const { currency = "" } = checked.quote;
  const left = planned.slice(paid.length);
  const needed = rounds.map((round, index) => {
    const { price = 0, quantity = round.length } = left[index] ?? {};
    return shareMoney(price, round.length, quantity);
  });
  const price = addMoney(...paid.map((one) => one.price), ...needed);
  const quantity = rounds[0]?.length ?? 0;
  const all = [...paid.map(countProxies), ...rounds.map((round) => round.length)];
  const terms = nameTerms(checked);
  const wanted = { owner, requestId, terms, quantity, rounds: all, price, currency };
  await assertPreviewed(account, wanted);
}

function countProxies({ purchase }: ExtensionIntent): number {
  return purchase.request.ipAddressIds.length;
}
