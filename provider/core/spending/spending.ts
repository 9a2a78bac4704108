import pLimit from "p-limit";
import { isServiceError } from "../../client/index.ts";
import { assertNotCancelled } from "../account/cancellation.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, HeldLock } from "../ports.ts";
import { isProxyRentalError, ProxyRentalError } from "../values/errors.ts";
import { addMoney, formatMoney, subtractMoney } from "../values/money.ts";
import type { MoneyFact, RunSums } from "./run-sums.ts";

/** A purchase in two steps; both throw what went wrong. */
export interface PurchaseSteps<Price extends PlannedPrice, Bought> {
  /** Asks for the price again and passes every gate. Spends nothing; purchases may overlap here. */
  confirm(): Promise<Price>;
  /** Whether its price hangs on a promo code, which another purchase may use up. */
  usesPromoCode: boolean;
  /** Buys. Called at most once, with no other purchase of this account in flight, in any process. */
  buy(price: Price, turn: Turn): Promise<Receipt<Bought>>;
}

/** A turn on the account. */
export interface Turn extends HeldLock {
  /** No other process can have bought since: a balance that was told later is that of now. */
  quietSinceMs: number;
}

/** A purchase that the service took, and what it has cost. */
export interface Receipt<Bought> {
  bought: Bought;
  /** What counts against `maxSpend`: never less than the price that was confirmed. */
  counted: number;
  /** Why nothing more is bought in this run; undefined where it was charged as it was confirmed. */
  doubt?: string;
}

/** What a purchase is about to cost. */
export interface PlannedPrice {
  price: number;
  currency: string;
}

/** Keeps the sums and the promise that nothing is bought twice in one run. */
export interface Spending {
  /**
   * Adds a plan to the run's sum. Returns why it may not, and then leaves it out; a later plan of the same
   * owner takes the place of its earlier one. The sum is that of all provider processes of the run.
   */
  plan(owner: string, spend: PlannedPrice, balance: number): Promise<string | undefined>;
  /** What all plans come to. */
  planned(): number;
  /**
   * Makes a purchase, unless the same request has been accepted or has ended unknown in this process: then
   * its recorded answer is given, and nothing is sent. A rejected request may be made again.
   */
  once<Price extends PlannedPrice, Bought>(
    request: { owner: string; requestId: string },
    steps: PurchaseSteps<Price, Bought>,
  ): Promise<Bought>;
}

/** Who asks, and for which purchase. */
type Request = Parameters<Spending["once"]>[0];

/** How old a confirmed price may be when its order is sent. */
const CONFIRMED_FOR_MS = 10_000;

/** For how long no purchase by another person is reckoned with. */
const QUIET_MS = 1_000;

/** What the purse works with. */
interface SpendingParts {
  clock: Clock;
  journal: Pick<Journal, "withAccount">;
  cancelled: AbortSignal;
  /** The sums of the run. */
  sums: RunSums;
  /** Tells the other processes of the run what this one plans and spends. Throws where that is not possible. */
  tell(fact: MoneyFact): Promise<void>;
  /** Takes in what they have told. */
  hearOthers(): Promise<void>;
}

