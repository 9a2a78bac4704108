import { isServiceError, type ProxyRecord } from "../../../client/index.ts";
import { tellBalance } from "../../account/balance.ts";
import { pause } from "../../account/cancellation.ts";
import type { Sighting, Snapshot } from "../../account/listing-pages.ts";
import type { Account } from "../../account.ts";
import { findProxy, toKnown } from "../../proxies/address.ts";
import { costOf } from "../../records/intent.ts";
import { findEarliestEnd, hasEnded } from "../../values/dates.ts";
import { explainServiceError, ProxyRentalError, reasonOf } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { DEFAULT_DELIVERY_TIMEOUT_SECONDS, describeHeld, describeOrder } from "../model/args.ts";
import type { PaidOrder } from "../model/receipt.ts";
import { type OrderState, recordProxies } from "../model/state.ts";
import { adviseAdoption } from "../model/ways-out.ts";
import { compareWithListing } from "../read/compare-with-listing.ts";
import { identifyOrder, type SoughtOrder } from "./identify.ts";

const FIRST_WAIT_MS = 500;

const LONGEST_WAIT_MS = 5_000;

/** Nothing more arrives then, and whoever uses the proxies must not be given those that have ended. */
const ENDED_MEANWHILE = "others of this resource have ended meanwhile, or are not listed";

/**
 * An order is paid, and not all of its proxies have arrived. The error carries what is known, so that the resource is
 * saved with its order number, and the next run waits for the rest instead of buying.
 */
export class DeliveryPendingError extends ProxyRentalError {
  readonly state: OrderState;

  constructor(state: OrderState, reason: string) {
    const awaited = awaitedOf(state);
    const order = `order ${awaited.orderNumber} (${describeOrder({ ...state, ...awaited })})`;
    const arrived = countArrived(state);
    super(
      "DELIVERY_PENDING",
      arrived >= awaited.quantity
        ? `${order} has arrived, but ${reason}. It is saved; run \`pulumi up --refresh\`, and follow what it says. Nothing will be bought again.`
        : `${order} is paid, but ${arrived} of its ${awaited.quantity} proxies have arrived: ${reason}. The order is saved; run \`pulumi up\` again to wait for the rest. Nothing will be bought again.`,
    );
    this.state = state;
  }
}

/** Waits for an order that was just paid, and writes down that the engine was told of it. */
export async function deliverPurchase(
  account: Account,
  intent: PaidOrder,
  state: OrderState,
): Promise<OrderState> {
  // From here on the engine knows the order. The intent stays open until a later run sees it in the state.
  const tell = (told: OrderState) =>
    account.journal.note(intent, { phase: "returned", orderIds: awaitedOf(told).orderIds });
  try {
    const delivered = await awaitDelivery(account, state, intent);
    await tell(delivered);
    await tellReceipt(account, intent, delivered);
    return delivered;
  } catch (error) {
    if (error instanceof DeliveryPendingError) {
      await tell(error.state);
      await tellReceipt(account, intent, error.state);
    }
    throw error;
  }
}

/** Tells people what was bought, or taken over. */
async function tellReceipt(
  account: Pick<Account, "story" | "service" | "clock" | "balance">,
  intent: PaidOrder,
  state: OrderState,
): Promise<void> {
  const { owner, requestId: id, orderNumber, currency, purchase } = intent;
  const what = describeOrder(purchase.request);
  const { orderIds } = awaitedOf(state);
  const end = findEarliestEnd(state.proxies.filter(({ orderId }) => orderIds.includes(orderId)));
  const until = end === undefined ? "its proxies have not arrived yet" : `paid until ${end}`;
  if (state.quote.effect === "recover") {
    const line = `took over order ${orderNumber}, ${what}, which an earlier run had paid, ${until}; nothing was bought`;
    return account.story.did(owner, { id, line });
  }
  const price = costOf(intent);
  await account.story.did(owner, {
    id,
    line: `bought ${what} for ${formatMoney(price, currency)}: order ${orderNumber}, ${until}`,
    paid: { price, currency, balance: await tellBalance(account) },
  });
}

