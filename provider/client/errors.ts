/**
 * What is known of the money after a failed call. `rejected`: this call bought nothing. `unknown`: it may have bought
 * something, so look at the account before you ask again.
 */
export type Outcome = "rejected" | "unknown";

/** Stable names of what can go wrong between us and the service. */
export const serviceErrorCodes = [
  /** Error code 2: the key is not valid. */
  "API_KEY_REJECTED",
  /** `success: false` with any other code. */
  "SERVICE_REFUSED",
  /** No connection: the request never left. */
  "SERVICE_UNREACHABLE",
  /** The connection broke while the call was under way. */
  "SERVICE_CONNECTION_LOST",
  /** No complete answer before the deadline. */
  "SERVICE_TIMEOUT",
  /** An HTTP status other than 200. */
  "SERVICE_HTTP_STATUS",
  /** Status 200, but not the documented JSON. */
  "SERVICE_ANSWER_UNREADABLE",
] as const;

/** See `serviceErrorCodes`. */
export type ServiceErrorCode = (typeof serviceErrorCodes)[number];

/** The facts of a failed call. */
export interface ServiceErrorFacts {
  code: ServiceErrorCode;
  outcome: Outcome;
  /** Which endpoint was asked, by its name in the endpoint table. */
  endpoint: string;
  message: string;
  /** The service's own error code, where it gave one. */
  serviceCode?: number | undefined;
  httpStatus?: number | undefined;
  /** How long the service asked us to wait (`Retry-After`). */
  retryAfterMs?: number | undefined;
  /** The account's balance after the call, where a refusal told it. */
  balance?: number | undefined;
}

/** A call to the service that failed. Its message never holds the API key. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly outcome: Outcome;
  readonly endpoint: string;
  readonly serviceCode: number | undefined;
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly balance: number | undefined;

  constructor(facts: ServiceErrorFacts) {
    super(facts.message);
    this.code = facts.code;
    this.outcome = facts.outcome;
    this.endpoint = facts.endpoint;
    this.serviceCode = facts.serviceCode;
    this.httpStatus = facts.httpStatus;
    this.retryAfterMs = facts.retryAfterMs;
    this.balance = facts.balance;
  }
}

/** Recognises a `ServiceError` by its facts, so that it works across copies of this package. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "outcome" in error && "endpoint" in error;
}
