import { isServiceError } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { explainServiceError, ProxyRentalError, reasonOf } from "../errors.ts";
import { ofOrders } from "../listing.ts";
import { DEFAULT_DELIVERY_TIMEOUT_SECONDS, describeOrder } from "./args.ts";
import { identifyOrder } from "./identify.ts";
import { countOrdered, type OrderState, recordProxies } from "./state.ts";

const FIRST_WAIT_MS = 500;

const LONGEST_WAIT_MS = 5_000;

/**
 * An order that was paid and whose proxies are not all there. It carries what is known, so that the
 * resource is saved with its order number and the next run waits for the rest instead of buying.
 */
export class DeliveryPendingError extends ProxyRentalError {
  readonly state: OrderState;

  constructor(state: OrderState, reason: string) {
    const ordered = countOrdered(state);
    super(
      "DELIVERY_PENDING",
      `order ${state.orderNumber} (${describeOrder(state)}) is paid, but ${state.proxies.length} of its ${ordered} proxies have arrived: ${reason}. The order is saved; run \`pulumi up\` again to wait for the rest. Nothing will be bought again.`,
    );
    this.state = state;
  }
}

/** Waits until all proxies of a paid order are listed. Throws `DeliveryPendingError` with what has arrived. */
export async function awaitDelivery(account: Account, order: OrderState): Promise<OrderState> {
  const { clock, listing, log } = account;
  const timeoutSeconds = order.deliveryTimeoutSeconds ?? DEFAULT_DELIVERY_TIMEOUT_SECONDS;
  const deadlineMs = clock.elapsedMs() + timeoutSeconds * 1000;
  let arrived = order;
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    let trouble = `waited ${timeoutSeconds} s for them`;
    try {
      const { records } = await listing.since(order.proxyType, clock.elapsedMs());
      const { orderIds, alike } = await identifyOrder(account, order, records);
      arrived = deliver({ ...order, orderIds }, ofOrders(records, orderIds));
      if (alike.length > 0) trouble += explainAlike(alike);
      if (arrived.status === "active") return arrived;
    } catch (error) {
      // The order is paid: a listing in passing trouble is no reason to stop waiting for it.
      trouble = reasonOf(explainServiceError(error));
      if (isServiceError(error) && error.code === "API_KEY_REJECTED") {
        throw new DeliveryPendingError(arrived, trouble);
      }
    }
    if (clock.elapsedMs() + waitMs > deadlineMs) throw new DeliveryPendingError(arrived, trouble);
    log.info(
      `order ${order.orderNumber}: ${arrived.proxies.length} of ${countOrdered(order)} proxies have arrived, waiting`,
    );
    await clock.sleep(waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/** The service lists orders under other numbers, and there is more than one that it may be. */
function explainAlike(alike: readonly string[]): string {
  return `. The listing shows no order of this number; ${alike.join(", ")} may be it: set adoptOrderNumber to the one that is, or list those that are not in proxyrental:foreignOrders`;
}

/** What an order looks like with these of its proxies listed. */
function deliver(order: OrderState, records: Parameters<typeof recordProxies>[1]): OrderState {
  const complete = records.length >= countOrdered(order);
  return {
    ...order,
    ...recordProxies(order, records),
    status: complete ? "active" : "pendingDelivery",
  };
}
