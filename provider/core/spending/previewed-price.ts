import type { Journal } from "../journal/journal.ts";
import type { Intent } from "../records/intent.ts";
import type { PlanTrace, PreviewedPlan } from "../records/previewed-plan.ts";
import { isSpending } from "../values/effect.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { formatMoney, mostForShare } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { assertNotDearer } from "./gates.ts";
import { type BoundRun, holdAgainstPreviews } from "./held-against-previews.ts";
import type { PricedQuote } from "./quote.ts";

/** A purchase that is about to be sent. */
export interface WantedPurchase extends Pick<PricedQuote, "quantity" | "price" | "currency"> {
  owner: string;
  requestId: string;
  /** See `PreviewedPlan`. */
  rounds?: readonly number[];
  /** See `PreviewedPlan`. */
  terms?: string;
}

/** Where plans are noted, and who waits for that. */
export interface NotePlace {
  journal: Pick<Journal, "previewed" | "sequenceAtBeginning">;
  /** See `AccountParts`. */
  waitsForNotes: boolean;
}

/** What a check says of its plan. */
interface CheckedPlan {
  failures: readonly unknown[];
  checked: {
    requestId?: string | undefined;
    quote?: Omit<PlanTrace, "owner" | "rounds"> | undefined;
    rounds?: readonly { quantity: number }[] | undefined;
  };
  /** Whether nothing changes. @default false */
  isKept?: boolean | undefined;
  /** See `PreviewedPlan`. */
  terms?: string;
  /** See `PreviewedPlan`. */
  turn?: number | undefined;
}

/**
 * Notes what a check has planned, for the purchase that may follow. A purchase is written down before the plan shows it:
 * the check waits for that, or the host does, and fails where it is not possible. That nothing changes is written with others
 * while the plan goes on: most plans of a large stack say that.
 */
export async function notePlan(
  { journal: { previewed, sequenceAtBeginning }, waitsForNotes }: NotePlace,
  owner: string,
  {
    failures,
    checked: { requestId, quote, rounds = [] },
    isKept = false,
    terms,
    turn,
  }: CheckedPlan,
): Promise<void> {
  if (failures.length > 0 || quote === undefined) return;
  const { effect, quantity, price, priceAtMost, currency, proxies } = quote;
  const sequence = await sequenceAtBeginning().catch(() => undefined);
  const plan = {
    ...{ owner, requestId, sequence, turn, proxies },
    ...{ effect, quantity, price, priceAtMost, currency },
    ...(rounds.length > 1 && { rounds: rounds.map((round) => round.quantity), terms }),
  };
  // What is not known yet and has no cap forbids nothing.
  const isCapped = effect === "unknown" && priceAtMost !== undefined;
  const costs = isSpending(plan) || effect === "autoExtend" || isCapped;
  if (costs && !isKept && !waitsForNotes) await previewed.note(plan);
  else previewed.noteLater(plan, costs && !isKept);
}

/**
 * Throws for a purchase that the newest preview did not show: one that it showed as none, as another one, cheaper or
 * smaller, or that it did not contain. A purchase that was carried out once, and is wanted again, is bound by its preview still.
 * @param known the journal, if it was read already
 */
export function assertPreviewed(
  run: BoundRun,
  wanted: WantedPurchase,
  known?: readonly Intent[],
): Promise<void> {
  const held = {
    ...{ owner: wanted.owner, requestId: wanted.requestId, terms: wanted.terms },
    isAgain: ({ requestId }: PreviewedPlan) => requestId === wanted.requestId,
    assertShown: (plan: PreviewedPlan) => assertShown(plan, wanted),
  };
  return holdAgainstPreviews(run, held, known);
}

/** Throws if one preview did not show a purchase. */
function assertShown(previewed: PreviewedPlan, wanted: WantedPurchase): void {
  if (previewed.effect === "unknown") {
    assertBelowCap(previewed, wanted);
    return;
  }
  const { requestId, quantity = 0, price, currency } = previewed;
  const isSame =
    isSpending(previewed) && requestId === wanted.requestId && quantity >= wanted.quantity;
  if (!isSame) throw notShown(previewed, wanted);
  if (price !== undefined && currency !== undefined) {
    const most = mostForShare(price, countPaid(wanted), countPaid(previewed));
    assertNotDearer({ price: most, currency }, wanted.price, wanted.currency);
  }
}

/** How many proxies are paid for one period, over all calls. */
function countPaid({
  quantity = 0,
  rounds = [quantity],
}: Pick<PlanTrace, "quantity"> & { rounds?: readonly number[] | undefined }): number {
  return rounds.reduce((sum, round) => sum + round, 0);
}

/** The preview could not name a price. It showed only the user's own cap. */
function assertBelowCap(previewed: PreviewedPlan, { price, currency }: WantedPurchase): void {
  const { priceAtMost } = previewed;
  if (priceAtMost === undefined) return;
  assertNotDearer(
    { price: priceAtMost, currency: previewed.currency ?? currency },
    price,
    currency,
  );
}

function notShown(previewed: PreviewedPlan, wanted: WantedPurchase): ProxyRentalError {
  const { owner, quantity, price, currency } = wanted;
  return new ProxyRentalError(
    "NOT_PLANNED",
    `the last preview (${previewed.at}) showed ${describeShown(previewed)} for ${nameOf(owner)}, and now ${quantity} would be bought for ${formatMoney(price, currency)}. Nothing was bought. Run \`pulumi preview\` to see what is planned now, then run again.`,
  );
}

function describeShown(previewed: PreviewedPlan): string {
  const { effect, requestId, quantity, price, currency } = previewed;
  // It may have contained the resource, and been refused before it came to a plan.
  if (effect === "none" && requestId === undefined) return "no purchase";
  if (!isSpending(previewed)) {
    return effect === "none" ? "that nothing would be bought" : `no purchase (effect ${effect})`;
  }
  return price === undefined || currency === undefined
    ? "another purchase"
    : `another purchase (${quantity} for ${formatMoney(price, currency)})`;
}
