import type { Journal } from "../journal/journal.ts";
import { begunAt, countedOf, type Intent, isSameAccount } from "../records/intent.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { addMoney, formatMoney, subtractMoney } from "../values/money.ts";
import { remember } from "../values/remember.ts";
import {
  describeEstimate,
  type Estimate,
  estimateLeft,
  estimateSpent,
  type Spending,
} from "./estimate.ts";
import { describeTotal, type PlannedTotal } from "./run-sums.ts";

/** A monthly budget, and what is gone of it. */
export interface BudgetUse {
  /** The most that the account may spend in a calendar month, in account currency. */
  monthly: number;
  /** What the account has spent in this month, without what this run has bought. */
  spent: number;
  /** The currencies of that. It is one, unless the account's has changed. */
  currencies: readonly string[];
  /** The purchases in that of which nobody knows whether they were placed, by their ids. */
  inDoubt: readonly string[];
  /** The month in UTC, like "2026-03". */
  month: string;
  /** Whether the journal counts what every machine buys. */
  isShared: boolean;
}

/**
 * The monthly budget of an account. The journal is the account of it: a purchase is written down before it is sent, by
 * whoever has the turn. So two runs on one journal can't overspend together.
 */
export interface Budget {
  /**
   * What was spent before this run; undefined if there is no budget. It stays the same while the run buys. Throws if the
   * journal can't be read.
   */
  beforeRun(): Promise<BudgetUse | undefined>;
  /**
   * Throws for a purchase that the budget does not allow. Ask in the turn, right before it is sent.
   * @param known what the journal holds in this turn.
   */
  assertFits(purchase: BudgetedPurchase, known: readonly Intent[]): Promise<void>;
}

/** A purchase that is about to be written down. */
export interface BudgetedPurchase {
  price: number;
  currency: string;
  /** By the service's clock where the service tells it. */
  sentAt: Date;
}

/** What a budget needs. */
interface BudgetParts {
  /** In account currency. */
  monthlyBudget: number | undefined;
  journal: Pick<Journal, "readAtBeginning" | "accountId" | "isOfThisRun" | "isShared" | "now">;
}

/** Makes the budget of an account. If there is none, the journal is not asked. */
export function createBudget({ monthlyBudget, journal }: BudgetParts): Budget {
  /** The account is asked for only if there is something to tell apart: a journal without purchases stays untouched. */
  async function ofAccount(purchases: readonly Intent[]): Promise<Intent[]> {
    if (purchases.length === 0) return [];
    const own = { account: await journal.accountId() };
    return purchases.filter((purchase) => isSameAccount(purchase, own));
  }

  /** What this run has bought is in its own sum. Each process is looked for once. */
  const isOfThisRun = remember((runId: string) => journal.isOfThisRun({ runId }));

  const spentBeforeRun = remember(async (month: string) => {
    const earlier = countedIn(month, await journal.readAtBeginning());
    const ofOthers: Intent[] = [];
    for (const purchase of await ofAccount(earlier)) {
      if (!(await isOfThisRun(purchase.runId))) ofOthers.push(purchase);
    }
    return {
      spent: sumOf(ofOthers),
      currencies: currenciesOf(ofOthers),
      inDoubt: doubtsOf(ofOthers),
    };
  });

  return {
    async beforeRun() {
      if (monthlyBudget === undefined) return undefined;
      // This machine's clock may be wrong, and other machines share the budget.
      await journal.readAtBeginning();
      const month = monthOf(journal.now());
      const before = await spentBeforeRun(month);
      return { monthly: monthlyBudget, ...before, month, isShared: journal.isShared };
    },

    async assertFits({ price, currency, sentAt }, known) {
      if (monthlyBudget === undefined || price === 0) return;
      const begun = { phase: "sending", at: journal.now().toISOString() };
      const sending = { sentAt: sentAt.toISOString(), history: [begun] };
      for (const month of new Set(Object.values(monthsOf(sending)))) {
        const counted = await ofAccount(countedIn(month, known));
        const mixed = findOtherSpent({ month, currencies: currenciesOf(counted) }, currency);
        if (mixed !== undefined)
          throw new ProxyRentalError("PRICE_UNUSABLE", `${mixed}. It was not sent.`);
        const spent = sumOf(counted);
        if (addMoney(spent, price) <= monthlyBudget) continue;
        throw new ProxyRentalError(
          "BUDGET_EXCEEDED",
          `${formatMoney(price, currency)} on top of the ${formatMoney(spent, currency)} already spent in ${month} is above the monthly budget of ${formatMoney(monthlyBudget, currency)} (proxyrental:monthlyBudget). This purchase was not sent. ${adviseOn(month, doubtsOf(counted))}.`,
        );
      }
    },
  };
}

