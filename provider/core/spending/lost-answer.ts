import { isServiceError, ServiceError } from "../../client/index.ts";
import type { Journal } from "../journal/journal.ts";
import type { Intent, IntentChange, PurchaseSpec } from "../records/intent.ts";
import { isProxyRentalError, ProxyRentalError, RECORD_CALLS, reasonOf } from "../values/errors.ts";
import { formatMoney } from "../values/money.ts";
import { findFall } from "./charge.ts";

/** What became of a purchase whose answer was lost. */
export type LostOutcome<Known> =
  | { kind: "placed"; known: Known }
  | { kind: "notPlaced"; error: Error }
  /** It was watched to the end, and nobody can tell. */
  | { kind: "unknown"; seen: Pick<IntentChange, "candidates" | "hasTraces">; error: Error }
  /** It could not be watched to the end: it may still be carried out. */
  | { kind: "unwatched"; error: Error };

/**
 * How a failed spending call is to be believed. A refusal that tells a balance from which at least the price is gone
 * contradicts itself, so its outcome is unknown. Not guaranteed: if somebody else buys right before the refusal, it looks the
 * same. Then a person is asked in vain, and nothing is bought twice. A refusal that tells no balance is believed.
 */
export function doubtRefusal(
  error: unknown,
  { balanceBefore, price, currency }: Pick<Intent, "balanceBefore" | "price" | "currency">,
): unknown {
  if (!isServiceError(error) || error.outcome === "unknown") return error;
  const fall = findFall(balanceBefore, error.balance, price);
  if (fall === undefined) return error;
  return new ServiceError({
    code: "SERVICE_ANSWER_UNREADABLE",
    outcome: "unknown",
    endpoint: error.endpoint,
    message: `${error.message}, yet the balance that it tells is lower by ${formatMoney(fall, currency)} than before`,
  });
}

/**
 * Writes down what became of a purchase whose answer was lost. Throws unless it is known to be placed. One that could not be
 * watched to the end stays what it is: whatever is written down of it would end its turn, and the next purchase would be sent
 * before its late effects are over. The next run judges it.
 */
export async function recordLost<Spec extends PurchaseSpec, Known extends IntentChange>(
  journal: Pick<Journal, "note">,
  intent: Intent<Spec>,
  outcome: LostOutcome<Known>,
): Promise<Intent<Spec> & Known> {
  switch (outcome.kind) {
    case "placed":
      return journal.note(intent, { phase: "placed" as const, ...outcome.known });
    case "notPlaced":
      await journal.note(intent, { phase: "closed", closedBecause: "notPlaced" });
      throw outcome.error;
    case "unknown": {
      const { seen, error } = outcome;
      await journal.note(intent, { phase: "unknown", ...seen, remark: error.message });
      throw error;
    }
    case "unwatched":
      throw outcome.error;
  }
}

/** The outcome if the account could not be watched to the end. What was seen by then stays written down. */
export function outcomeOfNoLook(
  { id, price, currency, sentAt }: Intent,
  lost: unknown,
  trouble: unknown,
): LostOutcome<never> {
  // The message of this error is about purchases that are still to be made.
  const why = isProxyRentalError(trouble) ? trouble.code : reasonOf(trouble);
  const error = new ProxyRentalError(
    "ORDER_OUTCOME_UNKNOWN",
    `${reasonOf(lost)}. The purchase for ${formatMoney(price, currency)}, sent at ${sentAt}, may have been carried out and charged, and it could not be watched to the end (${why}). It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and resolve it: \`npx pulumi-proxyrental journal resolve ${id}\`. ${RECORD_CALLS}`,
  );
  return { kind: "unwatched", error };
}
