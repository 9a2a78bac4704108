import type { Account } from "../../account.ts";
import type { ExtensionCheck } from "./pricing.ts";

/** Tells people what a check has planned. A plan that is refused is told by its refusal. */
export async function showExtension(
  { story, balance }: Pick<Account, "story" | "balance">,
  owner: string,
  { checked: { quote }, failures, lines = [] }: ExtensionCheck,
): Promise<void> {
  if (failures.length > 0) return story.plan(owner, { lines: [], isRefused: true });
  const open = quote?.effect === "unknown" ? { atMost: quote.priceAtMost } : undefined;
  const spend = quote?.effect === "extend" ? { price: quote.price } : open;
  await story.plan(owner, {
    lines: [...lines],
    spend,
    currency: quote?.currency,
    balance: balance.beforeRun(),
  });
}
