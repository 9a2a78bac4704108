import { isServiceError, type ServiceErrorCode, serviceErrorCodes } from "../../client/index.ts";
import { messageOf } from "./message-of.ts";

/** Stable names of everything that can stop a run. Scripts may rely on them. */
export const errorCodes = [
  ...serviceErrorCodes,
  "CONFIGURATION_INVALID",
  "INPUT_INVALID",
  "STATE_UNREADABLE",
  /** The service warns that it would not carry the order out. */
  "ORDER_WARNING",
  "INSUFFICIENT_FUNDS",
  "PROMO_CODE_NOT_VALID",
  "PRICE_UNUSABLE",
  "PRICE_ABOVE_CAP",
  "PRICE_ROSE",
  "NOT_PLANNED",
  "SPEND_LIMIT_REACHED",
  /** The account would spend more than its budget of the month. */
  "BUDGET_EXCEEDED",
  /** The resource is in no stack, so no state would remember what it buys. */
  "STACK_REQUIRED",
  "ORDER_OUTCOME_UNKNOWN",
  /** An earlier purchase is, or may be, this very one: it was not sent. */
  "ORDER_MAY_BE_PAID",
  /** The answer was lost, and the account shows that the order was not placed. */
  "ORDER_NOT_PLACED",
  /** An earlier purchase of this run ended unknown, so nothing more is bought. */
  "BUYING_STOPPED",
  "RUN_CANCELLED",
  /** Purchases can't be written down ahead, so none is made. */
  "JOURNAL_UNAVAILABLE",
  /** Another process keeps the account busy. */
  "ACCOUNT_BUSY",
  /** Another run is buying for the same resource right now. */
  "PURCHASE_IN_PROGRESS",
  "DELIVERY_PENDING",
  /** Part of an extension is paid and saved; the rest is not, or is not listed yet. */
  "EXTENSION_INCOMPLETE",
  "LISTING_INCONSISTENT",
  "ORDER_MISSING",
  "EDIT_REFUSED",
  "REFRESH_NEEDED",
  "AUTO_EXTENSION_FAILED",
  /** A proxy can't be written in the form that was asked for. */
  "FORMAT_NOT_POSSIBLE",
] as const;

/** See `errorCodes`. */
export type ErrorCode = (typeof errorCodes)[number];

/** Something a user must know: what happened, what was spent, and what to do next, in that order. */
export class ProxyRentalError extends Error {
  override readonly name = "ProxyRentalError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Recognises a `ProxyRentalError` by its facts, so that it works across copies of this package. */
export function isProxyRentalError(error: unknown): error is ProxyRentalError {
  return error instanceof Error && error.name === "ProxyRentalError" && "code" in error;
}

const whatToDo: Record<ServiceErrorCode, string> = {
  // A refresh and a destroy get the configuration of the last `up`, with the old key.
  API_KEY_REJECTED:
    "Set proxyrental:apiKey (or PROXYRENTAL_API_KEY) to the key of your account; after a change of proxyrental:apiKey run `pulumi up --refresh=false` once.",
  SERVICE_REFUSED: "Correct what it names and run again.",
  SERVICE_UNREACHABLE: "Check proxyrental:baseUrl and the network, then run again.",
  SERVICE_CONNECTION_LOST: "Run again when the service is well.",
  SERVICE_TIMEOUT: "Run again when the service is well, or raise proxyrental:timeoutSeconds.",
  SERVICE_HTTP_STATUS: "Check proxyrental:baseUrl, or run again when the service is well.",
  SERVICE_ANSWER_UNREADABLE: "Check proxyrental:baseUrl, or run again when the service is well.",
};

/** What a person can do where the service may be to blame. It ends a message. */
export const RECORD_CALLS =
  "For the service's support, PROXYRENTAL_CALLS=FILE writes each call of the next run down, without key and logins.";

/** Turns a failed call that did not spend into a sentence for the user. Any other error passes through. */
export function explainServiceError(error: unknown): unknown {
  if (!isServiceError(error)) return error;
  return new ProxyRentalError(
    error.code,
    `${error.message}. Nothing was bought by this call. ${whatToDo[error.code]}${mayBlame(error.code) ? ` ${RECORD_CALLS}` : ""}`,
  );
}

/**
 * Whether the service may be to blame. A key that it does not know is the user's. (It takes any code: the narrower type would
 * lead the compiler of a user's project to the types of a library.)
 */
export function mayBlame(code: ErrorCode): boolean {
  return code !== "API_KEY_REJECTED";
}

/** For `catch`: as `explainServiceError`. */
export function rethrowExplained(error: unknown): never {
  throw explainServiceError(error);
}

/** What went wrong, as a part of another sentence. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/\.$/, "");
}
