import type { Account } from "../account.ts";
import { type LostOutcome, sendWrittenAhead } from "../journal/write-ahead.ts";
import type { Intent, IntentChange, IntentDraft, PurchaseSpec } from "../records/intent.ts";
import { chargedOf, judgeCharge, type ToldOfMoney, weighCharge } from "./charge.ts";
import { createSendCheck } from "./send-check.ts";
import type { Receipt, Turn } from "./spending.ts";

/** One purchase as it is sent, and what its answer tells. */
interface PurchaseToSend<About extends PurchaseSpec, Answer, Known extends IntentChange> {
  draft: IntentDraft<About>;
  /** The spending call. */
  send(options: { beforeSend(): void }): Promise<Answer>;
  /** What its answer tells beside the money. */
  read(answer: Answer): Known;
  /** Finds out what became of it where the answer is lost. */
  settle(intent: Intent<About>, error: unknown): Promise<LostOutcome<Known>>;
  /** How a person is told of it. */
  describe(intent: Intent<About> & Known): string;
}

/** What the answer to any purchase tells of the money. */
interface ToldCharge {
  promoCodeStatus?: string | undefined;
  charged?: number | undefined;
}

/**
 * Sends a purchase with its intent written ahead, once, and holds what was charged against what was confirmed.
 */
export async function sendPurchase<
  About extends PurchaseSpec,
  Answer extends ToldOfMoney,
  Known extends IntentChange,
>(
  account: Account,
  turn: Turn,
  { draft, send, read, settle, describe }: PurchaseToSend<About, Answer, Known>,
): Promise<Receipt<Intent<About> & Known & ToldCharge>> {
  const { balance, listing, journal } = account;
  let told: Answer | undefined;
  const intent = await sendWrittenAhead<About, Known & ToldCharge>(journal, {
    draft,
    assertMaySend: createSendCheck(account, turn),
    async send(beforeSend) {
      told = await send({ beforeSend }).finally(() => {
        balance.spent(undefined);
        listing.invalidate();
      });
      balance.spent(told.balance);
      const charge = judgeCharge(draft.balanceBefore, told.balance, draft.price);
      const promoCodeStatus = told.promoCodeStatus ?? undefined;
      return { ...read(told), promoCodeStatus, charged: chargedOf(charge) };
    },
    settle,
  });
  const { promoCode } = draft.purchase.request;
  const name = describe(intent);
  return weighCharge(account, {
    ...{ intent, name, told },
    promoCode: typeof promoCode === "string" ? promoCode : undefined,
  });
}