/** Makes the account's purse. `maxSpend` is the most that this run may spend, in account currency. */
export function createSpending(
  maxSpend: number | undefined,
  { clock, journal, cancelled, sums, tell, hearOthers }: SpendingParts,
): Spending {
  const answers = new Map<string, Promise<unknown>>();
  const oneAtATime = pLimit(1);

  /** The last gates. Asked again right before an order is sent, with nothing else in flight. */
  function assertMaySpend({ price, currency }: PlannedPrice): void {
    assertNotCancelled(cancelled);
    const stopped = sums.stopped();
    if (stopped !== undefined) throw new ProxyRentalError("BUYING_STOPPED", stopped);
    const spent = sums.spent();
    if (maxSpend === undefined || addMoney(spent, price) <= maxSpend) return;
    throw new ProxyRentalError(
      "SPEND_LIMIT_REACHED",
      `${formatMoney(price, currency)} on top of the ${formatMoney(spent, currency)} already spent by this run is above proxyrental:maxSpend (${formatMoney(maxSpend, currency)}). This order was not sent. Raise maxSpend or buy less.`,
    );
  }

  /**
   * A person may cancel while a purchase is written down: it is asked again right before it is sent. What
   * had to wait for another process knows of nothing from before; what waited in this one alone got its turn
   * at once, when the purchase before it was over.
   */
  function openTurn(lock: HeldLock, queuedAtMs: number): Turn {
    const beganMs = clock.elapsedMs();
    const assertHeld = () => {
      assertNotCancelled(cancelled);
      lock.assertHeld();
    };
    const quietSinceMs = Math.max(lock.contended ? beganMs : queuedAtMs, beganMs - QUIET_MS);
    return { ...lock, assertHeld, quietSinceMs };
  }

  async function countSpent({ owner, requestId }: Request, price: number): Promise<void> {
    sums.spend(owner, requestId, price);
    await tell({ kind: "spends", owner, requestId, price });
  }

  /** The money may be gone by now: what can't be told to others must not hide what became of it. */
  async function stopBuying(reason: string): Promise<void> {
    sums.stop(reason);
    await tell({ kind: "stops", reason }).catch(() => undefined);
  }

  async function buyOnce<Price extends PlannedPrice, Bought>(
    request: Request,
    price: Price,
    buy: (price: Price) => Promise<Receipt<Bought>>,
  ): Promise<Bought> {
    assertMaySpend(price);
    // What may have been charged counts as charged; only a proven refusal gives it back.
    await countSpent(request, price.price);
    try {
      const { bought, counted, doubt } = await buy(price);
      if (counted !== price.price) await countSpent(request, counted).catch(() => undefined);
      if (doubt !== undefined) await stopBuying(explainDoubt(doubt));
      return bought;
    } catch (error) {
      if (isUnknown(error)) await stopBuying(UNKNOWN_OUTCOME);
      else await countSpent(request, 0).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Confirms while others are being sent, and again when that took so long that the price may have moved,
   * when another process had its turn meanwhile, or when a purchase of the run may have used the promo code up.
   */
  async function confirmAndBuy<Price extends PlannedPrice, Bought>(
    request: Request,
    { confirm, usesPromoCode, buy }: PurchaseSteps<Price, Bought>,
  ): Promise<Bought> {
    const purchasesBefore = sums.purchases();
    const confirmed = await confirm();
    const staleAtMs = clock.elapsedMs() + CONFIRMED_FOR_MS;
    const isFresh = ({ contended }: HeldLock) =>
      !contended &&
      clock.elapsedMs() < staleAtMs &&
      !(usesPromoCode && sums.purchases() > purchasesBefore);
    const queuedAtMs = clock.elapsedMs();
    return oneAtATime(async () => {
      assertMaySpend(confirmed);
      return journal.withAccount(async (lock) => {
        const turn = openTurn(lock, queuedAtMs);
        await hearOthers();
        const price = isFresh(lock) ? confirmed : await confirm();
        return buyOnce(request, price, (asked) => buy(asked, turn));
      });
    });
  }

  return {
    async plan(owner, { price, currency }, balance) {
      await hearOthers();
      const plan = sums.plan(owner, price);
      const shortage = findShortage(sums, currency, balance, maxSpend);
      if (shortage !== undefined) plan.withdraw();
      // A preview may run where nothing can be written; a purchase is refused there.
      else await tell({ kind: "plans", owner, price }).catch(() => undefined);
      return shortage;
    },
    planned: () => sums.planned(),
    once<Price extends PlannedPrice, Bought>(
      request: Request,
      steps: PurchaseSteps<Price, Bought>,
    ): Promise<Bought> {
      const { requestId } = request;
      const recorded = answers.get(requestId);
      // Only this method puts answers in, and a requestId stands for one kind of purchase.
      if (recorded) return recorded as Promise<Bought>;
      const answer = confirmAndBuy(request, steps);
      answers.set(requestId, answer);
      answer.catch((error: unknown) => {
        if (mayBeAskedAgain(error)) answers.delete(requestId);
      });
      return answer;
    },
  };
}

/** Said of each purchase that is not made any more. */
const UNKNOWN_OUTCOME =
  "an earlier purchase of this run ended with an unknown outcome, so nothing more is bought in it. This order was not sent. Settle the unknown one first, then run again.";

function explainDoubt(doubt: string): string {
  return `an earlier purchase of this run was not charged as it was confirmed (${doubt}), so nothing more is bought in it. This purchase was not sent. Look at what was charged, then run again: the next run asks for all prices anew.`;
}

/** Whether money may have moved all the same. What nobody foresaw proves nothing. */
function isUnknown(error: unknown): boolean {
  if (isServiceError(error)) return error.outcome === "unknown";
  return !isProxyRentalError(error) || error.code === "ORDER_OUTCOME_UNKNOWN";
}

/** Proof that an order was not placed came too late to place it again in the same run without a person. */
function mayBeAskedAgain(error: unknown): boolean {
  if (isUnknown(error)) return false;
  return !isProxyRentalError(error) || error.code !== "ORDER_NOT_PLACED";
}

function findShortage(
  sums: RunSums,
  currency: string,
  balance: number,
  maxSpend: number | undefined,
): string | undefined {
  const [total, unpaid] = [sums.planned(), sums.plannedUnpaid()];
  if (unpaid > balance) {
    const missing = formatMoney(subtractMoney(unpaid, balance), currency);
    return `the purchases of this run come to ${formatMoney(unpaid, currency)}, but the balance is ${formatMoney(balance, currency)}: ${missing} are missing. Buy less, or top the account up`;
  }
  if (maxSpend !== undefined && total > maxSpend) {
    return `the purchases of this run come to ${formatMoney(total, currency)}, above proxyrental:maxSpend (${formatMoney(maxSpend, currency)}). Buy less, or raise it`;
  }
  return undefined;
}
