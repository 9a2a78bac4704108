import { StoreFailure } from "../core/journal/raw-store.ts";

/**
 * What a product's answer comes to that is neither the wanted one nor a condition that failed.
 * @param status undefined where there was no answer.
 */
export function explainStatus(
  status: number | undefined,
  reason: string,
  cause?: unknown,
): StoreFailure {
  const said = status === undefined ? reason : `${reason} (HTTP ${status})`;
  return new StoreFailure(kindOf(status), said, cause);
}

function kindOf(status: number | undefined): StoreFailure["kind"] {
  if (status === undefined || status === 408) return "unanswered";
  // Two writers at once, or too many in a second: it was not done.
  if (status === 409 || status === 429) return "busy";
  // "Not implemented" is said before anything is done.
  if (status >= 500 && status !== 501) return "unanswered";
  return "refused";
}

/** The store's clock, as every answer by HTTP tells it. */
export function readDate(header: string | undefined | null): Date {
  const at = new Date(header ?? Number.NaN);
  if (!Number.isNaN(at.getTime())) return at;
  throw new StoreFailure("refused", "its answers have no Date header, so it tells no time");
}
