import type { PricedItem } from "../account/pricing.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import type { DocumentedCode } from "../api/rejection.ts";

/** What goes wrong with a call, or happens beside it. */
export type Fault = SpoilingFault | PassingFault | LateCommitFault;

/** The caller gets this instead of the answer; of several on one call, the first counts. */
export type SpoilingFault =
  /** TCP RST, without an answer. */
  | { readonly kind: "reset" }
  /** No answer, until the caller leaves or the simulator stops. */
  | { readonly kind: "hang" }
  /** The first half of the JSON, and a proper end. */
  | { readonly kind: "truncate" }
  /** A web page with status 200. */
  | { readonly kind: "garbage" }
  /** From 400 to 599, with a plain text. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** The header Retry-After. @default none */
      readonly retryAfterSeconds?: number | undefined;
    }
  /** 307 to another path, under which the simulator takes the same call: who follows it buys, and the ledger shows it. */
  | { readonly kind: "redirect" }
  /** `success: false` with a documented code and the endpoint's emptied fields. */
  | { readonly kind: "refuse"; readonly code: DocumentedCode }
  /** The real answer, one byte at a time; phase "after" only. */
  | {
      readonly kind: "drip";
      /** By the machine's clock. @default 1000 */
      readonly everyMs?: number | undefined;
    };

/** Happens, and the call goes on. */
export type PassingFault =
  /** Holds the call back ("before") or its answer ("after"), by the machine's clock; a caller who leaves stops nothing. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Anything a test wants done at this moment; a promise is waited for. */
  | { readonly kind: "act"; readonly run: () => unknown }
  /** Somebody else buys with the same account; nothing happens when the balance does not cover it. */
  | { readonly kind: "foreignOrder"; readonly item: PricedItem }
  /** The real answer, changed; phase "after" only. */
  | { readonly kind: "answer"; readonly patch: AnswerPatch }
  /** Answers as ever and closes the kept connection afterwards, unannounced; phase "after" only. */
  | { readonly kind: "closeConnectionAfter" }
  /** The real answer, with a `Date` header that is so much ahead of the service's clock, or behind it; phase "after" only. */
  | { readonly kind: "date"; readonly aheadMs: number };

/** What becomes of an answer: a function of it, or a JSON merge patch (RFC 7396), in which null takes a field out. */
export type AnswerPatch =
  | ((answer: Readonly<Record<string, unknown>>) => object)
  | { readonly [field: string]: unknown };

/**
 * The call is carried out, and charged, so much later by the simulator's own clock; its connection is reset at once, unless
 * another fault of phase "after" says what the caller sees. Of a call that is refused by then nobody hears. Both phases mean the
 * same. Endpoints: createOrder, extend, setAutoExtension.
 */
export interface LateCommitFault {
  readonly kind: "lateCommit";
  readonly afterMs: number;
}

/** Which calls meet which fault. Several rules may meet one call: in the order in which they were added. */
export interface FaultRule {
  readonly endpoint: EndpointName | "any";
  /** Counted by arrival from 1 since the rule was added, refused calls included. @default all */
  readonly calls?: readonly number[] | undefined;
  /** How likely each of those calls meets the fault, from 0 to 1; the same seed and calls, the same outcome. @default 1 */
  readonly probability?: number | undefined;
  /**
   * "before": the service never acts on the call, as far as the fault spoils it. "after": it has acted, charges included, and
   * only the answer goes wrong.
   */
  readonly phase: "before" | "after";
  readonly fault: Fault;
}

/** A rule that was added. */
export interface FaultHandle {
  /** What it is called at the control door. */
  readonly id: string;
  /** How often the fault has struck. */
  hits(): number;
  /** Calls that arrive from now on do not meet it; what was put off by it still happens. */
  remove(): void;
}
