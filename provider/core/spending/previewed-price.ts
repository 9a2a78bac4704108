import type { Journal } from "../journal/journal.ts";
import type { RunIdentity } from "../ports.ts";
import { type Intent, isOfScope, isPlaced } from "../records/intent.ts";
import type { PlanTrace, PreviewedPlan } from "../records/previewed-plan.ts";
import { isSpending } from "../values/effect.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { formatMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { findBinding } from "./binding-previews.ts";
import { assertNotDearer } from "./gates.ts";
import type { PricedQuote } from "./quote.ts";

/** A purchase that is about to be sent. */
export interface WantedPurchase extends Pick<PricedQuote, "quantity" | "price" | "currency"> {
  owner: string;
  requestId: string;
  /** The proxies that the service will extend by itself from then on, each time for this price. @default it is a purchase */
  proxies?: readonly string[];
}

/** Where plans are noted, and who waits for that. */
interface NotePlace {
  journal: Pick<Journal, "previewed" | "sequenceAtBeginning">;
  /** See `AccountParts`. */
  waitsForNotes: boolean;
}

/** What a check says of its plan. */
interface CheckedPlan {
  failures: readonly unknown[];
  checked: { requestId?: string | undefined; quote?: Omit<PlanTrace, "owner"> | undefined };
  /** Whether nothing changes. @default false */
  isKept?: boolean | undefined;
}

/**
 * Notes what a check has planned, for the purchase that may follow. A purchase is written down before the plan shows it:
 * the check waits for that, or the host does. That nothing changes is written with others while the plan goes on: most
 * plans of a large stack say that.
 */
export async function notePlan(
  { journal: { previewed, sequenceAtBeginning }, waitsForNotes }: NotePlace,
  owner: string,
  { failures, checked: { requestId, quote }, isKept = false }: CheckedPlan,
): Promise<void> {
  if (failures.length > 0 || quote === undefined) return;
  const { effect, quantity, price, priceAtMost, currency, proxies } = quote;
  const sequence = await sequenceAtBeginning().catch(() => undefined);
  const plan = {
    owner,
    requestId,
    effect,
    quantity,
    price,
    priceAtMost,
    currency,
    sequence,
    proxies,
  };
  if (effect === "none" || isKept || waitsForNotes) previewed.noteLater(plan);
  else await previewed.note(plan);
}

/** Who buys, and where it is written what previews have shown. */
interface Buyer {
  journal: Pick<Journal, "previewed" | "readAll" | "isOfThisRun" | "scope">;
  run: Pick<RunIdentity, "appliesPlanFile">;
}

/**
 * Throws for a purchase that the newest preview did not show: one that it showed as none, as another one, cheaper or
 * smaller, or that it did not contain. If no preview of the stack binds, there is nothing to compare with. Where the run
 * applies a plan file, that is its preview, and the engine holds the run to it: other previews, for instance those of other
 * branches, say nothing of it.
 */
export async function assertPreviewed(
  { journal, run }: Buyer,
  wanted: WantedPurchase,
  /** The journal, if it was read already. */
  known?: readonly Intent[],
): Promise<void> {
  const shown = await journal.previewed.ofStack(wanted.owner);
  // The engine holds the run to its plan file, but not where a template makes the program.
  const previews = run.appliesPlanFile ? shown.filter(({ from }) => from === "thisUp") : shown;
  const binding = findBinding(previews, wanted.owner);
  if (binding.length === 0) return;
  const all = known ?? (await journal.readAll());
  const isOver = (plan: PreviewedPlan) => isCarriedOut(plan, all, journal);
  for (const { plans } of binding) {
    const plan = plans.get(wanted.owner);
    if (plan === undefined) await assertContained([...plans.values()], isOver, wanted);
    else if (isAgain(plan, wanted) || !(plan.isOver || (await isOver(plan)))) {
      assertShown(plan, wanted);
    }
  }
}

/** Whether it is the very purchase that a preview has shown. That binds also after it was carried out once. */
function isAgain({ requestId }: PreviewedPlan, wanted: WantedPurchase): boolean {
  return wanted.proxies === undefined && requestId === wanted.requestId;
}

/** Throws for what a preview did not contain, unless that preview was carried out since. */
async function assertContained(
  plans: readonly PreviewedPlan[],
  isOver: (plan: PreviewedPlan) => Promise<boolean>,
  wanted: WantedPurchase,
): Promise<void> {
  const [first] = plans;
  if (first === undefined) return;
  for (const plan of plans) if (await isOver(plan)) return;
  throw notShown({ owner: wanted.owner, effect: "none", at: first.at }, wanted);
}

/** Whether an earlier run has bought what a preview has shown. Then the preview says nothing of the next purchase. */
async function isCarriedOut(
  plan: PreviewedPlan,
  known: readonly Intent[],
  { isOfThisRun, scope }: Pick<Journal, "isOfThisRun" | "scope">,
): Promise<boolean> {
  if (!isSpending(plan)) return false;
  const since = known.filter(
    (intent) =>
      intent.owner === plan.owner &&
      isOfScope(intent, scope) &&
      isPlaced(intent) &&
      (intent.history[0]?.at ?? "") >= plan.at,
  );
  for (const intent of since) if (!(await isOfThisRun(intent))) return true;
  return false;
}

/** Throws if one preview did not show a purchase. */
function assertShown(previewed: PreviewedPlan, wanted: WantedPurchase): void {
  if (previewed.effect === "unknown") {
    assertBelowCap(previewed, wanted);
    return;
  }
  const { price, currency } = previewed;
  if (!contains(previewed, wanted)) throw notShown(previewed, wanted);
  if (price !== undefined && currency !== undefined) {
    assertNotDearer({ price, currency }, wanted.price, wanted.currency);
  }
}

/** Whether a plan shows all of a purchase, whatever it costs. */
function contains(
  { effect, requestId, quantity = 0, proxies }: PreviewedPlan,
  wanted: WantedPurchase,
): boolean {
  if (requestId !== wanted.requestId) return false;
  if (wanted.proxies === undefined) return isSpending({ effect }) && quantity >= wanted.quantity;
  const shown = new Set(proxies);
  return effect === "autoExtend" && wanted.proxies.every((proxy) => shown.has(proxy));
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
  const { owner, quantity, price, currency, proxies } = wanted;
  const money = formatMoney(price, currency);
  const now = proxies
    ? `${quantity} would be extended automatically for ${money} a time. Nothing was switched on`
    : `${quantity} would be bought for ${money}. Nothing was bought`;
  return new ProxyRentalError(
    "NOT_PLANNED",
    `the last preview (${previewed.at}) showed ${describeShown(previewed)} for ${nameOf(owner)}, and now ${now}. Run \`pulumi preview\` to see what is planned now, then run again.`,
  );
}

function describeShown(previewed: PreviewedPlan): string {
  const { effect, requestId, quantity, price, currency } = previewed;
  // It may have contained the resource, and been refused before it came to a plan.
  if (effect === "none" && requestId === undefined) return "no purchase";
  if (effect === "autoExtend") return "another automatic extension";
  if (!isSpending(previewed)) {
    return effect === "none" ? "that nothing would be bought" : `no purchase (effect ${effect})`;
  }
  return price === undefined || currency === undefined
    ? "another purchase"
    : `another purchase (${quantity} for ${formatMoney(price, currency)})`;
}
