import { type Calculation, isServiceError, type SpendingOptions } from "../../client/index.ts";
import { beginAge } from "../account/age.ts";
import type { Balance } from "../account/balance.ts";
import { type Listing, serviceTime } from "../account/listing.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, Log, ProxyService } from "../ports.ts";
import type { Intent, IntentChange, IntentDraft, PurchaseSpec } from "../records/intent.ts";
import { isProxyRentalError, ProxyRentalError } from "../values/errors.ts";
import { formatMoney } from "../values/money.ts";
import type { JudgeAbandoned } from "./abandoned.ts";
import type { Budget } from "./budget.ts";
import { chargedOf, explainDoubt, judgeCharge, type ToldOfMoney, weighCharge } from "./charge.ts";
import { assertNotDearer, findGateFailures } from "./gates.ts";
import { doubtRefusal, type LostOutcome, outcomeOfNoLook, recordLost } from "./lost-answer.ts";
import type { PricedQuote } from "./quote.ts";
import type { RunBeginning } from "./run-beginning.ts";
import type { RunStory } from "./run-story.ts";
import { type CountedPurchase, type SpendLimit, UNKNOWN_OUTCOME } from "./spend-limit.ts";
import { assertNotSuperseded } from "./superseded.ts";
import { createSendCheck, type TakeTurn, type Turn } from "./turn.ts";

/** One purchase: what an order and an extension do differently on the one way to the money. */
export interface Purchase<
  Spec extends PurchaseSpec,
  Answer extends ToldOfMoney,
  Told extends IntentChange,
> extends CountedPurchase {
  /** What the plan showed. Nothing dearer is bought. */
  planned: PricedQuote;
  promoCode: string | undefined;
  maxPrice: number | undefined;
  /** Asks the service for the price. Spends nothing, and several purchases may do it at once. */
  askPrice(): Promise<Calculation>;
  /**
   * Purchases of other runs that may stand in the way, and of which it matters whether their run goes on. To find that out
   * may take seconds, so it is done while others have the turn.
   */
  findDoubtful(known: readonly Intent[]): Promise<readonly Intent[]>;
  /** Looks at the account once more, in the turn. Throws if an earlier purchase stands in the way. */
  inspect(price: PricedQuote, inTurn: InTurn): Promise<Baseline<Spec>>;
  /** The spending call, made once. Asks `beforeSend` right before its first byte, and waits no longer than that gives. */
  send(options: SpendingOptions): Promise<Answer>;
  /** What its answer tells, apart from the money. */
  read(answer: Answer): Told;
  /** Watches the account if the answer was lost. Throws if the turn was lost meanwhile, too. */
  watch(intent: Intent<Spec>, error: unknown, turn: Pick<Turn, "keep">): Promise<LostOutcome<Told>>;
  /** Its name in a message. */
  describe(intent: Intent<Spec> & Told): string;
}

/** What is known while the turn lasts. */
export interface InTurn {
  turn: Turn;
  /** The journal, read once. Until the turn is over, nobody else writes a purchase down. */
  known: readonly Intent[];
  /** Whether the run that left a purchase went on when it was asked; false if nobody asked. */
  goesOn(intent: Intent): boolean;
}

/** The account right before a purchase, to compare a later look with. */
export interface Baseline<Spec extends PurchaseSpec> {
  spec: Spec;
  listed: Snapshot;
  balance: number;
}

/** What the answer to any purchase tells of the money. */
interface ToldCharge {
  promoCodeStatus?: string | undefined;
  charged?: number | undefined;
}

/** What was placed, as the journal has it. */
type Placed = Intent & ToldCharge;

/** What was placed, of one kind. */
type PlacedAs<Spec extends PurchaseSpec, Told> = Intent<Spec> & Told & ToldCharge;

/** A purchase of any kind. */
type AnyPurchase = Purchase<PurchaseSpec, ToldOfMoney, IntentChange>;

/**
 * Makes a purchase. If the same request was placed, or has ended unknown, in this process, this gives its recorded
 * answer and sends nothing. A request that was refused may be made again.
 */
export type BuyOnce = <
  Spec extends PurchaseSpec,
  Answer extends ToldOfMoney,
  Told extends IntentChange,
>(
  purchase: Purchase<Spec, Answer, Told>,
) => Promise<PlacedAs<Spec, Told>>;

/** What the buyer needs. */
export interface BuyerParts {
  service: Pick<ProxyService, "getBalance">;
  clock: Clock;
  log: Log;
  journal: Pick<
    Journal,
    | "readInTurn"
    | "goesOn"
    | "begin"
    | "note"
    | "noteAnswer"
    | "discard"
    | "isOfThisRun"
    | "project"
  >;
  balance: Balance;
  listing: Pick<Listing, "invalidate">;
  story: Pick<RunStory, "did">;
  spendLimit: SpendLimit;
  budget: Pick<Budget, "assertFits">;
  runBeginning: Pick<RunBeginning, "note" | "sequence">;
  takeTurn: TakeTurn;
  judgeAbandoned: JudgeAbandoned;
  /** Deadline of one call. */
  timeoutMs: number;
  /** How long to wait for evidence after an answer was lost. */
  settlingMs: number;
  /** Takes in what the other processes of the run have told. */
  hearOthers(): Promise<void>;
}

