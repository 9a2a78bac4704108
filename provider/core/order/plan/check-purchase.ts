import type { Account } from "../../account.ts";
import { makeRequestId } from "../../records/request-id.ts";
import type { InputFailure } from "../../values/inputs.ts";
import { checkAdoption, isAdopting, nameAdoption } from "../adopt/adopt.ts";
import { toOrderRequest } from "../model/args.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import { holdAll } from "../model/holdings.ts";
import type { OrderCheck, OwnedArgs } from "../model/order-check.ts";
import type { CheckedOrder } from "../model/state.ts";
import type { PlannedPurchase } from "./change.ts";
import type { OrderMemory } from "./memory.ts";
import { preflight } from "./preflight.ts";
import { priceOrder, refusePurchase, takeOver } from "./pricing.ts";

/** Checks a whole order: the first one, one in place of another, or one that is taken over. Spends nothing. */
export async function checkPurchase(
  account: Account,
  { replacements, recover }: OrderMemory,
  planned: Extract<PlannedPurchase, "buy" | "replace" | "adopt">,
  args: OwnedArgs,
  before: CheckedOrder | undefined,
): Promise<OrderCheck> {
  const { owner, quantity } = args;
  const alive = account.registry.requestIdOf(owner);
  const request = toOrderRequest(args);
  const checked = { ...args, requestId: makeRequestId(owner, alive ?? "", request) };
  if (planned === "replace" && before === undefined && !args.allowReplacement) {
    return { checked, failures: [refuseReplacement()] };
  }
  if (planned === "adopt" && isAdopting(checked)) {
    const requestId = before?.requestId ?? nameAdoption(owner, checked.adoptOrderNumber, request);
    return checkAdoption(account, { ...checked, requestId }, before);
  }
  const known = replacements.get(checked.requestId);
  const holdings = holdAll(quantity);
  if (known) {
    const { quote, lines } = known;
    return { checked: { ...checked, holdings, quote }, failures: [], lines };
  }
  if (planned === "buy" || args.allowReplacement) {
    const named = before?.requestId ?? alive;
    const stop = await preflight(account, recover, owner, request, named, false);
    if (stop?.kind === "paid") {
      return takeOver(checked, stop.intent, holdings, undefined);
    }
    if (stop) return refusePurchase(checked, stop);
  }
  const effect = alive === undefined ? "buy" : "replace";
  const costBasis = costBasisOf(before);
  const order = { order: checked, effect, quantity, holdings, costBasis } as const;
  return priceOrder(account, replacements, order);
}

function refuseReplacement(): InputFailure {
  return {
    code: "EDIT_REFUSED",
    property: "allowReplacement",
    reason:
      "this resource's order is paid and can't be cancelled, and replacing it would buy it again. Nothing was bought. Take the replacement back, or set allowReplacement: true to buy a new order and let the old one run out",
  };
}
