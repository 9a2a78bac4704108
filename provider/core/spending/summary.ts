import type { Deed, ShownPlan } from "../records/run-fact.ts";
import { addMoney, formatMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { type BudgetUse, describeBudget } from "./budget.ts";
import { describeEstimate, estimateLeft, type Spending } from "./estimate.ts";
import { addRenewing, describeRate } from "./renewing.ts";

const JOURNAL_AT_RISK =
  "This runs in CI, and what is bought is written down on this machine alone. Once the machine is thrown away, a later run may not know of it: name a bucket or a database in proxyrental:journal.";

/** By the owner that it is about. */
type ByOwner<What> = ReadonlyMap<string, What>;

/** What all plans of a run come to. */
interface PlannedSum {
  /** How many purchases have a price, and their sum. */
  priced: number;
  price: number;
  /** How many have only a cap, and the sum of the caps. */
  capped: number;
  atMost: number;
  /** How many have neither. */
  open: number;
}

/** Adds up what the plans of a run may spend. */
function addPlans(plans: Iterable<ShownPlan>): PlannedSum {
  const spends = [...plans].flatMap(({ spend }) => spend ?? []);
  const prices = spends.flatMap(({ price }) => price ?? []);
  const caps = spends
    .filter(({ price }) => price === undefined)
    .flatMap(({ atMost }) => atMost ?? []);
  return {
    ...{ priced: prices.length, price: addMoney(...prices) },
    ...{ capped: caps.length, atMost: addMoney(...caps) },
    open: spends.length - prices.length - caps.length,
  };
}

function toSpending({ price, atMost, open }: PlannedSum): Spending {
  return { price, atMost: addMoney(price, atMost), isOpen: open > 0 };
}

/** What the last words of a preview depend on, beside its plans. */
export interface PlanContext {
  budget: BudgetUse | undefined;
  showBalance: boolean;
  /** See `AccountSettings`. */
  isJournalAtRisk: boolean;
}

/** The last words of a preview: the plan of each resource, and what all of them come to. */
export function describePlans(
  plans: ByOwner<ShownPlan>,
  { budget, showBalance, isJournalAtRisk }: PlanContext,
): string | undefined {
  const all = [...plans.values()];
  // A plan that was refused is no part of any sum. Its refusal says what to do.
  if (all.some(({ isRefused }) => isRefused)) return undefined;
  const lines = listByName(plans, ({ lines: own }) => own);
  if (lines.length === 0) return undefined;
  const currency = all.find((plan) => plan.currency !== undefined)?.currency ?? "";
  const sum = addPlans(all);
  const spending = toSpending(sum);
  const buys = sum.priced + sum.capped + sum.open > 0;
  const balance = showBalance ? all.find((plan) => plan.balance !== undefined)?.balance : undefined;
  return [
    "The plan, resource by resource:",
    ...lines,
    describeSum(sum, currency),
    ...describeRenewing(all, currency),
    ...(balance === undefined ? [] : [describeBalance(balance, spending, currency)]),
    ...(budget === undefined || !buys
      ? []
      : [`${describeBudget(budget, spending, currency, showBalance)}.`]),
    ...(isJournalAtRisk && buys ? [JOURNAL_AT_RISK] : []),
  ].join("\n");
}

/** The last words of a run that was carried out: what was done, and what was paid for it. */
export function describeDeeds(
  deeds: ByOwner<readonly Deed[]>,
  { showBalance }: { showBalance: boolean },
): string | undefined {
  const lines = listByName(deeds, (own) => own.map(({ line }) => line));
  if (lines.length === 0) return undefined;
  const latestFirst = [...deeds.values()].flat().toSorted((a, b) => b.atMs - a.atMs);
  const paid = latestFirst.flatMap((deed) => deed.paid ?? []);
  const doubts = latestFirst.flatMap((deed) => deed.doubt ?? []);
  return ["Done in this run:", ...lines, describePaid(paid, doubts, showBalance)].join("\n");
}

function describePaid(
  paid: readonly NonNullable<Deed["paid"]>[],
  doubts: readonly NonNullable<Deed["doubt"]>[],
  showBalance: boolean,
): string {
  const [latest] = paid;
  const bought =
    latest === undefined ? "Nothing was bought." : `In all: bought ${describeCharges(paid)}.`;
  if (doubts.length > 0) {
    // What is charged for them changes the balance, now or later.
    return `${bought} Perhaps also ${describeCharges(doubts)}, which nobody knows yet.`;
  }
  if (!showBalance || latest?.balance === undefined) return bought;
  return `${bought} Balance now: ${formatMoney(latest.balance, latest.currency)}.`;
}

function describeCharges(charges: readonly { price: number; currency: string }[]): string {
  const price = addMoney(...charges.map((one) => one.price));
  return `${charges.length} for ${formatMoney(price, charges[0]?.currency ?? "")}`;
}

function listByName<What>(
  things: ByOwner<What>,
  linesOf: (thing: What) => readonly string[],
): string[] {
  return [...things]
    .toSorted(([a], [b]) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .flatMap(([owner, thing]) => linesOf(thing).map((line) => `  ${nameOf(owner)}: ${line}`));
}

function describeSum(sum: PlannedSum, currency: string): string {
  const { priced, price, capped, atMost, open } = sum;
  const parts = [
    ...(priced === 0 ? [] : [`${count(priced)} for ${formatMoney(price, currency)}`]),
    ...(capped === 0
      ? []
      : [
          `${count(capped)} at a price that is not known yet, at most ${formatMoney(atMost, currency)}`,
        ]),
    ...(open === 0 ? [] : [`${count(open)} at a price that is not known yet and has no cap`]),
  ];
  if (parts.length === 0) return "Nothing is bought.";
  const together = formatMoney(addMoney(price, atMost), currency);
  const whole = parts.length > 1 && open === 0 ? `: at most ${together} together` : "";
  return `In all: ${parts.join(", and ")}${whole}.${open === 0 ? "" : " Set maxPrice to cap it."}`;
}

function count(purchases: number): string {
  return purchases === 1 ? "1 purchase" : `${purchases} purchases`;
}

function describeRenewing(plans: readonly ShownPlan[], currency: string): string[] {
  const renewals = plans.flatMap(({ renewing }) => renewing ?? []);
  if (renewals.length === 0) return [];
  const orders = plans.flatMap(({ keeping }) => keeping ?? []);
  const sum = describeRate({ ...addRenewing(renewals, orders), currency });
  return [`Renews by itself, per 30 days: ${sum}; never part of the sum above.`];
}

function describeBalance(balance: number, spending: Spending, currency: string): string {
  const after = describeEstimate(estimateLeft(balance, spending), currency);
  return `Balance: ${formatMoney(balance, currency)} now, ${after} after.`;
}
