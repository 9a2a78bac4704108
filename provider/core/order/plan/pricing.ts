import { type Calculation, isServiceError } from "../../../client/index.ts";
import { lookForPeople } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { countedOf, type OrderIntent } from "../../records/intent.ts";
import { findGateFailures } from "../../spending/gates.ts";
import { isPriced, type OrderQuote, type PricedQuote, quoteAccount } from "../../spending/quote.ts";
import { DAY_MS } from "../../values/dates.ts";
import type { ErrorCode } from "../../values/errors.ts";
import type { InputFailure } from "../../values/inputs.ts";
import { formatMoney } from "../../values/money.ts";
import { describeOrder, type OrderArgs, toOrderRequest } from "../model/args.ts";
import { addCostBasis, type CostBasis } from "../model/cost-basis.ts";
import type { Holdings } from "../model/holdings.ts";
import type { OrderCheck, UnpricedOrder } from "../model/order-check.ts";
import { describeLetGo } from "./let-go.ts";
import type { OrderMemory } from "./memory.ts";

/** A purchase that the arguments ask for. */
export interface PlannedOrder {
  order: UnpricedOrder;
  effect: "buy" | "replace" | "topUp";
  /** How many proxies are bought. A top-up buys fewer than the resource holds afterwards. */
  quantity: number;
  /** What is held afterwards. */
  holdings: Holdings;
  /** What was paid for what is held before. */
  costBasis: CostBasis | undefined;
}

/** Plans a purchase: asks for the price, passes the gates, and adds it to the run's sum. */
export async function priceOrder(
  account: Account,
  replacements: OrderMemory["replacements"],
  { order, effect, quantity, holdings, costBasis }: PlannedOrder,
): Promise<OrderCheck> {
  const { owner, requestId } = order;
  const calculation = await askPrice(account, { ...order, quantity });
  if ("property" in calculation) return { checked: order, failures: [calculation] };
  const balance = account.balance.first(calculation.balance);
  const quote: OrderQuote = {
    effect,
    quantity,
    price: calculation.price ?? undefined,
    currency: calculation.currency,
    discount: calculation.discount,
    promoCodeStatus: calculation.promoCodeStatus ?? undefined,
    ...(await quoteAccount(account, balance)),
    owned: costBasis,
  };
  const checked = { ...order, holdings, quote };
  // Diff refuses a replacement that was not allowed: it knows until when the order is paid.
  if (effect === "replace" && !order.allowReplacement) return { checked, failures: [] };
  const failures: InputFailure[] = findGateFailures(order, calculation);
  if (failures.length > 0 || !isPriced(quote)) return { checked, failures };

  const usedUp = await account.promoUses.plan(owner, order.promoCode, 1);
  if (usedUp) return { checked, failures: [usedUp] };
  const shortage = await account.spendLimit.plan(owner, quote, balance, order.fleet);
  if (shortage) return { checked, failures: [shortage] };
  const lines = [await describePurchase(account, order, quote)];
  if (effect === "replace") replacements.set(requestId, { quote, lines });
  return { checked, failures, lines };
}

/** Plans no purchase: an earlier run has paid for exactly this, and the engine's state does not know it. */
export function takeOver(
  order: UnpricedOrder,
  intent: OrderIntent,
  holdings: Holdings,
  before: CostBasis | undefined,
): OrderCheck {
  const { requestId, orderNumber, currency, purchase } = intent;
  const { quantity, rentPeriodDays } = purchase.request;
  const line = `takes over order ${orderNumber}, ${describeOrder(purchase.request)}, which an earlier run has paid and did not finish; nothing is bought`;
  const price = countedOf(intent);
  const owned = addCostBasis(before, { price, quantity, rentPeriodDays, currency });
  const quote: OrderQuote = { effect: "recover", quantity, price: 0, currency, owned };
  return { checked: { ...order, requestId, holdings, quote }, failures: [], lines: [line] };
}

/** Refuses a purchase that may be paid already. */
export function refusePurchase(
  order: UnpricedOrder,
  { code, reason }: { code: ErrorCode; reason: string },
): OrderCheck {
  return { checked: order, failures: [{ code, property: "", reason }] };
}

/** The arguments that the service's error codes are about (source: "Errors"). */
const argumentOfCode: Partial<Record<number, keyof OrderArgs>> = {
  4: "proxyType",
  8: "mobileOperator",
  13: "protocol",
  14: "goal",
};

/** The service's price, or its refusal of an argument. Throws any other failure. */
async function askPrice(
  { orderPrices }: Pick<Account, "orderPrices">,
  unpriced: UnpricedOrder,
): Promise<Calculation | InputFailure> {
  try {
    return await orderPrices.ask(toOrderRequest(unpriced));
  } catch (error) {
    if (!isServiceError(error) || error.code !== "SERVICE_REFUSED") throw error;
    const property = argumentOfCode[error.serviceCode ?? 0];
    if (property === undefined) throw error;
    return { property, reason: `is not accepted by the service: ${error.message}` };
  }
}

async function describePurchase(
  account: Pick<Account, "listing" | "clock" | "registry" | "journal" | "settings">,
  order: UnpricedOrder,
  { effect, quantity, price, currency }: PricedQuote,
): Promise<string> {
  const { owner, proxyType } = order;
  const bought = describeOrder({ ...order, quantity });
  const ended = account.registry.endedOrdersOf(owner);
  const verb = effect === "replace" ? "buys, to replace a paid order," : "buys";
  const use = effect === "topUp" ? `, to make ${order.quantity},` : "";
  const why = ended.length === 0 ? "" : ` after the end of order ${ended.join(", ")}`;
  const look = await lookForPeople(account, proxyType);
  const instead = effect === "buy" ? await describeLetGo(account, order, look) : "";
  return `${verb} ${bought}${use} for ${formatMoney(price, currency)}${why}; bought now, it is paid until about ${endOf(order, look.now)}${instead}`;
}

/** The day on which an order would end. Only the service knows the moment. */
function endOf({ rentPeriodDays }: UnpricedOrder, now: Date): string {
  return new Date(now.getTime() + rentPeriodDays * DAY_MS).toISOString().slice(0, 10);
}
