import type { ServiceError } from "./errors.ts";

/** How many times a read is tried in all. */
const MAX_ATTEMPTS = 4;

const FIRST_WAIT_MS = 200;

const LONGEST_WAIT_MS = 5_000;

/** HTTP statuses that say that the trouble will pass. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/**
 * Whether to ask again. `repeatable` is a fact of the endpoint table. A call that spends is never repeated here, not
 * even when its connection was refused: its sender decides by the evidence.
 */
export function shouldRetry(repeatable: boolean, attempt: number, error: ServiceError): boolean {
  if (!repeatable || attempt >= MAX_ATTEMPTS) return false;
  switch (error.code) {
    case "SERVICE_UNREACHABLE":
    case "SERVICE_CONNECTION_LOST":
    case "SERVICE_ANSWER_UNREADABLE":
      return true;
    case "SERVICE_HTTP_STATUS":
      return PASSING_STATUSES.includes(error.httpStatus ?? 0);
    // The service has answered, or has used up the whole deadline.
    case "API_KEY_REJECTED":
    case "SERVICE_REFUSED":
    case "SERVICE_TIMEOUT":
      return false;
  }
}

/**
 * How long to wait before the next attempt. Exponential with full jitter, so that many clients that failed together
 * do not come back together. Never less than the service asked for.
 * @param random a number from 0 up to 1.
 */
export function retryWaitMs(attempt: number, random: number, retryAfterMs = 0): number {
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.max(retryAfterMs, Math.round(ceiling * random));
}