/** How old a confirmed price may be when its purchase is sent. */
const CONFIRMED_FOR_MS = 10_000;

const OF_THIS_RUN = "an earlier purchase of this run";

/** Makes the one way on which money is spent. */
export function createBuyer(parts: BuyerParts): BuyOnce {
  const answers = new Map<string, Promise<Placed>>();
  return <Spec extends PurchaseSpec, Answer extends ToldOfMoney, Told extends IntentChange>(
    purchase: Purchase<Spec, Answer, Told>,
  ) => {
    const { requestId } = purchase;
    const recorded = answers.get(requestId);
    // Only this function puts answers in, and a requestId stands for one kind of purchase.
    if (recorded) return recorded as Promise<PlacedAs<Spec, Told>>;
    const answer = buy(parts, purchase) as Promise<PlacedAs<Spec, Told>>;
    answers.set(requestId, answer);
    answer.catch((error: unknown) => {
      if (mayBeAskedAgain(error)) answers.delete(requestId);
    });
    return answer;
  };
}

/**
 * From the price to the charge. The price is confirmed while others are being sent. It is confirmed again where that
 * took so long that it may have moved, where another process had its turn meanwhile, and always with a promo code: any
 * purchase of the account, of whatever run, may have used the code up before the turn began.
 *
 * A turn in which the purchase of a killed run had to be judged ends with that: it may have taken all of the turn's time.
 * One in which it matters whether another run goes on ends, too: others may have it while this one finds that out.
 */
async function buy(parts: BuyerParts, purchase: AnyPurchase): Promise<Placed> {
  const { clock, journal, spendLimit, takeTurn, judgeAbandoned, hearOthers } = parts;
  // A process that the engine has started anew may be asked for nothing before.
  await parts.runBeginning.note();
  const confirmed = await confirmPrice(parts, purchase);
  const age = beginAge(clock);
  const isFresh = ({ contended }: Turn) =>
    purchase.promoCode === undefined && !contended && age() < CONFIRMED_FOR_MS;

  /** Whether other runs go on, by their ids, as far as it mattered. */
  const lives = new Map<string, boolean>();
  const goesOn = ({ runId }: Intent) => lives.get(runId) === true;

  for (;;) {
    const outcome = await takeTurn(
      () => spendLimit.assertMaySpend(purchase.owner, confirmed, purchase.fleet),
      async (turn) => {
        await hearOthers();
        await spendLimit.assertNoneInFlight();
        const known = await journal.readInTurn();
        if (await judgeAbandoned(known, turn)) return [];
        const doubtful = await purchase.findDoubtful(known);
        const unasked = doubtful.filter(({ runId }) => !lives.has(runId));
        if (unasked.length > 0) return unasked;
        const price = isFresh(turn) ? confirmed : await confirmPrice(parts, purchase);
        spendLimit.assertMaySpend(purchase.owner, price, purchase.fleet);
        await spendLimit.begin(purchase, price);
        try {
          return await buyNow(parts, purchase, price, { turn, known, goesOn });
        } catch (error) {
          // Only a proven refusal gives back what was counted.
          if (isUnknown(error)) await spendLimit.stop(UNKNOWN_OUTCOME);
          else await spendLimit.settle(purchase, 0);
          throw error;
        }
      },
    );
    if (!isListOfIntents(outcome)) return outcome;
    const byRun = new Map(outcome.map((intent) => [intent.runId, intent]));
    await Promise.all(
      Array.from(byRun, async ([runId, intent]) => lives.set(runId, await journal.goesOn(intent))),
    );
  }
}

/** What remains to be found out before a new turn is taken, and not what was placed. */
function isListOfIntents(outcome: Placed | readonly Intent[]): outcome is readonly Intent[] {
  return Array.isArray(outcome);
}

/** Asks for the price again and passes every gate again. */
async function confirmPrice(
  { clock, balance }: BuyerParts,
  purchase: AnyPurchase,
): Promise<PricedQuote> {
  const { planned } = purchase;
  const askedAtMs = clock.elapsedMs();
  const calculation = await purchase.askPrice();
  balance.saw(calculation.balance, askedAtMs);
  const [failure] = findGateFailures(purchase, calculation);
  if (failure) {
    throw new ProxyRentalError(
      failure.code,
      `${failure.reason}. Nothing was bought by this purchase.`,
    );
  }
  const { price, currency, discount } = calculation;
  assertNotDearer(planned, price, currency);
  return { ...planned, price, discount };
}

