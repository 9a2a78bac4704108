import type { Account } from "../account.ts";
import type { GivenInputs, InputFailure } from "../inputs.ts";
import { formatMoney, subtractMoney } from "../money.ts";
import { nameOf } from "../owner.ts";
import { findGateFailures, isPriced, type Quote } from "../quote.ts";
import { makeRequestId } from "../request-id.ts";
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
import type { Sightings } from "./sightings.ts";
import type { CheckedOrder } from "./state.ts";

/** What a check comes to: inputs for preview, policies and create; or what is wrong with them. */
export interface OrderCheck {
  checked: Partial<CheckedOrder>;
  failures: InputFailure[];
}

/**
 * Checks the arguments of an order and puts the price of what they would buy into the plan. Spends
 * nothing. Where nothing would be bought and nothing was edited, the service is not asked at all: what it
 * no longer offers does not break what is paid.
 */
export async function checkOrder(
  account: Account,
  sightings: Sightings,
  owner: string,
  before: CheckedOrder | undefined,
  given: GivenInputs,
): Promise<OrderCheck> {
  if (before) sightings.saw(owner, before.requestId);
  const { args, failures } = readOrderArgs(given);
  const alive = sightings.requestIdOf(owner);
  const planned = planPurchase(before, args, given.unknown, alive !== undefined);
  if (planned !== "none" || isEdited(before, args)) {
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
  return price(account, sightings, checked, before);
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
    account.firstBalance(balance),
  );
  return { checked, failures: shortage ? [{ property: "maxPrice", reason: shortage }] : [] };
}

type UnpricedOrder = OrderArgs & Pick<CheckedOrder, "owner" | "requestId">;

/** Something is bought: asks for the price, passes the gates and adds it to the run's sum. */
async function price(
  account: Account,
  sightings: Sightings,
  unpriced: UnpricedOrder,
  before: CheckedOrder | undefined,
): Promise<OrderCheck> {
  const { owner, requestId, quantity } = unpriced;
  const known = sightings.replacements.get(requestId);
  const holdings = { held: quantity, released: [] };
  if (known) return { checked: { ...unpriced, holdings, quote: known }, failures: [] };

  const calculation = await account.service.calculateOrder(toOrderRequest(unpriced));
  const balance = account.firstBalance(calculation.balance);
  const replaces = sightings.requestIdOf(owner) !== undefined;
  const quote: Quote = {
    effect: replaces ? "replace" : "buy",
    quantity,
    price: calculation.price ?? undefined,
    currency: calculation.currency,
    discount: calculation.discount,
    promoCodeStatus: calculation.promoCodeStatus ?? undefined,
    balance: account.settings.showBalance ? balance : undefined,
    ...ownedOf(before),
  };
  const checked = { ...unpriced, holdings, quote };
  const failures: InputFailure[] = findGateFailures(unpriced, calculation);
  // A replacement that was not allowed is refused by diff, which knows until when the order is paid.
  const willBuy = !replaces || unpriced.allowReplacement === true;
  if (failures.length > 0 || !willBuy || !isPriced(quote)) return { checked, failures };

  const shortage = account.spending.plan(owner, quote, balance);
  if (shortage) return { checked, failures: [{ property: "quote", reason: shortage }] };
  if (replaces) sightings.replacements.set(requestId, quote);
  announcePurchase(account, unpriced, quote.price, quote.currency, balance);
  return { checked, failures };
}

function refuseReplacement(): InputFailure {
  return {
    property: "allowReplacement",
    reason:
      "this resource's order is paid and can't be cancelled, and replacing it would buy it again. Nothing was bought. Take the replacement back, or set allowReplacement: true to buy a new order and let the old one run out",
  };
}

function ownedOf(before: CheckedOrder | undefined): Pick<Quote, "owned"> {
  if (before === undefined) return {};
  const { quote, rentPeriodDays } = before;
  if (quote.effect === "none" || quote.effect === "unknown" || !isPriced(quote)) {
    return { owned: quote.owned };
  }
  const { price, quantity, currency } = quote;
  return { owned: { price, quantity, rentPeriodDays, currency } };
}

function announcePurchase(
  { log, spending, settings }: Account,
  order: UnpricedOrder,
  price: number,
  currency: string,
  balance: number,
): void {
  const verb = order.allowReplacement ? "buys (to replace a paid order)" : "buys";
  const after = settings.showBalance
    ? `; balance after all of this run: ${formatMoney(subtractMoney(balance, spending.planned()), currency)}`
    : "";
  log.info(
    `${nameOf(order.owner)}: ${verb} ${describeOrder(order)} for ${formatMoney(price, currency)}${after}`,
  );
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
