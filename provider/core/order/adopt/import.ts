import { type ProxyRecord, type ProxyType, proxyTypes } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { giveTo, nameHandOver } from "../../records/hand-over.ts";
import type { OrderIntent } from "../../records/intent.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { DAY_MS } from "../../values/dates.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { nameOf, withoutScope } from "../../values/owner.ts";
import { type OrderArgs, toOrderRequest } from "../model/args.ts";
import { adoptedOrder, type CheckedOrder, type OrderState } from "../model/state.ts";
import { findNamedOrder, holdAdopted, type NamedOrder, nameAdoption } from "./adopt.ts";
import { describeBuyer, findOtherBuyer, isMovedTo } from "./claims.ts";
import { findPurchaseOf, foundAs } from "./purchase-of.ts";

/** An order that a resource is to own from now on, with its inputs. */
export interface ImportedOrder {
  state: OrderState;
  inputs: CheckedOrder;
}

/**
 * Finds an order of the account by its number alone. Spends nothing. The listing does not tell its goal and its
 * operator, so these get a text that says so. They matter to the next purchase only, and a program may say something
 * else at any time.
 */
export async function importOrder(
  account: Pick<Account, "service" | "listing" | "journal" | "clock">,
  owner: string,
  orderNumber: string,
): Promise<ImportedOrder> {
  const { proxyType, order, listed } = await findAmongAll(account, orderNumber);
  const { journal } = account;
  const sought = { order, proxyType, named: orderNumber, listed: groupOrders(listed) };
  const bought = await findPurchaseOf(journal, sought, owner);
  const args = { ...guessArgs(proxyType, order), ...(bought && termsOf(bought)) };
  const { currency } = await account.service.getBalance();
  const { count: quantity } = order;
  const quote: OrderQuote = { effect: "adopt", quantity, price: 0, currency };
  const requestId = bought
    ? withoutScope(bought.requestId)
    : nameAdoption(owner, orderNumber, toOrderRequest(args));
  const inputs = { ...args, owner, requestId, quote, holdings: holdAdopted(quantity) };
  // It may be a preview's, so nothing is written down. A later run sees that it was given to this state.
  const given = bought && giveTo(bought, { owner, scope: journal.scope }, nameHandOver());
  const taken = bought && { ...bought, ...given, ...foundAs(bought, order), requestId };
  return { inputs, state: adoptedOrder(inputs, orderNumber, order.proxies, taken) };
}

async function findAmongAll(
  account: Pick<Account, "listing" | "journal" | "clock">,
  orderNumber: string,
): Promise<{ proxyType: ProxyType; order: NamedOrder; listed: readonly ProxyRecord[] }> {
  const found = await Promise.all(
    proxyTypes.map(async (proxyType) => {
      const snapshot = await account.listing.complete(proxyType);
      const order = await findNamedOrder(account, snapshot, {
        proxyType,
        adoptOrderNumber: orderNumber,
      });
      return order && !order.ended ? [{ proxyType, order, listed: snapshot.records }] : [];
    }),
  );
  const [only, another] = found.flat();
  if (only && another === undefined) return only;
  throw new ProxyRentalError(
    "ORDER_MISSING",
    only
      ? `order ${orderNumber} is listed for more than one type of proxies. Nothing was imported. Take it over with adoptOrderNumber, which names the type.`
      : `order ${orderNumber} is not among the account's living orders. Nothing was imported. Give the order id of the listing (getProxies), or the number in the journal.`,
  );
}

/** The arguments as the listing tells them, with fillers for what it does not tell. */
function guessArgs(
  proxyType: ProxyType,
  { country, count, proxies: records }: NamedOrder,
): OrderArgs {
  const hasLogins = records.some(({ credential }) => credential !== undefined);
  const speaksHttp = records.some(({ httpsPort }) => httpsPort !== undefined);
  return {
    ...{ proxyType, country, quantity: count },
    rentPeriodDays: guessPeriod(records),
    goal: "not known: imported",
    ...(hasLogins ? { authType: "LOGIN" } : { authType: "IP", authIp: "0.0.0.0" }),
    ...(proxyType === "IPv6" && { protocol: speaksHttp ? "HTTP" : "SOCKS" }),
    ...(proxyType === "MOBILE" && { mobileOperator: "not known: imported", rotationTime: 0 }),
  };
}

/** The days from the first start to the last end; one day if the service tells neither. */
function guessPeriod(records: readonly ProxyRecord[]): number {
  const days = records.map(
    ({ dateStart = "", dateEnd = "" }) => (Date.parse(dateEnd) - Date.parse(dateStart)) / DAY_MS,
  );
  return Math.max(1, ...days.filter(Number.isFinite).map(Math.round));
}

/**
 * Refuses an order that another resource owns, as far as the run or the journal knows. The process that imports may
 * never meet that resource. An import does not say that the other one gives the order up; an adoption in the program
 * does.
 */
export async function assertNobodyElses(
  { journal, registry }: Pick<Account, "journal" | "registry">,
  { owner, proxyType, orderNumber, orderIds }: OrderState,
): Promise<void> {
  const rival = registry.rivalOf(owner, { proxyType, names: orderIds, requestId: undefined });
  if (rival !== undefined) {
    throw new ProxyRentalError(
      "INPUT_INVALID",
      `order ${orderNumber} is owned by ${nameOf(rival)} already. Nothing was imported. Two resources can't own one order: deleting one would take it from the other.`,
    );
  }
  const self = { owner, scope: journal.scope };
  const buyer = findOtherBuyer(await journal.readAll(), self, {
    proxyType,
    names: [orderNumber, ...orderIds],
  });
  if (buyer === undefined || isMovedTo(buyer, self)) return;
  throw new ProxyRentalError(
    "INPUT_INVALID",
    `order ${orderNumber} was bought by ${describeBuyer(buyer, self)}, which may own it still. Nothing was imported. Two resources can't own one order: deleting one would take it from the other. If that resource is in no stack any more, take the order over in the program: adoptOrderNumber: "${orderNumber}".`,
  );
}

/** The arguments with which an order was bought, but for what the listing tells better. */
function termsOf({ purchase }: OrderIntent): Partial<OrderArgs> {
  const { quantity: _listed, promoCode: _used, ...bought } = purchase.request;
  return bought;
}