/** Waits for an order that an earlier run has paid and saved. */
export async function finishDelivery(account: Account, state: OrderState): Promise<OrderState> {
  const delivered = await awaitDelivery(account, state);
  // Now the state knows how its order is listed, and it may be lost before another run tells the journal.
  const bought = delivered.purchases.at(-1);
  if (bought) await account.journal.confirmPurchase(delivered, bought);
  const { orderNumber, quantity } = awaitedOf(delivered);
  const what = describeHeld({ ...delivered, quantity });
  await account.story.did(delivered.owner, {
    id: `delivered ${orderNumber}`,
    line: `order ${orderNumber} has arrived, ${what}, which an earlier run had paid; nothing was bought`,
  });
  return delivered;
}

/** Waits until all proxies of a paid order are listed. Throws `DeliveryPendingError` with what has arrived. */
async function awaitDelivery(
  account: Account,
  order: OrderState,
  bought?: PaidOrder,
): Promise<OrderState> {
  const { clock, log, cancelled } = account;
  const timeoutSeconds = order.deliveryTimeoutSeconds ?? DEFAULT_DELIVERY_TIMEOUT_SECONDS;
  const deadlineMs = clock.elapsedMs() + timeoutSeconds * 1000;
  let arrived = order;
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    let trouble = `waited ${timeoutSeconds} s for them`;
    try {
      const sought = awaitedOf(order);
      const snapshot = await look(account, order, waitMs === FIRST_WAIT_MS && bought !== undefined);
      const { orderIds, alike } = await identifyOrder(account, sought, snapshot.records, bought);
      arrived = deliver(rename(order, orderIds), snapshot, account.settings.goneOrders);
      if (alike.length > 0) trouble += explainAlike(order, alike);
      if (arrived.status === "active") return arrived;
      if (countArrived(arrived) >= sought.quantity) trouble = ENDED_MEANWHILE;
    } catch (error) {
      // The order is paid, so this goes on waiting while the listing is in passing trouble.
      trouble = reasonOf(explainServiceError(error));
      if (isServiceError(error) && error.code === "API_KEY_REJECTED") {
        throw new DeliveryPendingError(arrived, trouble);
      }
    }
    if (cancelled.aborted) throw new DeliveryPendingError(arrived, "the run was cancelled");
    if (clock.elapsedMs() + waitMs > deadlineMs) throw new DeliveryPendingError(arrived, trouble);
    const { orderNumber, quantity } = awaitedOf(order);
    log.progress(
      `order ${orderNumber}: ${countArrived(arrived)} of ${quantity} proxies have arrived, waiting`,
    );
    await pause(account, waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/**
 * Looks for the proxies of an order. One that was just bought, and is all that the resource has, is first looked for
 * where new orders are listed. Whoever has to wait shares whole listings with all others who do.
 */
async function look(
  { clock, listing, newestOrder }: Account,
  order: OrderState,
  isNew: boolean,
): Promise<Sighting> {
  const { proxyType, purchases, orderIds } = order;
  const { orderNumber, quantity } = awaitedOf(order);
  const isAll = purchases.length === 1 && orderIds.every((orderId) => orderId === orderNumber);
  const begunAfterMs = clock.elapsedMs();
  const seen =
    isNew && isAll ? await newestOrder.look(proxyType, orderNumber, quantity) : undefined;
  if (seen !== undefined) return seen;
  const whole = await listing.partial(proxyType, { begunAfterMs });
  if (isNew) newestOrder.learn(proxyType, orderNumber, whole);
  return whole;
}

/** Explains that the service lists orders under other numbers, and that several may be this one. */
function explainAlike(order: OrderState, alike: readonly string[]): string {
  const { orderNumber } = awaitedOf(order);
  // For a resource that has an order already, another adoptOrderNumber would mean a replacement.
  const takeOver =
    orderNumber === order.orderNumber
      ? "set adoptOrderNumber to the one that is"
      : `list ${orderNumber} in proxyrental:goneOrders, refresh, lower quantity by its proxies (else they are bought again), and ${adviseAdoption(alike[0] ?? "", true)}`;
  return `. The listing shows no order of this number; ${alike.join(", ")} may be it: ${takeOver}, or list those that are not in proxyrental:foreignOrders`;
}

/** The purchase to wait for: the newest, because nothing more is bought while one is pending. */
function awaitedOf({ purchases, ...state }: OrderState): SoughtOrder {
  const { requestId, orderNumber, orderIds, quantity, proxyType, country } = state;
  const newest = purchases.at(-1) ?? { requestId, orderNumber, orderIds, quantity };
  return { ...newest, proxyType, country };
}

function countArrived(state: OrderState): number {
  const { orderIds } = awaitedOf(state);
  return state.proxies.filter(({ orderId }) => orderIds.includes(orderId)).length;
}

/** Records the ids by which the listing shows the newest purchase. */
function rename(state: OrderState, orderIds: string[]): OrderState {
  const newest = state.purchases.at(-1);
  if (newest === undefined) return state;
  const before = state.purchases.slice(0, -1);
  // Its number may be the listed id of another order of the resource.
  const isFurther = state.holdings.adopted !== undefined && newest.handOver === undefined;
  const isReceived = before.some(({ orderNumber }) => orderNumber === state.orderNumber);
  const adopted = isFurther && !isReceived ? [state.orderNumber] : [];
  const kept = new Set([...before.flatMap((purchase) => purchase.orderIds), ...adopted]);
  const others = state.orderIds.filter(
    (orderId) => kept.has(orderId) || !newest.orderIds.includes(orderId),
  );
  return {
    ...state,
    orderIds: [...new Set([...others, ...orderIds])],
    purchases: [...before, { ...newest, orderIds }],
  };
}

/**
 * The state of a resource when these of its proxies are listed. What is not listed any more, or has ended meanwhile, stays recorded
 * beside them, and lacks: only a read judges that, and it would miss what is recorded nowhere.
 */
function deliver(
  state: OrderState,
  snapshot: Snapshot,
  goneOrders: ReadonlySet<string>,
): OrderState {
  // A proxy of the awaited order counts as arrived even if it has ended since. A read tells the two apart.
  const records = snapshot.records.filter(
    (record) => isAwaited(state, record) || !hasEnded(record, snapshot.asOf),
  );
  const { held } = compareWithListing(state, { ...snapshot, records, asOf: undefined }, goneOrders);
  const isComplete = held.length >= state.holdings.held;
  const lacking = isComplete ? [] : findLacking(state, held);
  return {
    ...state,
    ...recordProxies(state, [...withCredentials(state, lacking), ...held]),
    status: isComplete ? "active" : "pendingDelivery",
  };
}

function isAwaited(state: OrderState, { orderId }: Pick<ProxyRecord, "orderId">): boolean {
  return awaitedOf(state).orderIds.includes(orderId);
}

/** The recorded proxies of other orders that are not listed: of each order as many as it lacks, for the rest was exchanged. */
function findLacking(state: OrderState, held: readonly ProxyRecord[]): OrderState["proxies"] {
  const others = state.proxies.filter((proxy) => !isAwaited(state, proxy));
  return [...Map.groupBy(others, ({ orderId }) => orderId)].flatMap(([orderId, recorded]) => {
    const listed = held.filter((record) => record.orderId === orderId);
    const unlisted = recorded.filter((proxy) => findProxy(listed, toKnown(proxy)) === undefined);
    return unlisted.slice(0, Math.max(0, recorded.length - listed.length));
  });
}

function withCredentials({ credentials }: OrderState, proxies: OrderState["proxies"]) {
  return proxies.map((proxy) => {
    const credential = credentials[proxy.ipAddressId];
    return credential === undefined ? proxy : { ...proxy, credential };
  });
}
