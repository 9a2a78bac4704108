import type { EndpointName } from "./endpoints.ts";
import type { Outcome, ServiceErrorCode } from "./errors.ts";

/** One HTTP call, when it is over. Its texts hold no API key, but for the bodies. */
export interface ObservedCall {
  endpoint: EndpointName;
  /** Counts the tries of one call from 1. */
  attempt: number;
  /** From connecting to the last byte of the answer, or until it was clear that none comes. */
  ms: number;
  /** Undefined if no whole answer came. */
  httpStatus: number | undefined;
  /** The service's clock at the answer, by its `Date` header. */
  answeredAt: Date | undefined;
  result: CallResult;
  /** What was sent, as it is: it may hold anything but the key. Undefined if nothing was. */
  request: unknown;
  /** The text of the answer, as it is: **it may hold logins, and the key**. Undefined if no whole answer came. */
  answer: string | undefined;
}

/** What a call came to. */
export type CallResult =
  | { outcome: "ok" }
  | {
      /** What it means for the money. */
      outcome: Outcome;
      code: ServiceErrorCode;
      /** The service's own error code, where it gave one. */
      serviceCode: number | undefined;
      message: string;
    };

/**
 * Is told of each HTTP call when it is over. Of a call that `beforeSend` has stopped nothing was sent, so nobody is told.
 * What it throws is dropped: it must not hide an answer.
 */
export type CallObserver = (call: ObservedCall) => void;
