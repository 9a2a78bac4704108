import { isOrderIntent } from "../../../provider/core/journal/intent.ts";
import type { RunReport } from "./engine.ts";
import type { World } from "./world.ts";

/**
 * Does what the messages of a failed run ask a person to do, with what a person can see in the account: the
 * orders, and which resource each was bought for.
 */
export async function helpOut(world: World, report: RunReport): Promise<void> {
  await settleJournal(world);
  for (const name of report.failures.keys()) {
    const said = report.failures.get(name) ?? "";
    if (said.includes("foreignOrders")) claimOrForeign(world, name, said);
    if (said.includes("may be it, listed under another number")) claimOwn(world, name);
  }
}

/** `proxyrental journal resolve` for each unfinished purchase that the account has an answer to. */
async function settleJournal(world: World): Promise<void> {
  const journal = world.journal();
  for (const intent of (await journal.readOpen()).filter(isOrderIntent)) {
    const name = intent.owner.split("::").at(-1) ?? "";
    const known = world.known();
    if (intent.orderNumber !== undefined && known.has(intent.orderNumber)) continue;
    const { country, quantity } = intent.purchase.request;
    const [found] = world.simulator
      .orders()
      .filter(({ orderNumber }) => world.livingOrders(name).includes(orderNumber))
      .filter((order) => order.country === country && order.quantity === quantity)
      .filter(({ orderNumber, orderId }) => !known.has(orderNumber) && !known.has(orderId));
    const isWanted =
      world.program.get(name)?.country === country && world.missingOf(name) === quantity;
    if (found && isWanted && intent.orderNumber === undefined) {
      const { orderNumber, orderId } = found;
      await journal.change(intent, { phase: "accepted", orderNumber, orderIds: [orderId] });
    } else if (!found || !isWanted) {
      await journal.change(intent, { phase: "closed", closedBecause: "resolved" });
      // Nobody wants it any more: it runs out, accounted for by the person.
      if (found && !isWanted) world.release(found.orderNumber);
    }
  }
}

/** Names the order as the listing does; a resource that has one already asks for what it has instead. */
function claimOwn(world: World, name: string): void {
  const wanted = world.program.get(name);
  const living = world.livingOrders(name);
  const own = world.simulator.orders().find(({ orderNumber }) => living.includes(orderNumber));
  if (wanted && own && living.length === 1) {
    const { quantity, orderId } = own;
    world.program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
  }
}

/** An order that a message has named is taken over where it is this resource's, else listed as foreign. */
function claimOrForeign(world: World, name: string, said: string): void {
  const wanted = world.program.get(name);
  for (const { orderId, orderNumber, quantity, goal, origin } of world.simulator.orders()) {
    if (!said.includes(orderId)) continue;
    const lives = origin === "api" && world.livingOrders(goal).includes(orderNumber);
    // What the state names already needs no taking over; it only has not arrived yet.
    if (lives && world.known().has(orderId)) continue;
    if (!lives) world.foreignOrders.add(orderId);
    else if (goal === name && wanted) {
      const held = world.stack.resources.get(name)?.outputs;
      const isFirst = held === undefined || held.purchases[0]?.orderNumber === orderNumber;
      if (isFirst) world.program.set(name, { ...wanted, quantity, adoptOrderNumber: orderId });
      else giveUp(world, orderNumber, orderId);
    }
  }
}

/** A resource that has an order can't take over another: that one runs out, accounted for by the person. */
function giveUp(world: World, orderNumber: string, orderId: string): void {
  world.foreignOrders.add(orderId);
  world.goneOrders.add(orderNumber);
  world.release(orderNumber);
}
