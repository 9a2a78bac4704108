import { type Calculation, isServiceError } from "../../client/index.ts";
import type { Account } from "../account.ts";
import type { InputFailure } from "../inputs.ts";
import { formatMoney, subtractMoney } from "../money.ts";
import { nameOf } from "../owner.ts";
import { findGateFailures, isPriced, type PricedQuote, type Quote } from "../quote.ts";
import { describeOrder, type OrderArgs, toOrderRequest } from "./args.ts";
import type { Sightings } from "./sightings.ts";
import type { CheckedOrder } from "./state.ts";

/** What a check comes to: inputs for preview, policies and create; or what is wrong with them. */
export interface OrderCheck {
  checked: Partial<CheckedOrder>;
  failures: InputFailure[];
}

/** Arguments that would buy something, before their price is known. */
export type UnpricedOrder = OrderArgs & Pick<CheckedOrder, "owner" | "requestId">;

/** Something is bought: asks for the price, passes the gates and adds it to the run's sum. */
export async function priceOrder(
  account: Account,
  sightings: Sightings,
  unpriced: UnpricedOrder,
  before: CheckedOrder | undefined,
): Promise<OrderCheck> {
  const { owner, requestId, quantity } = unpriced;
  const holdings = { held: quantity, released: [] };
  const calculation = await askPrice(account, unpriced);
  if ("property" in calculation) return { checked: unpriced, failures: [calculation] };
  const balance = account.balance.first(calculation.balance);
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
  // A replacement that was not allowed is refused by diff, which knows until when the order is paid.
  if (replaces && !unpriced.allowReplacement) return { checked, failures: [] };
  const failures: InputFailure[] = findGateFailures(unpriced, calculation);
  if (failures.length > 0 || !isPriced(quote)) return { checked, failures };

  const shortage = account.spending.plan(owner, quote, balance);
  if (shortage) return { checked, failures: [{ property: "quote", reason: shortage }] };
  if (replaces) sightings.replacements.set(requestId, quote);
  announcePurchase(account, unpriced, quote, balance);
  const { price, currency } = quote;
  await account.journal.shown.show({ requestId, quantity, price, currency });
  return { checked, failures };
}

/** What the last purchase was, for policies that add up what is owned. */
export function ownedOf(before: CheckedOrder | undefined): Pick<Quote, "owned"> {
  if (before === undefined) return {};
  const { quote, rentPeriodDays } = before;
  const bought = quote.effect === "buy" || quote.effect === "replace";
  if (!bought || !isPriced(quote)) return { owned: quote.owned };
  const { price, quantity, currency } = quote;
  return { owned: { price, quantity, rentPeriodDays, currency } };
}

/** The arguments that the service's error codes speak of (source: "Errors"). */
const argumentOfCode: Partial<Record<number, keyof OrderArgs>> = {
  4: "proxyType",
  8: "mobileOperator",
  13: "protocol",
  14: "goal",
};

/** The service's price, or its refusal of an argument; any other failure is thrown. */
async function askPrice(
  { service }: Account,
  unpriced: UnpricedOrder,
): Promise<Calculation | InputFailure> {
  try {
    return await service.calculateOrder(toOrderRequest(unpriced));
  } catch (error) {
    if (!isServiceError(error) || error.code !== "SERVICE_REFUSED") throw error;
    const property = argumentOfCode[error.serviceCode ?? 0];
    if (property === undefined) throw error;
    return { property, reason: `is not accepted by the service: ${error.message}` };
  }
}

function announcePurchase(
  { log, spending, settings }: Account,
  order: UnpricedOrder,
  { effect, price, currency }: PricedQuote,
  balance: number,
): void {
  const verb = effect === "replace" ? "buys, to replace a paid order," : "buys";
  const after = settings.showBalance
    ? `; balance after all of this run: ${formatMoney(subtractMoney(balance, spending.planned()), currency)}`
    : "";
  log.info(
    `${nameOf(order.owner)}: ${verb} ${describeOrder(order)} for ${formatMoney(price, currency)}${after}`,
  );
}
