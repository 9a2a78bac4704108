import type { ProxyRecord } from "../../../client/index.ts";
import { isSoonDeclared } from "../../account/declaring.ts";
import { ofOrders, serviceTime } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { Account } from "../../account.ts";
import { groupOrders, type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { isUnnamed } from "../../evidence/naming.ts";
import {
  isDone,
  isOrderIntent,
  knownAs,
  type NamesOfType,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import { makeRequestId } from "../../records/request-id.ts";
import type { KnownOrder } from "../../records/run-fact.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { assertInStack } from "../../spending/without-stack.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { nameOf, withoutScope } from "../../values/owner.ts";
import { describeOrder, type OrderArgs } from "../model/args.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import type { Holdings } from "../model/holdings.ts";
import type { OrderCheck, UnpricedOrder } from "../model/order-check.ts";
import type { PaidOrder } from "../model/receipt.ts";
import { adoptedOrder, type CheckedOrder, type OrderState } from "../model/state.ts";
import { describeBuyer, findOtherBuyer, isMovedTo } from "./claims.ts";
import { findPurchaseOf, foundAs } from "./purchase-of.ts";

/** Arguments that name an order to take over. */
export type AdoptingOrder = UnpricedOrder & { adoptOrderNumber: string };

/** Whether arguments name an order to take over. */
export function isAdopting<Args extends Partial<OrderArgs>>(
  args: Args,
): args is Args & { adoptOrderNumber: string } {
  return args.adoptOrderNumber !== undefined;
}

/**
 * Names what a resource takes over. No purchase has this name: one that the journal has of the same request is another
 * order, and is not held by that.
 */
export function nameAdoption(owner: string, orderNumber: string, request: object): string {
  return makeRequestId(owner, `adopts ${orderNumber}`, request);
}

/** Checks that the order that a program names is listed, and is what the program says. Spends nothing. */
export async function checkAdoption(
  account: Account,
  adopting: AdoptingOrder,
  before: CheckedOrder | undefined,
): Promise<OrderCheck> {
  const { owner, quantity, adoptOrderNumber, proxyType } = adopting;
  const snapshot = await account.listing.complete(proxyType);
  const order = await findNamedOrder(account, snapshot, adopting);
  const buyer = order && (await findBuyer(account, owner, nameBoth(adopting, order)));
  const misfit = findMisfit(adopting, order) ?? (await findRival(account, adopting, order, buyer));
  if (misfit !== undefined) {
    return { checked: adopting, failures: [{ property: "adoptOrderNumber", reason: misfit }] };
  }
  const self = { owner, scope: account.journal.scope };
  if (buyer && !isMovedTo(buyer, self)) {
    account.log.warn(
      `${nameOf(owner)}: order ${adoptOrderNumber} was bought by ${describeBuyer(buyer, self)}. If that is in a stack still, take it out of the state there (\`pulumi state delete\`): deleted, it would switch off the order's auto-extension`,
    );
  }
  if (order) {
    // The run then knows whose order it is, so it stops no other purchase.
    await account.registry.adopt(owner, nameBoth(adopting, order));
  }
  const { currency } = await account.service.getBalance();
  // A resource that has the order already takes nothing over.
  const isNew = before?.adoptOrderNumber !== adoptOrderNumber;
  const line = `takes over order ${adoptOrderNumber}, ${describeOrder(adopting)}; nothing is bought`;
  const quote: OrderQuote = {
    effect: "adopt",
    quantity,
    price: 0,
    currency,
    owned: costBasisOf(before),
  };
  const requestId = before?.requestId ?? (await nameTakenOver(account, adopting, order, snapshot));
  // If the resource has an order already, diff finds out whether it is this one. If not, the engine checks again.
  const { holdings } = before ?? { holdings: holdAdopted(quantity) };
  const checked = { ...adopting, requestId, holdings, quote };
  return { checked, failures: [], lines: isNew ? [line] : [] };
}

/** Takes the named order over as it is listed now. Never buys. */
export async function adoptOrder(
  account: Account,
  adopting: CheckedOrder & { adoptOrderNumber: string },
): Promise<OrderState> {
  assertInStack(adopting.owner);
  const snapshot = await account.listing.complete(adopting.proxyType);
  const order = await findNamedOrder(account, snapshot, adopting);
  await account.hearOthers();
  const rival = order && account.registry.rivalOf(adopting.owner, nameListed(adopting, order));
  const misfit = findMisfit(adopting, order) ?? explainRival(order, rival);
  if (misfit !== undefined || order === undefined) {
    throw new ProxyRentalError("NOT_PLANNED", `adoptOrderNumber ${misfit}. Nothing was bought.`);
  }
  const bought = await takeOverPurchase(account, adopting, order, snapshot);
  return adoptedOrder(adopting, adopting.adoptOrderNumber, order.proxies, bought);
}

/** What a resource holds of an order that something else has bought. */
export function holdAdopted(quantity: number): Holdings {
  return { held: quantity, released: [], adopted: quantity };
}

/** A listed order that a person has named. */
export interface NamedOrder extends ListedOrder {
  ended: boolean;
  /**
   * The proxies that come with it. The service may still list proxies that have ended: they are not counted, and
   * nobody takes them over.
   */
  proxies: ProxyRecord[];
}

/** How a person has named an order: by its listed id, or by the number that the journal has for it. */
type SoughtOrder = Pick<AdoptingOrder, "proxyType" | "adoptOrderNumber">;

/** Finds an order in a listing by the listing's id, or by the number that the journal has for it. */
export async function findNamedOrder(
  { journal, clock }: Pick<Account, "journal" | "clock">,
  snapshot: Snapshot,
  { proxyType, adoptOrderNumber: orderNumber }: SoughtOrder,
): Promise<NamedOrder | undefined> {
  const records = living(snapshot.records, serviceTime(snapshot, clock));
  const listed = groupOrders(records);
  const withProxies = (order: ListedOrder): NamedOrder => ({
    ...order,
    ended: false,
    proxies: ofOrders(records, [order.orderId]),
  });
  const direct = listed.find(({ orderId }) => orderId === orderNumber);
  if (direct) return withProxies(direct);
  const intents = ofType(await journal.readAll(), proxyType).filter(isOrderIntent);
  const intent = intents.find((one) => one.orderNumber === orderNumber);
  const mapped = intent && findListed(intent, listed, intents);
  if (mapped) return withProxies(mapped);
  const past = groupOrders(snapshot.records).find(({ orderId }) => orderId === orderNumber);
  return past && { ...past, ended: true, proxies: [] };
}

/** The listed order of a purchase. If two may be it, a person must name one by the listing's id. */
function findListed(
  intent: OrderIntent,
  listed: readonly ListedOrder[],
  intents: readonly OrderIntent[],
): ListedOrder | undefined {
  const seen = listed.find(({ orderId }) => intent.orderIds?.includes(orderId));
  // One that has ended is not listed, and the like of it is somebody else's.
  if (seen || !isUnnamed(intent, listed)) return seen;
  const others = intents.filter(({ id }) => id !== intent.id).flatMap(namesOf);
  const { whole } = matchOrders(intent, listed, new Set(others));
  return whole.length === 1 ? whole[0] : undefined;
}

/** The proxies that an adoption counts: those that have not ended. */
export function living(records: readonly ProxyRecord[], now: Date): ProxyRecord[] {
  return records.filter(
    ({ dateEnd }) => dateEnd === undefined || Date.parse(dateEnd) > now.getTime(),
  );
}

/** The order by both its names. */
function nameBoth(
  { proxyType, adoptOrderNumber }: SoughtOrder,
  { orderId }: NamedOrder,
): KnownOrder {
  return { proxyType, names: [adoptOrderNumber, orderId] };
}

/** The same by its listed id alone, whatever its purchase. */
function nameListed({ proxyType }: SoughtOrder, { orderId }: NamedOrder) {
  return { proxyType, names: [orderId], requestId: undefined };
}

/** Why an order is not what the program says it is. */
function findMisfit(
  { proxyType, country, quantity, adoptOrderNumber }: Omit<AdoptingOrder, "requestId">,
  order: NamedOrder | undefined,
): string | undefined {
  if (order === undefined) {
    return `names order ${adoptOrderNumber}, which is not among the account's ${proxyType} proxies. Give the order id of the listing (getProxies), or the number in the journal; where it has ended, take the argument out`;
  }
  if (order.ended) return `names order ${adoptOrderNumber}, which has ended: take the argument out`;
  if (order.country !== country || order.count !== quantity) {
    return `names order ${adoptOrderNumber}, which holds ${order.count} ${proxyType} proxies in ${order.country}; the program says ${quantity} in ${country}. Correct the arguments`;
  }
  return undefined;
}

/** Two resources can't own one order: deleting one would take it from the other. */
async function findRival(
  account: Account,
  adopting: AdoptingOrder,
  order: NamedOrder | undefined,
  buyer: OrderIntent | undefined,
): Promise<string | undefined> {
  if (order === undefined) return undefined;
  const { owner } = adopting;
  const standing = buyer && (await holdsStill(account, buyer)) ? buyer.owner : undefined;
  const { registry } = account;
  return explainRival(order, registry.rivalOf(owner, nameListed(adopting, order)) ?? standing);
}

function explainRival(
  order: NamedOrder | undefined,
  rival: string | undefined,
): string | undefined {
  return order && rival && `names order ${order.orderId}, which ${nameOf(rival)} owns already`;
}

/**
 * The purchase by which another resource bought the order, by this journal, unless a person declares it gone. One that
 * this resource still has is its own, whatever scope its stack had then.
 */
async function findBuyer(
  account: Account,
  owner: string,
  order: NamesOfType,
): Promise<OrderIntent | undefined> {
  const { journal, settings } = account;
  if (order.names.some((name) => settings.goneOrders.has(name))) return undefined;
  const self = { owner, scope: journal.scope };
  const buyer = findOtherBuyer(await journal.readAll(), self, order);
  const isOwn = buyer?.owner === owner && (await holdsStill(account, buyer));
  return isOwn ? undefined : buyer;
}

/**
 * Whether a resource of the program still holds this very purchase, by its last inputs. Of its other purchases it may
 * know nothing: a further order that was lost is taken over by another resource. The inputs name a request, which may
 * have been made twice. So of a purchase whose run was cut off, the state tells, which the engine shows a moment later.
 */
async function holdsStill(account: Account, intent: OrderIntent): Promise<boolean> {
  const { journal, registry } = account;
  const { owner, requestId } = intent;
  if (!registry.isDeclared(owner) || registry.requestIdOf(owner) !== requestId) return false;
  if (isDone(intent) || (await journal.hasEnded(intent))) return true;
  const isHeld = () => registry.isHeld(knownAs(intent));
  const isSeen = () => isHeld() || registry.hasSeenStateOf(owner, requestId);
  if (await isSoonDeclared(account, isSeen)) return isHeld();
  return (await journal.readAll()).filter((one) => one.requestId === requestId).length === 1;
}

/**
 * Gives the order's purchase to the resource that the program names, whoever it was bought for: an order that a state has stays
 * known to the journal, which looks for it when that state is lost. Gives the purchase; undefined if the journal has none, or
 * if the run that has made it goes on.
 */
async function takeOverPurchase(
  { journal, log }: Pick<Account, "journal" | "log">,
  adopting: AdoptingOrder,
  order: NamedOrder,
  snapshot: Snapshot,
): Promise<PaidOrder | undefined> {
  const { owner } = adopting;
  const found = await findPurchaseOf(journal, seek(adopting, order, snapshot), owner);
  if (found === undefined) return undefined;
  const names = foundAs(found, order);
  let wasLetGo = false;
  const taken = await journal.give(found, owner, { phase: "returned", ...names }, (now) => {
    wasLetGo ||= now.phase === "closed" && found.phase !== "closed";
  });
  if (wasLetGo) {
    log.warn(
      `order ${order.orderId} was let go while ${nameOf(owner)} took it over: its auto-extension may be off now. Run \`pulumi up --refresh\``,
    );
  }
  // The state names its purchases as its own.
  return { ...taken, ...names, requestId: withoutScope(taken.requestId) };
}

/**
 * The request that the inputs name: that of the order's purchase, by which they are known to be about that one before the run has
 * seen their state. The journal may have none.
 */
async function nameTakenOver(
  { journal }: Pick<Account, "journal">,
  adopting: AdoptingOrder,
  order: NamedOrder | undefined,
  snapshot: Snapshot,
): Promise<string> {
  if (order === undefined) return adopting.requestId;
  const found = await findPurchaseOf(journal, seek(adopting, order, snapshot), adopting.owner);
  return found === undefined ? adopting.requestId : withoutScope(found.requestId);
}

function seek(
  { proxyType, adoptOrderNumber: named }: AdoptingOrder,
  order: NamedOrder,
  { records }: Snapshot,
): Parameters<typeof findPurchaseOf>[1] {
  return { order, proxyType, named, listed: groupOrders(records) };
}
