import { isOrderIntent, namesOf, type OrderIntent } from "../../../provider/core/records/intent.ts";
import type { SimulatedOrder } from "../../../simulator/index.ts";
import { mentions } from "./mentions.ts";
import type { RunOutcome } from "./paid-orders.ts";
import { isCalled, type OrderNames, ofAccount, type ResourceArgs, type Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

/**
 * Does what the messages of a failed run ask a person to do. It uses only what a person can see in the account: the
 * orders, and the resource that each was bought for.
 */
export async function helpOut(world: World, tenant: Tenant, report: RunOutcome): Promise<void> {
  // What another stack of the account has left may stand in the way.
  for (const one of ofAccount(world.tenants, tenant.account)) await settleJournal(world, one);
  for (const [name, said] of report.failures) {
    if (await releaseAdopted(world, tenant, name)) continue;
    if (/foreignOrders|adoptOrderNumber/.test(said)) claimOrForeign(tenant, name, said);
    if (said.includes("may be it, listed under another number")) claimOwn(tenant, name);
    if (said.includes("promoCode")) leavePromoCode(tenant, name);
    if (said.includes("out of proxyrental:goneOrders")) takeBackGone(tenant, said);
    else if (said.includes("PROXYRENTAL_GONE_ORDERS")) sayWhatHasEnded(tenant, said);
    if (/take the argument out|Nothing was imported/.test(said)) leaveAdoption(tenant, name);
  }
}

/** If a run has named an order and nobody wants it, the person lets it run out. */
export function letRunOut(tenant: Tenant, { said }: RunOutcome): void {
  const known = tenant.known();
  for (const { orderNumber, orderId, goal } of tenant.account.orders()) {
    if (known.has(orderNumber) || known.has(orderId)) continue;
    if (!mentions(said, orderNumber) && !mentions(said, orderId)) continue;
    if (tenant.livingOrders(goal).includes(orderNumber)) tenant.release(orderNumber);
  }
}

/** Does what `pulumi-proxyrental journal resolve` does, for each unfinished purchase whose outcome the account shows. */
async function settleJournal(world: World, tenant: Tenant): Promise<void> {
  const journal = world.journal(tenant);
  const open = (await journal.readOpen()).filter(({ owner }) => tenant.owns(owner));
  for (const intent of open.filter(isOrderIntent)) {
    const { country, quantity, goal } = intent.purchase.request;
    const name = tenant.nameOf(String(goal));
    const known = tenant.known();
    if (intent.orderNumber !== undefined && known.has(intent.orderNumber)) continue;
    const [found] = tenant.account
      .orders()
      .filter(({ orderNumber }) => tenant.livingOrders(name).includes(orderNumber))
      .filter((order) => order.country === country && order.quantity === quantity)
      .filter(({ orderNumber, orderId }) => !known.has(orderNumber) && !known.has(orderId));
    const isWanted =
      tenant.program.get(name)?.country === country && tenant.missingOf(name) === quantity;
    if (found && isWanted && intent.orderNumber === undefined) {
      const { orderNumber, orderId } = found;
      await journal.change(intent, { phase: "placed", orderNumber, orderIds: [orderId] });
    } else if (!found || !isWanted) {
      await journal.change(intent, { phase: "closed", closedBecause: "resolved" });
      // Nobody wants this order any more, so the person lets it run out.
      if (found && !isWanted) tenant.release((findOrderOf(tenant, intent) ?? found).orderNumber);
    }
  }
}

function findOrderOf({ account }: Tenant, intent: OrderIntent): SimulatedOrder | undefined {
  const names = namesOf(intent);
  return account.orders().find((order) => names.some((name) => isCalled(order, name)));
}

/**
 * Does what `journal resolve --released` does, for what the journal has for a resource and the program hands over to another one.
 * Gives whether there was such an order.
 */
async function releaseAdopted(world: World, tenant: Tenant, name: string): Promise<boolean> {
  const { program, owners } = tenant;
  const journal = world.journal(tenant);
  const others = [...program].flatMap(([other, { adoptOrderNumber }]) =>
    other === name ? [] : (adoptOrderNumber ?? []),
  );
  const adopted = (await journal.readAll())
    .filter(isOrderIntent)
    .filter(({ owner, phase }) => owner === owners.ofOrder(name) && phase !== "closed")
    .filter((intent) => {
      // The journal may not know by what id the listing shows it.
      const { orderId = [] } = findOrderOf(tenant, intent) ?? {};
      return namesOf(intent)
        .concat(orderId)
        .some((named) => others.includes(named));
    });
  for (const intent of adopted) {
    await journal.change(intent, { phase: "closed", closedBecause: "released" });
  }
  return adopted.length > 0;
}

/** Adopts the resource's own order by the id that the listing shows, with the quantity of that order. */
function claimOwn({ program, account, livingOrders }: Tenant, name: string): void {
  const wanted = program.get(name);
  const living = livingOrders(name);
  const own = account.orders().find(({ orderNumber }) => living.includes(orderNumber));
  if (wanted && own && living.length === 1) {
    const { quantity, orderId } = own;
    program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
  }
}

/** Adopts the orders that a message has named if they are this resource's, and lists the others as foreign. */
function claimOrForeign(tenant: Tenant, name: string, said: string): void {
  const { program, stack } = tenant;
  const wanted = program.get(name);
  const known = tenant.known();
  for (const order of tenant.account.orders()) {
    const { orderId, orderNumber, quantity, country, goal, origin } = order;
    const isNamed = mentions(said, orderNumber) && !known.has(orderNumber);
    if (!mentions(said, orderId) && !isNamed) continue;
    const lives = origin === "api" && tenant.livingOrders(goal).includes(orderNumber);
    // If the state knows the order already, nobody needs to adopt it. It is only not delivered yet.
    if (lives && known.has(orderId)) continue;
    // The resource that the order was bought for may wait for it under another number.
    const other = program.get(goal);
    const waits = stack.resources.get(goal)?.outputs.status === "pendingDelivery";
    if (!lives) {
      tenant.foreignOrders.add(orderId);
      // The journal may know it by the number that the message has named, and by no other one.
      if (isNamed) tenant.foreignOrders.add(orderNumber);
    } else if (goal !== name && other?.country === country && waits) {
      tenant.foreignOrders.add(orderId);
      program.set(goal, { ...other, quantity, adoptOrderNumber: orderId });
    } else if (goal === name && wanted) {
      const held = stack.resources.get(name)?.outputs;
      const isFirst = held === undefined || held.purchases[0]?.orderNumber === orderNumber;
      const isWanted = wanted.country === country;
      if (isWanted && isFirst) adoptOnly(tenant, name, order);
      else if (isWanted && wanted.quantity > quantity) takeOverBeside(tenant, name, order);
      else giveUp(tenant, orderNumber, orderId);
    } else if (goal !== name && (other?.country !== country || adoptsAnother(other, order))) {
      // The program does not ask for this order any more.
      giveUp(tenant, orderNumber, orderId);
    }
  }
}

/** Adopts an order with its quantity. Of what the person had taken out of the state, the rest is not wanted any more. */
function adoptOnly(
  { program, livingOrders, wasTakenOut, release, account }: Tenant,
  name: string,
  { quantity, orderId, orderNumber: kept }: SimulatedOrder,
): void {
  const wanted = program.get(name);
  if (wanted === undefined) return;
  program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
  const living = livingOrders(name).filter((orderNumber) => orderNumber !== kept);
  const rest = account.orders().filter(({ orderNumber }) => living.includes(orderNumber));
  for (const order of rest) if (wasTakenOut(order)) release(order.orderNumber);
}

/** Whether a resource is to take over another order. */
function adoptsAnother({ adoptOrderNumber: named }: ResourceArgs, order: OrderNames): boolean {
  return named !== undefined && !isCalled(order, named);
}

/** Takes a further order of a resource over with a further resource, and lets the first one wait for it no more. */
function takeOverBeside(
  { program, goneOrders }: Tenant,
  name: string,
  { orderNumber, orderId, quantity }: Pick<SimulatedOrder, "orderNumber" | "orderId" | "quantity">,
): void {
  const wanted = program.get(name);
  if (wanted === undefined) return;
  program.set(`${name}beside`, { ...wanted, quantity, adoptOrderNumber: orderId });
  program.set(name, { ...wanted, quantity: wanted.quantity - quantity });
  goneOrders.add(orderNumber);
}

/** A resource that has an order can't adopt another one. The person lets the other one run out. */
function giveUp(tenant: Tenant, orderNumber: string, orderId: string): void {
  tenant.foreignOrders.add(orderId);
  tenant.goneOrders.add(orderNumber);
  tenant.release(orderNumber);
}

/** Says of what a message has named that it has ended, if it has: single proxies, or whole orders. */
function sayWhatHasEnded({ account, goneOrders, stack }: Tenant, said: string): void {
  const proxies = account.proxies();
  const living = new Set(proxies.flatMap(({ ip, state }) => (state === "expired" ? [] : [ip])));
  const states = [...stack.autoExtensions.values(), ...stack.replacedAutoExtensions];
  // A message names them by their recorded ids. They may have had others since.
  for (const { ipAddressId, ipAddressIp } of states.flatMap(({ outputs }) => outputs.proxies)) {
    if (mentions(said, ipAddressId) && !living.has(ipAddressIp)) goneOrders.add(ipAddressId);
  }
  for (const { orderNumber, orderId } of account.orders()) {
    const own = proxies.filter((one) => one.orderNumber === orderNumber);
    if (own.some(({ state }) => state !== "expired") || own.length === 0) continue;
    for (const name of [orderNumber, orderId]) if (mentions(said, name)) goneOrders.add(name);
  }
}

/** Says no longer of an order that has not ended that it has. */
function takeBackGone({ goneOrders }: Tenant, said: string): void {
  for (const one of goneOrders) if (mentions(said, one)) goneOrders.delete(one);
}

/** Leaves out a promo code that is used up. */
function leavePromoCode({ program }: Tenant, name: string): void {
  const wanted = program.get(name);
  if (wanted) program.set(name, { ...wanted, promoCode: undefined });
}

/** Leaves out what names an order: one that has ended can't be adopted, and one that the state has need not be named. */
export function leaveAdoption({ program }: Tenant, name: string): void {
  const wanted = program.get(name);
  if (wanted === undefined) return;
  const { adoptOrderNumber: _ended, importId: _imported, ...rest } = wanted;
  program.set(name, rest);
}
