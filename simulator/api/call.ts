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
    /** Whose key the call brings. Not set under an unknown one: no route runs then, and no fault that needs an account. */
    account: Account;
    emptyAnswer: (error: ServiceError) => object;
    /** Does what changes the account; a fault may have it done later, and then it throws. */
    commit: <T>(work: () => T) => T;
    /** How far a fault has put the `Date` of the answer ahead of the service's clock. */
    dateAheadMs: number | undefined;
  };
}

/** One request on its way through the simulator. */
export type Call = Context<ApiEnv>;

/** Answers, and lets the journal see what. The service says 200 to success and failure alike. */
export function answer<Answer extends object>(
  call: Call,
  content: Answer,
): Response & TypedResponse<JSONParsed<Answer>, 200, "json"> {
  call.get("request").answer = content;
  return call.json(content, 200);
}

/** The account as it stands in answers; all null where the key belongs to none. */
export interface AccountView {
  balance: number | null;
  currency: string | null;
}

export function viewAccount({ ledger, settings }: Account): AccountView {
  return { balance: ledger.balance.toNumber(), currency: settings.currency };
}

export const noAccount: AccountView = { balance: null, currency: null };
