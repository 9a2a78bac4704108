import type { HttpBindings } from "@hono/node-server";
import type { Context, TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import type { Account } from "../account/account.ts";
import type { ServiceError } from "./rejection.ts";
import type { OpenRequest } from "./request-journal.ts";

export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    request: OpenRequest;
    /**
     * The account of the call's key. Not set for an unknown key: then no route runs, and no fault that needs an
     * account.
     */
    account: Account;
    emptyAnswer: (error: ServiceError) => object;
    /** Does the work that changes the account. If a fault puts it off, this throws. */
    commit: <T>(work: () => T) => T;
    /** How far ahead of the service's clock a fault has set the `Date` of the answer. */
    dateAheadMs: number | undefined;
  };
}

/** One request on its way through the simulator. */
export type Call = Context<ApiEnv>;

/**
 * Answers, and shows the answer to the journal. The service says 200 for success and failure alike. Both get one text:
 * a page of the listing is large, and as objects the journal would keep it alive.
 */
export function answer<Answer extends object>(
  call: Call,
  content: Answer,
): Response & TypedResponse<JSONParsed<Answer>, 200, "json"> {
  return answerWritten<Answer>(call, JSON.stringify(content));
}

/** The same, with an answer that is JSON already. */
export function answerWritten<Answer extends object>(
  call: Call,
  json: string | Buffer<ArrayBuffer>,
): Response & TypedResponse<JSONParsed<Answer>, 200, "json"> {
  call.get("request").answered = json;
  // As `json` makes it, whose type it has.
  const response: unknown = call.body(json, 200, { "Content-Type": "application/json" });
  return response as Response & TypedResponse<JSONParsed<Answer>, 200, "json">;
}

/** The account as answers show it; all null for an unknown key. */
export interface AccountView {
  balance: number | null;
  currency: string | null;
}

export function viewAccount({ ledger, settings }: Account): AccountView {
  return { balance: ledger.balance.toNumber(), currency: settings.currency };
}

export const noAccount: AccountView = { balance: null, currency: null };
