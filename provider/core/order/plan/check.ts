import { lookForPeople } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { type Fleet, fleetSchema } from "../../spending/fleet-limit.ts";
import { describeOpenPrice } from "../../spending/open-price.ts";
import { type OrderQuote, quoteAccount } from "../../spending/quote.ts";
import { refuseWithoutStack } from "../../spending/without-stack.ts";
import { isSpending } from "../../values/effect.ts";
import {
  acceptedBy,
  type GivenInputs,
  type InputFailure,
  isComplete,
} from "../../values/inputs.ts";
import {
  changedForLater,
  changedIdentity,
  type OrderArgs,
  parseOrderArgs,
  toOrderRequest,
} from "../model/args.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import type { OrderCheck, OwnedArgs } from "../model/order-check.ts";
import type { CheckedOrder } from "../model/state.ts";
import { nameUnclaimed, nameUnclaimedOfOthers } from "../recover/unclaimed.ts";
import { planPurchase } from "./change.ts";
import { checkPurchase } from "./check-purchase.ts";
import { checkResize } from "./check-resize.ts";
import type { OrderMemory } from "./memory.ts";

/**
 * Checks the arguments of an order, and puts the price into the plan. Spends nothing. If nothing would be bought and
 * nothing was edited, the service is not asked at all. So an order that the service no longer offers does not break
 * the run.
 */
export async function checkOrder(
  account: Account,
  memory: OrderMemory,
  owner: string,
  before: CheckedOrder | undefined,
  given: GivenInputs,
): Promise<OrderCheck> {
  const { registry } = account;
  registry.declare(owner);
  if (before) registry.notePurchase(owner, before.requestId);
  const { args, failures } = parseOrderArgs(given);
  const read = parseFleet(given);
  failures.push(...read.failures);
  const ours = { owner, ...(read.fleet && { fleet: read.fleet }) };
  const alive = registry.requestIdOf(owner);
  const planned = planPurchase(before, args, given.unknown, alive !== undefined);
  const homeless = planned === "none" ? undefined : refuseWithoutStack(owner);
  if (homeless) return { checked: { ...args, ...ours }, failures: [...failures, homeless] };
  const mayBuy = planned === "buy" || planned === "replace" || planned === "unknown";
  if (mayBuy || isEdited(before, args)) {
    if (planned === "buy" && failures.length === 0 && isComplete<OrderArgs>(args, given)) {
      askAhead(account, args);
    }
    failures.push(...(await account.catalogue.failuresOf(args)));
  }
  if (failures.length > 0) return { checked: { ...args, ...ours }, failures };

  if (planned === "none" && before) {
    await nameUnclaimed(account, owner, before.requestId);
    return keep(owner, before, args);
  }
  await nameUnclaimedOfOthers(account, owner);
  if (!isComplete<OrderArgs>(args, given)) return leaveOpen(account, before, { ...args, ...ours });
  if (planned === "resize" && before) {
    const check = await checkResize(account, memory, { ...args, ...ours }, before);
    const { quote } = check.checked;
    // A purchase of this plan uses what was edited, so that nothing is left for the next one.
    const recorded = quote && isSpending(quote) ? [] : describeRecorded(before, args);
    return { ...check, lines: [...recorded, ...(check.lines ?? [])] };
  }
  if (planned === "buy" || planned === "replace" || planned === "adopt") {
    return checkPurchase(account, memory, planned, { ...args, ...ours }, before);
  }
  throw new Error(`a check of known arguments can't come to "${planned}"`);
}

/**
 * Asks at once for all that the plan of a purchase needs to know. The engine checks one resource after the other, so a first
 * plan waits for each answer.
 */
function askAhead(account: Account, args: OrderArgs): void {
  void lookForPeople(account, args.proxyType);
  account.orderPrices.askAhead(toOrderRequest(args));
}

function isEdited(before: CheckedOrder | undefined, args: Partial<OrderArgs>): boolean {
  if (before === undefined) return false;
  return changedForLater(before, args).length > 0 || changedIdentity(before, args).length > 0;
}

/** Plans no purchase: the resource keeps the one that it has. */
function keep(owner: string, before: CheckedOrder, args: Partial<OrderArgs>): OrderCheck {
  const { requestId, holdings } = before;
  const quote: OrderQuote = { effect: "none", owned: costBasisOf(before) };
  const lines = describeRecorded(before, args);
  return { checked: { ...args, owner, requestId, holdings, quote }, failures: [], lines };
}

/** Not all is known yet, so neither is the price. Only the user's own cap is. */
async function leaveOpen(
  account: Pick<Account, "service" | "settings" | "spendLimit" | "budget" | "balance">,
  before: CheckedOrder | undefined,
  args: Partial<OrderArgs> & Pick<OwnedArgs, "owner" | "fleet">,
): Promise<OrderCheck> {
  const { owner, fleet, quantity, maxPrice } = args;
  const carried = before && { requestId: before.requestId, holdings: before.holdings };
  const { balance, currency } = await account.service.getBalance();
  const first = account.balance.first(balance);
  const quote: OrderQuote = {
    effect: "unknown",
    quantity,
    priceAtMost: maxPrice,
    currency,
    ...(await quoteAccount(account, first)),
    owned: costBasisOf(before),
  };
  const checked = { ...args, ...carried, quote };
  const lines = [`may buy ${describeKnown(args)}, ${describeOpenPrice(maxPrice, currency)}`];
  if (maxPrice === undefined) return { checked, failures: [], lines };
  const shortage = await account.spendLimit.plan(
    owner,
    { price: maxPrice, currency, isCap: true },
    first,
    fleet,
  );
  const failures = shortage ? [{ ...shortage, property: "maxPrice" }] : [];
  return { checked, failures, lines };
}

/** The fleet that an order is a part of, with its limit; none where the limit is not known yet. */
function parseFleet({ fleet }: GivenInputs): { fleet?: Fleet; failures: InputFailure[] } {
  if (fleet === undefined) return { failures: [] };
  const { success, data } = fleetSchema.safeParse(fleet);
  if (success) return { fleet: data, failures: [] };
  const { maxSpend } = fleetSchema.shape;
  return {
    failures: [{ property: "maxSpend", reason: `of the fleet must be ${acceptedBy(maxSpend)}` }],
  };
}

/** An order in a few words, without what is not known yet. */
function describeKnown(args: Partial<OrderArgs>): string {
  const { quantity, proxyType, country, rentPeriodDays } = args;
  const words = [
    quantity,
    proxyType,
    quantity === 1 ? "proxy" : "proxies",
    ...(country === undefined ? [] : [`in ${country}`]),
    ...(rentPeriodDays === undefined ? [] : [`for ${rentPeriodDays} days`]),
  ];
  return words.filter((word) => word !== undefined).join(" ");
}

function describeRecorded(before: CheckedOrder, args: Partial<OrderArgs>): string[] {
  const names = changedForLater(before, args);
  if (names.length === 0) return [];
  return [`${names.join(", ")} recorded for the next purchase; nothing is bought`];
}
