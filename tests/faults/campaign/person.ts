import { isOrderIntent } from "../../../provider/core/records/intent.ts";
import { mentions } from "./mentions.ts";
import type { Tenant } from "./tenant.ts";
import type { RunOutcome, World } from "./world.ts";

/**
 * Does what the messages of a failed run ask a person to do, with what a person can see in the account: the
 * orders, and which resource each was bought for.
 */
export async function helpOut(world: World, tenant: Tenant, report: RunOutcome): Promise<void> {
  await settleJournal(world, tenant);
  for (const [name, said] of report.failures) {
    if (/foreignOrders|adoptOrderNumber/.test(said)) claimOrForeign(tenant, name, said);
    if (said.includes("may be it, listed under another number")) claimOwn(tenant, name);
    if (said.includes("promoCode")) leavePromoCode(tenant, name);
    if (said.includes("take the argument out")) leaveAdoption(tenant, name);
  }
}

/** An order that a run has named, and that nobody wants: it runs out, accounted for by the person. */
export function letRunOut(tenant: Tenant, { said }: RunOutcome): void {
  const known = tenant.known();
  for (const { orderNumber, orderId, goal } of tenant.account.orders()) {
    if (known.has(orderNumber) || known.has(orderId)) continue;
    if (!mentions(said, orderNumber) && !mentions(said, orderId)) continue;
    if (tenant.livingOrders(goal).includes(orderNumber)) tenant.release(orderNumber);
  }
}

/** `proxyrental journal resolve` for each unfinished purchase that the account has an answer to. */
async function settleJournal(world: World, tenant: Tenant): Promise<void> {
  const journal = world.journal();
  const open = (await journal.readOpen()).filter(({ owner }) => tenant.owns(owner));
  for (const intent of open.filter(isOrderIntent)) {
    const { country, quantity, goal } = intent.purchase.request;
    const name = String(goal);
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
      // Nobody wants it any more: it runs out, accounted for by the person.
      if (found && !isWanted) tenant.release(found.orderNumber);
    }
  }
}

/** Names the order as the listing does; a resource that has one already asks for what it has instead. */
function claimOwn({ program, account, livingOrders }: Tenant, name: string): void {
  const wanted = program.get(name);
  const living = livingOrders(name);
  const own = account.orders().find(({ orderNumber }) => living.includes(orderNumber));
  if (wanted && own && living.length === 1) {
    const { quantity, orderId } = own;
    program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
  }
}

/** An order that a message has named is taken over where it is this resource's, else listed as foreign. */
function claimOrForeign(tenant: Tenant, name: string, said: string): void {
  const { program, stack } = tenant;
  const wanted = program.get(name);
  const known = tenant.known();
  for (const order of tenant.account.orders()) {
    const { orderId, orderNumber, quantity, country, goal, origin } = order;
    const isNamed = mentions(said, orderNumber) && !known.has(orderNumber);
    if (!mentions(said, orderId) && !isNamed) continue;
    const lives = origin === "api" && tenant.livingOrders(goal).includes(orderNumber);
    // What the state names already needs no taking over; it only has not arrived yet.
    if (lives && known.has(orderId)) continue;
    // Another resource waits for it under another number.
    const other = program.get(goal);
    const waits = stack.resources.get(goal)?.outputs.status === "pendingDelivery";
    if (!lives) tenant.foreignOrders.add(orderId);
    else if (goal !== name && other?.country === country && waits) {
      tenant.foreignOrders.add(orderId);
      program.set(goal, { ...other, quantity, adoptOrderNumber: orderId });
    } else if (goal === name && wanted) {
      const held = stack.resources.get(name)?.outputs;
      const isFirst = held === undefined || held.purchases[0]?.orderNumber === orderNumber;
      if (isFirst && wanted.country === country)
        program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
      else giveUp(tenant, orderNumber, orderId);
    } else if (goal !== name && other?.country !== country) {
      // Bought for what the program does not ask for any more.
      giveUp(tenant, orderNumber, orderId);
    }
  }
}

/** A resource that has an order can't take over another: that one runs out, accounted for by the person. */
function giveUp(tenant: Tenant, orderNumber: string, orderId: string): void {
  tenant.foreignOrders.add(orderId);
  tenant.goneOrders.add(orderNumber);
  tenant.release(orderNumber);
}

/** A code that is used up is left out. */
function leavePromoCode({ program }: Tenant, name: string): void {
  const wanted = program.get(name);
  if (wanted) program.set(name, { ...wanted, promoCode: undefined });
}

/** An order that has ended is taken over by nobody. */
function leaveAdoption({ program }: Tenant, name: string): void {
  const wanted = program.get(name);
  if (wanted === undefined) return;
  const { adoptOrderNumber: _ended, ...rest } = wanted;
  program.set(name, rest);
}
