import type { Calculation } from "../../client/index.ts";
import type { Account } from "../account.ts";
import type { PreviewedPlan } from "../records/previewed-plan.ts";
import { makeRequestId } from "../records/request-id.ts";
import { assertNotDearer } from "../spending/gates.ts";
import { type BoundRun, holdAgainstPreviews } from "../spending/held-against-previews.ts";
import { notePlan } from "../spending/previewed-price.ts";
import { ProxyRentalError, rethrowExplained } from "../values/errors.ts";
import { formatMoney, mostForShare } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { type AutoExtensionCheck, isSame } from "./check.ts";
import type { AutoExtensionState, CheckedAutoExtension } from "./state.ts";
import { isRefusal } from "./switch.ts";

/** Notes what a check has planned, for the switch that may follow: what extends itself costs money later. */
export async function noteRenewal(
  account: Pick<Account, "journal" | "waitsForNotes">,
  owner: string,
  { checked, failures, isKept }: AutoExtensionCheck,
): Promise<void> {
  const { autoExtend, ipAddressIds, quote } = checked;
  const isOff = autoExtend === false;
  const { effect = isOff ? "none" : "unknown", pricePerCycle: price, currency } = quote ?? {};
  await notePlan(account, owner, {
    ...{ failures, isKept },
    turn: await account.journal.flags.turnAtBeginning().catch(() => undefined),
    checked: {
      requestId: nameRenewal({ ...checked, owner }),
      quote: { effect, quantity: ipAddressIds?.length, price, currency, proxies: ipAddressIds },
    },
  });
}

/**
 * Throws if arguments that stay as they were would switch something on at a price that no preview has shown. A check takes
 * them for carried out, so it keeps their quote and shows nothing. The state knows that they were not, and a check is not told
 * the state.
 */
export async function assertAtShownPrice(
  { service }: Pick<Account, "service">,
  state: AutoExtensionState,
  wanted: Partial<CheckedAutoExtension>,
): Promise<void> {
  const { owner, ipAddressIds, rentPeriodDays, proxyType, leftOff } = state;
  if (leftOff === undefined || !isSame(state, wanted)) return;
  const now = await service
    .calculateExtension({ proxyType, ipAddressIds, rentPeriodDays })
    // It may refuse proxies that have ended. A refresh finds out.
    .catch((error: unknown) => (isRefusal(error) ? untold : rethrowExplained(error)));
  if (leftOff === "unconfirmed" && !isDearer(now, wanted.quote)) return;
  throw new ProxyRentalError(
    "REFRESH_NEEDED",
    `an earlier run was to extend ${ipAddressIds.length} proxies by ${rentPeriodDays} days each time for ${nameOf(owner)}, and nobody has seen it carried out. Today's price for that was not shown. Nothing is switched on. Run with \`--refresh\`: it reads what is on, and shows today's price for what is not.`,
  );
}

const untold = { price: null, currency: "" };

/** A service that tells no price now costs no more than one that told none before. */
function isDearer(
  { price, currency }: Pick<Calculation, "price" | "currency">,
  shown: CheckedAutoExtension["quote"] | undefined,
): boolean {
  const { pricePerCycle } = shown ?? {};
  if (price === null || pricePerCycle === undefined) return price !== (pricePerCycle ?? null);
  return price > pricePerCycle || currency !== shown?.currency;
}

/**
 * Throws before anything is switched on that the newest preview did not show, or not at this price.
 * @param switchedBy see `AutoExtensionState`
 */
export async function assertRenewalPreviewed(
  run: BoundRun,
  checked: CheckedAutoExtension,
  switchedBy: string | undefined,
): Promise<void> {
  await holdAgainstPreviews(run, {
    owner: checked.owner,
    isAgain: () => false,
    carriedOutBy: switchedBy,
    assertShown: (plan) => assertShown(plan, checked),
  });
}

function assertShown(plan: PreviewedPlan, checked: CheckedAutoExtension): void {
  const { effect, requestId, proxies, price, currency } = plan;
  const isNamed = requestId === nameRenewal(checked);
  // Which proxies, and so for how much, could not be known before their order was bought.
  if (effect === "unknown" && (isNamed || requestId === undefined)) return;
  const shown = new Set(proxies);
  const isShown =
    effect === "autoExtend" && isNamed && checked.ipAddressIds.every((id) => shown.has(id));
  const { pricePerCycle, currency: now = "" } = checked.quote;
  // A preview that could tell no price permits none.
  if (!isShown || (price === undefined && pricePerCycle !== undefined)) {
    throw notShown(plan, checked);
  }
  if (price !== undefined && currency !== undefined) {
    const most = mostForShare(price, checked.ipAddressIds.length, shown.size);
    assertNotDearer({ price: most, currency }, pricePerCycle ?? null, now);
  }
}

function notShown({ at, effect }: PreviewedPlan, checked: CheckedAutoExtension): ProxyRentalError {
  const { owner, ipAddressIds, rentPeriodDays, quote } = checked;
  const { pricePerCycle, currency = "" } = quote;
  const price = pricePerCycle === undefined ? "" : ` for ${formatMoney(pricePerCycle, currency)}`;
  const shown = effect === "none" ? "no automatic extension" : "another automatic extension";
  return new ProxyRentalError(
    "NOT_PLANNED",
    `the last preview (${at}) showed ${shown} for ${nameOf(owner)}, and now ${ipAddressIds.length} proxies would be extended by ${rentPeriodDays} days${price} each time. They were not switched on. Run \`pulumi preview\` to see what is planned now, then run again.`,
  );
}

/**
 * The same for all proxies of a type that are extended by the same number of days: which ones, a plan says beside. Undefined
 * while that is not known.
 */
function nameRenewal({
  owner,
  proxyType,
  rentPeriodDays,
}: Partial<CheckedAutoExtension> & Pick<CheckedAutoExtension, "owner">): string | undefined {
  if (proxyType === undefined || rentPeriodDays === undefined) return undefined;
  return makeRequestId(owner, "", { proxyType, rentPeriodDays });
}
