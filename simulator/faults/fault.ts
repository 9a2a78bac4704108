import type { PricedItem } from "../account/pricing.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import type { DocumentedCode } from "../api/rejection.ts";

/** What goes wrong with a call, or happens beside it. */
export type Fault = SpoilingFault | PassingFault | LateCommitFault;

/** The caller gets this in place of the answer. If a call meets several, the first counts. */
export type SpoilingFault =
  /** TCP RST, without an answer. */
  | { readonly kind: "reset" }
  /** No answer, until the caller leaves or the simulator stops. */
  | { readonly kind: "hang" }
  /** The first half of the JSON, and a proper end. */
  | { readonly kind: "truncate" }
  /** A web page with status 200. */
  | { readonly kind: "garbage" }
  /** A status from 400 to 599, with a plain text. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** The header Retry-After. @default none */
      readonly retryAfterSeconds?: number | undefined;
    }
  /**
   * 307 to another path, which the simulator accepts as the same call. A caller that follows it buys, and the ledger
   * shows it.
   */
  | { readonly kind: "redirect" }
  /** `success: false` with a documented code and the endpoint's empty fields. */
  | { readonly kind: "refuse"; readonly code: DocumentedCode }
  /** The real answer, one byte at a time; phase "after" only. */
  | {
      readonly kind: "drip";
      /** By the machine's clock. @default 1000 */
      readonly everyMs?: number | undefined;
    };

/** Happens, and the call goes on. */
export type PassingFault =
  /**
   * Holds the call back ("before") or its answer ("after"), by the machine's clock. It goes on if the caller leaves.
   */
  | { readonly kind: "delay"; readonly ms: number }
  /** Anything that a test wants to do at this moment. A promise is awaited. */
  | { readonly kind: "act"; readonly run: () => unknown }
  /** Somebody else buys with the same account. Nothing happens if the balance does not cover it. */
  | { readonly kind: "foreignOrder"; readonly item: PricedItem }
  /** The real answer, changed; phase "after" only. */
  | { readonly kind: "answer"; readonly patch: AnswerPatch }
  /** Answers as usual, and then closes the kept connection without a word; phase "after" only. */
  | { readonly kind: "closeConnectionAfter" }
  /**
   * The real answer, with a `Date` header that is this much ahead of the service's clock, or behind it; phase "after"
   * only.
   */
  | { readonly kind: "date"; readonly aheadMs: number };

/** Changes an answer: a function, or a JSON merge patch (RFC 7396), in which null removes a field. */
export type AnswerPatch =
  | ((answer: Readonly<Record<string, unknown>>) => object)
  | { readonly [field: string]: unknown };

/**
 * The call is carried out and charged this much later, by the simulator's own clock. Its connection is reset at once,
 * unless another fault of phase "after" says what the caller sees. If the call is refused by then, nobody is told.
 * Both phases mean the same. Endpoints: createOrder, extend, setAutoExtension.
 */
export interface LateCommitFault {
  readonly kind: "lateCommit";
  readonly afterMs: number;
}

/** Which calls meet which fault. Several rules may meet one call, in the order in which they were added. */
export interface FaultRule {
  readonly endpoint: EndpointName | "any";
  /** Counted by arrival from 1 since the rule was added, refused calls included. @default all */
  readonly calls?: readonly number[] | undefined;
  /**
   * How likely each of those calls meets the fault, from 0 to 1. The same seed and calls give the same result.
   * @default 1
   */
  readonly probability?: number | undefined;
  /**
   * "before": the fault comes before the service acts, so a spoiled call is never carried out. "after": the service
   * has acted and charged, and only the answer goes wrong.
   */
  readonly phase: "before" | "after";
  readonly fault: Fault;
}

/** A rule that was added. */
export interface FaultHandle {
  /** Its id at the control API. */
  readonly id: string;
  /** How often the fault has struck. */
  hits(): number;
  /** Calls that arrive from now on do not meet it. A call that it has put off is still carried out. */
  remove(): void;
}