/** Writes the purchase down, sends it, and holds what was charged against what was confirmed. */
async function buyNow(
  parts: BuyerParts,
  purchase: AnyPurchase,
  price: PricedQuote,
  inTurn: InTurn,
): Promise<Placed> {
  const { spendLimit } = parts;
  const { promoCode } = purchase;
  const { turn } = inTurn;
  const { draft, checkSending } = await draftIntent(parts, purchase, price, inTurn);
  const { intent, told } = await send(parts, purchase, draft, { ...turn, checkSending });
  const name = purchase.describe(intent);
  const { bought, counted, doubt } = await weighCharge(parts, { intent, name, promoCode, told });
  if (doubt !== undefined) await spendLimit.stop(explainDoubt(doubt, OF_THIS_RUN));
  await spendLimit.settle(purchase, counted);
  return bought;
}

/**
 * What is written down of a purchase before it is sent, and the last check before that. Throws if it must not be sent.
 * The time that is written down begins with the check, and not before.
 */
async function draftIntent(
  parts: BuyerParts,
  purchase: AnyPurchase,
  quote: PricedQuote,
  inTurn: InTurn,
): Promise<{ draft: IntentDraft; checkSending: () => number }> {
  const { journal, runBeginning, budget, clock, timeoutMs, settlingMs } = parts;
  const { owner, requestId } = purchase;
  const { known, turn } = inTurn;
  const { spec, listed, balance } = await purchase.inspect(quote, inTurn);
  await assertNotSuperseded(journal, runBeginning, owner, known);
  const checkSending = createSendCheck(parts, turn);
  const sentAt = serviceTime(listed, clock);
  const answerBy = new Date(sentAt.getTime() + timeoutMs + settlingMs);
  const { price, currency, discount = 0 } = quote;
  await budget.assertFits({ price, currency, sentAt }, known);
  const draft = {
    ...{ owner, requestId, purchase: spec, price, currency, discount },
    balanceBefore: balance,
    sentAt: sentAt.toISOString(),
    answerBy: answerBy.toISOString(),
  };
  return { draft, checkSending };
}

/**
 * Sends a purchase once, with its intent written ahead, and writes down what became of it. Gives what was placed, and
 * throws in every other case. Not guaranteed: a service may charge later than `settlingSeconds` after the answer was lost,
 * and list the purchase later still. This does not see that.
 */
async function send(
  { journal, balance, listing, story }: BuyerParts,
  purchase: AnyPurchase,
  draft: IntentDraft,
  { checkSending, keep }: Pick<Turn, "keep"> & { checkSending(): number },
): Promise<{ intent: Placed; told: ToldOfMoney | undefined }> {
  const intent = await journal.begin(draft);
  const refusals: unknown[] = [];
  const beforeSend = () => {
    try {
      return checkSending();
    } catch (refusal) {
      refusals.push(refusal);
      throw refusal;
    }
  };
  try {
    beforeSend();
    const told = await purchase.send({ beforeSend }).finally(() => {
      balance.spent(undefined);
      listing.invalidate();
    });
    balance.spent(told.balance);
    const charge = judgeCharge(draft.balanceBefore, told.balance, draft.price);
    const placed = await journal.noteAnswer(intent, {
      phase: "placed" as const,
      ...purchase.read(told),
      promoCodeStatus: told.promoCodeStatus ?? undefined,
      charged: chargedOf(charge),
    });
    return { intent: placed, told };
  } catch (error) {
    // The check itself threw this error, so nothing was sent.
    if (refusals.includes(error)) {
      await journal.discard(intent);
      throw error;
    }
    const failure = doubtRefusal(error, intent);
    if (!isServiceError(failure) || failure.outcome === "unknown") {
      const outcome = await purchase
        .watch(intent, failure, { keep })
        .catch((trouble: unknown) => outcomeOfNoLook(intent, failure, trouble));
      if (outcome.kind === "unknown" || outcome.kind === "unwatched") {
        await story.did(intent.owner, inDoubt(intent));
      }
      return { intent: await recordLost(journal, intent, outcome), told: undefined };
    }
    // What never left this machine leaves no trace. A refusal leaves one.
    if (failure.code === "SERVICE_UNREACHABLE") await journal.discard(intent);
    else {
      const remark = failure.message;
      await journal.noteAnswer(intent, { phase: "closed", closedBecause: "rejected", remark });
    }
    throw failure;
  }
}

/** What people are told of a purchase that may have been placed. */
function inDoubt({ id, price, currency }: Intent): Parameters<RunStory["did"]>[1] {
  return {
    id,
    line: `may have bought something for ${formatMoney(price, currency)}; \`npx pulumi-proxyrental journal show ${id}\` says what you can do`,
    doubt: { price, currency },
  };
}

/** Whether money may have moved in spite of the error. An unexpected error proves nothing. */
function isUnknown(error: unknown): boolean {
  if (isServiceError(error)) return error.outcome === "unknown";
  return !isProxyRentalError(error) || error.code === "ORDER_OUTCOME_UNKNOWN";
}

/**
 * Whether the same request may be sent again in this run. If it was proved late that an order was not placed, a
 * person must decide.
 */
function mayBeAskedAgain(error: unknown): boolean {
  if (isUnknown(error)) return false;
  return !isProxyRentalError(error) || error.code !== "ORDER_NOT_PLACED";
}
