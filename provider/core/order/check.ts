import type { Account } from "../account.ts";
import type { GivenInputs, InputFailure } from "../inputs.ts";
import type { OrderIntent } from "../journal/intent.ts";
import { nameOf } from "../owner.ts";
import type { Quote } from "../quote.ts";
import { makeRequestId } from "../request-id.ts";
import { checkAdoption, isAdopting } from "./adopt.ts";
import {
  changedForLater,
  changedIdentity,
  describeOrder,
  isComplete,
  type OrderArgs,
  readOrderArgs,
  toOrderRequest,
} from "./args.ts";
import { planPurchase } from "./change.ts";
import { findUnknownOrder } from "./look-back.ts";
import { type OrderCheck, ownedOf, priceOrder, type UnpricedOrder } from "./pricing.ts";
import { explainStop, type Recoverer } from "./recover.ts";
import type { Sightings } from "./sightings.ts";
import type { CheckedOrder } from "./state.ts";

/** What one process remembers of orders between the engine's calls. */
export interface OrderMemory {
  sightings: Sightings;
  recover: Recoverer;
}

/**
 * Checks the arguments of an order and puts the price of what they would buy into the plan. Spends
 * nothing. Where nothing would be bought and nothing was edited, the service is not asked at all: what it
 * no longer offers does not break what is paid.
 */
export async function checkOrder(
  account: Account,
  { sightings, recover }: OrderMemory,
  owner: string,
  before: CheckedOrder | undefined,
  given: GivenInputs,
): Promise<OrderCheck> {
  sightings.declares(owner);
  if (before) sightings.saw(owner, before.requestId);
  const { args, failures } = readOrderArgs(given);
  const alive = sightings.requestIdOf(owner);
  const planned = planPurchase(before, args, given.unknown, alive !== undefined);
  const buys = planned !== "none" && planned !== "adopt";
  if (buys || isEdited(before, args)) {
    failures.push(...(await account.catalogue.failuresOf(args)));
  }
  if (failures.length > 0) return { checked: { ...args, owner }, failures };

  if (planned === "none" && before) {
    announceRecorded(account, owner, before, args);
    return keep(owner, before, args);
  }
  if (!isComplete(args, given)) return leaveOpen(account, owner, before, args);
  const previous = alive ?? "";
  const request = toOrderRequest(args);
  const checked = { ...args, owner, requestId: makeRequestId(owner, previous, request) };
  if (planned === "replace" && before === undefined && !args.allowReplacement) {
    return { checked, failures: [refuseReplacement()] };
  }
  if (planned === "adopt" && isAdopting(checked)) {
    const { requestId } = before ?? checked;
    return checkAdoption(account, sightings, { ...checked, requestId }, before);
  }
  const known = sightings.replacements.get(checked.requestId);
  if (known) return { checked: { ...checked, holdings: heldOf(args), quote: known }, failures: [] };
  if (planned === "buy" || args.allowReplacement) {
    const named = before?.requestId ?? alive;
    const recovery = await recover(owner, request, named);
    if (recovery.kind === "takeOver") return takeOver(account, checked, recovery.intent);
    if (recovery.kind === "stop") return refuse(checked, explainStop(recovery));
    const unknownOrder = await findUnknownOrder(account, owner, request);
    if (unknownOrder !== undefined) return refuse(checked, unknownOrder);
  }
  return priceOrder(account, sightings, checked, before);
}

/** An earlier run has paid for exactly this, and the engine's state does not know: nothing is bought. */
function takeOver({ log }: Account, checked: UnpricedOrder, intent: OrderIntent): OrderCheck {
  const { requestId, orderNumber, price, currency } = intent;
  const { quantity, rentPeriodDays } = checked;
  log.info(
    `${nameOf(checked.owner)}: takes over order ${orderNumber}, ${describeOrder(checked)}, which an earlier run has paid and did not finish; nothing is bought`,
  );
  const owned = { price, quantity, rentPeriodDays, currency };
  const quote: Quote = { effect: "recover", quantity, price: 0, currency, owned };
  return { checked: { ...checked, requestId, holdings: heldOf(checked), quote }, failures: [] };
}

function refuse(checked: UnpricedOrder, reason: string): OrderCheck {
  // It is no property that is wrong, and the engine would print one's value.
  return { checked, failures: [{ property: "", reason }] };
}

function heldOf({ quantity }: Pick<OrderArgs, "quantity">): CheckedOrder["holdings"] {
  return { held: quantity, released: [] };
}

function isEdited(before: CheckedOrder | undefined, args: Partial<OrderArgs>): boolean {
  if (before === undefined) return false;
  return changedForLater(before, args).length > 0 || changedIdentity(before, args).length > 0;
}

/** Nothing is bought: the purchase that stands is carried on. */
function keep(owner: string, before: CheckedOrder, args: Partial<OrderArgs>): OrderCheck {
  const { requestId, holdings } = before;
  const quote: Quote = { effect: "none", ...ownedOf(before) };
  return { checked: { ...args, owner, requestId, holdings, quote }, failures: [] };
}

/** Not all is known yet, so the price is not either; the user's own cap is what can be said of it. */
async function leaveOpen(
  account: Account,
  owner: string,
  before: CheckedOrder | undefined,
  args: Partial<OrderArgs>,
): Promise<OrderCheck> {
  const { quantity, maxPrice } = args;
  const carried = before && { requestId: before.requestId, holdings: before.holdings };
  const quote: Quote = { effect: "unknown", quantity, priceAtMost: maxPrice, ...ownedOf(before) };
  const checked = { ...args, ...carried, owner, quote };
  if (maxPrice === undefined) return { checked, failures: [] };
  const { balance, currency } = await account.service.getBalance();
  const shortage = account.spending.plan(
    owner,
    { price: maxPrice, currency },
    account.balance.first(balance),
  );
  return { checked, failures: shortage ? [{ property: "maxPrice", reason: shortage }] : [] };
}

function refuseReplacement(): InputFailure {
  return {
    property: "allowReplacement",
    reason:
      "this resource's order is paid and can't be cancelled, and replacing it would buy it again. Nothing was bought. Take the replacement back, or set allowReplacement: true to buy a new order and let the old one run out",
  };
}

function announceRecorded(
  { log }: Account,
  owner: string,
  before: CheckedOrder,
  args: Partial<OrderArgs>,
): void {
  const names = changedForLater(before, args);
  if (names.length === 0) return;
  log.info(
    `${nameOf(owner)}: ${names.join(", ")} recorded for the next purchase; nothing is bought`,
  );
}
