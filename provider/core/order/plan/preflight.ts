import type { OrderRequest } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import type { OrderIntent } from "../../records/intent.ts";
import { stopIfOvercharged } from "../../spending/recovered-charge.ts";
import type { ErrorCode } from "../../values/errors.ts";
import { explainStop } from "../recover/explain-stop.ts";
import type { Recoverer } from "../recover/recover.ts";
import { findUnknownOrder } from "./unknown-orders.ts";

/** What earlier runs have left that stands in the way of a purchase. */
export type PreflightStop =
  /** This very purchase is paid already. */
  | { kind: "paid"; intent: OrderIntent }
  /** It may be paid already, and a person decides. */
  | { kind: "doubt"; code: ErrorCode; reason: string };

/** Looks for such a purchase in the journal, and then for an unknown order in the account. */
export async function preflight(
  account: Account,
  recover: Recoverer,
  owner: string,
  request: OrderRequest,
  /** The purchase that the engine's state names already. */
  namedRequestId: string | undefined,
  isTopUp: boolean,
): Promise<PreflightStop | undefined> {
  const recovery = await recover({ owner, request, namedRequestId });
  if (recovery.kind === "takeOver") {
    await stopIfOvercharged(account, recovery.intent);
    return { kind: "paid", intent: recovery.intent };
  }
  if (recovery.kind === "stop") {
    const isKnown = recovery.intent.orderNumber !== undefined;
    const code = isKnown ? "ORDER_MAY_BE_PAID" : "ORDER_OUTCOME_UNKNOWN";
    return { kind: "doubt", code, reason: explainStop(recovery, isTopUp) };
  }
  const reason = await findUnknownOrder(account, request, isTopUp);
  return reason === undefined ? undefined : { kind: "doubt", code: "ORDER_MAY_BE_PAID", reason };
}
