import { isServiceError } from "../../client/index.ts";
import type { Intent, IntentChange, IntentDraft, PurchaseSpec } from "../records/intent.ts";
import { isProxyRentalError, ProxyRentalError, reasonOf } from "../values/errors.ts";
import { formatMoney } from "../values/money.ts";
import type { Journal } from "./journal.ts";

/** What became of a purchase whose answer was lost. */
export type LostOutcome<Known> =
  | { kind: "placed"; known: Known }
  | { kind: "notPlaced"; error: Error }
  | { kind: "unknown"; candidates: string[]; error: Error };

/** One purchase as the journal goes along with it. */
export interface JournaledSteps<About extends PurchaseSpec, Known extends IntentChange> {
  draft: IntentDraft<About>;
  /** Throws where nothing may be sent any more: this process has lost its turn on the account, say. */
  assertMaySend(): void;
  /**
   * The spending call, made once. Gives what its answer told. Asks `beforeSend` right before its first byte,
   * and where that throws, it throws the same and sends nothing.
   */
  send(beforeSend: () => void): Promise<Known>;
  /** Looks for what became of it, because this error is no answer. */
  settle(intent: Intent<About>, error: unknown): Promise<LostOutcome<Known>>;
}

/**
 * Sends a purchase with its intent written ahead, and writes down what became of it. Gives the intent of a
 * purchase that the service took; everything else is thrown. What is not guaranteed: that a service which
 * charges later than `settlingSeconds` after the deadline, and lists it later still, was seen to do so.
 */
export async function sendWrittenAhead<About extends PurchaseSpec, Known extends IntentChange>(
  journal: Journal,
  { draft, assertMaySend, send, settle }: JournaledSteps<About, Known>,
): Promise<Intent<About> & Known> {
  const intent = await journal.begin(draft);
  const refusals: unknown[] = [];
  const beforeSend = () => {
    try {
      assertMaySend();
    } catch (refusal) {
      refusals.push(refusal);
      throw refusal;
    }
  };
  try {
    beforeSend();
    const known = await send(beforeSend);
    return await journal.note(intent, { phase: "placed" as const, ...known });
  } catch (error) {
    // The very error that stopped it proves that nothing was sent.
    if (refusals.includes(error)) {
      await journal.discard(intent);
      throw error;
    }
    if (!isServiceError(error) || error.outcome === "unknown") {
      // That nobody could look is no proof of anything.
      const settled = await settle(intent, error).catch((trouble: unknown) =>
        leaveUnresolved(intent, error, trouble),
      );
      return recordLost(journal, intent, settled);
    }
    // What never left this machine leaves no trace; a refusal is worth one.
    if (error.code === "SERVICE_UNREACHABLE") await journal.discard(intent);
    else {
      const remark = error.message;
      await journal.note(intent, { phase: "closed", closedBecause: "rejected", remark });
    }
    throw error;
  }
}

function leaveUnresolved(
  { id, price, currency, sentAt }: Intent,
  lost: unknown,
  trouble: unknown,
): Extract<LostOutcome<never>, { kind: "unknown" }> {
  // The trouble's own message speaks of purchases that are still to be made.
  const why = isProxyRentalError(trouble) ? trouble.code : reasonOf(trouble);
  const error = new ProxyRentalError(
    "ORDER_OUTCOME_UNKNOWN",
    `${reasonOf(lost)}. The purchase for ${formatMoney(price, currency)}, sent at ${sentAt}, may have been carried out and charged, and it could not be looked for (${why}). It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and settle it: \`npx proxyrental journal resolve ${id}\`.`,
  );
  return { kind: "unknown", candidates: [], error };
}

async function recordLost<About extends PurchaseSpec, Known extends IntentChange>(
  journal: Journal,
  intent: Intent<About>,
  settled: LostOutcome<Known>,
): Promise<Intent<About> & Known> {
  switch (settled.kind) {
    case "placed":
      return journal.note(intent, { phase: "placed" as const, ...settled.known });
    case "notPlaced":
      await journal.note(intent, { phase: "closed", closedBecause: "notPlaced" });
      throw settled.error;
    case "unknown": {
      const { candidates, error } = settled;
      await journal.note(intent, { phase: "unknown", candidates, remark: error.message });
      throw error;
    }
  }
}