/** Why a purchase can't be held against a budget; undefined if it can. No limit adds up two currencies. */
export function findOtherSpent(
  { month, currencies }: Pick<BudgetUse, "month" | "currencies">,
  currency: string,
): string | undefined {
  const other = currencies.find((one) => one !== currency);
  if (other === undefined) return undefined;
  return `its price is in ${currency}, and purchases in ${month} were paid in ${other}, so the monthly budget (proxyrental:monthlyBudget) can't hold for all of them. Wait until ${beginOfNext(month)} (UTC), or take the budget out`;
}

/** Why the plans of a run do not fit into a budget; undefined if they do. */
export function findExcess(
  { monthly, spent, month, inDoubt }: BudgetUse,
  planned: PlannedTotal,
  currency: string,
): string | undefined {
  if (planned.price === 0 || addMoney(spent, planned.price) <= monthly) return undefined;
  return `${formatMoney(spent, currency)} is spent in ${month} and the purchases of this run come to ${describeTotal(planned, currency)}, together above the monthly budget of ${formatMoney(monthly, currency)} (proxyrental:monthlyBudget). ${adviseOn(month, inDoubt)}`;
}

/** What a preview says of a budget. What is left would tell what is spent, too. */
export function describeBudget(
  { monthly, spent, month, isShared }: BudgetUse,
  planned: Spending,
  currency: string,
  showBalance: boolean,
): string {
  const [whole, gone] = [monthly, spent].map((amount) => formatMoney(amount, currency));
  const [own, rest] = [estimateSpent(planned), leftOf({ monthly, spent }, planned)].map(
    (estimate) => describeEstimate(estimate, currency),
  );
  if (!showBalance) {
    return `Of the monthly budget of ${whole}, ${own} is planned by this run (what is spent of it is not told: proxyrental:showBalance is false)`;
  }
  const whose = isShared ? "" : " (the journal counts the purchases of this machine only)";
  return `Of the monthly budget of ${whole}, ${gone} is spent in ${month}, ${own} is planned by this run and ${rest} is left${whose}`;
}

/** What remains of a budget after a run; nothing if it is overdrawn already. */
export function leftOf(
  { monthly, spent }: Pick<BudgetUse, "monthly" | "spent">,
  planned: Spending,
): Estimate {
  const { amount, is } = estimateLeft(subtractMoney(monthly, spent), planned);
  return { amount: Math.max(0, amount), is };
}

function adviseOn(month: string, inDoubt: readonly string[]): string {
  const advice = `Buy less, raise it, or wait until ${beginOfNext(month)} (UTC)`;
  if (inDoubt.length === 0) return advice;
  const shows = inDoubt.map((id) => `\`npx pulumi-proxyrental journal show ${id}\``);
  return `${advice}. Nobody knows whether all of that was spent: ${shows.join(", ")}`;
}

/** The ids of those of which nobody knows whether they were placed. The next run of their stacks finds that out. */
function doubtsOf(purchases: readonly Intent[]): string[] {
  return purchases
    .filter(({ phase }) => phase === "sending" || phase === "unknown")
    .map(({ id }) => id);
}

/** The purchases that count in a month: all that were paid, or may have been, and may have been sent in it. */
export function countedIn(month: string, purchases: readonly Intent[]): Intent[] {
  return purchases.filter((purchase) => {
    const { first, last } = monthsOf(purchase);
    return first <= month && month <= last && mayBePaid(purchase);
  });
}

function currenciesOf(purchases: readonly Intent[]): string[] {
  const paid = purchases.filter((purchase) => countedOf(purchase) > 0);
  return [...new Set(paid.map(({ currency }) => currency))];
}

/** What purchases count against a budget. */
export function sumOf(purchases: readonly Intent[]): number {
  return addMoney(...purchases.map(countedOf));
}

/**
 * Whether a purchase was paid, or may have been. What a person has closed counts if the service was known to have taken
 * it: an extension has no order number.
 */
export function mayBePaid({ phase, closedBecause, orderNumber, history }: Intent): boolean {
  if (phase !== "closed") return true;
  if (closedBecause === "rejected" || closedBecause === "notPlaced") return false;
  if (closedBecause !== "resolved") return true;
  return orderNumber !== undefined || history.some((step) => step.phase === "placed");
}

/**
 * In which months a purchase may have been sent, by the service's clock and by the journal's: one answer may have told a wrong
 * time, so it counts in both.
 */
function monthsOf(purchase: Pick<Intent, "history" | "sentAt">): { first: string; last: string } {
  const times = [purchase.sentAt, begunAt(purchase)].map((at) => monthOf(new Date(at)));
  const [first = "", last = first] = times.toSorted();
  return { first, last };
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, "2026-03".length);
}

function beginOfNext(month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, "2026-03-01".length);
}
