import type { SimulatedOrder } from "../../../simulator/index.ts";
import { namesOf, type StackState } from "./engine.ts";
import { isCalled, ofAccount, type Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

/** A resource of a stack. */
export interface Declared {
  tenant: Tenant;
  name: string;
}

/** One that has an order. */
export interface Former extends Declared {
  order: SimulatedOrder;
}

/** Whether a state of a resource is about an order that another one owns since. */
export function hasHandedOver(
  { account }: Tenant,
  name: string,
  { resources }: StackState,
): boolean {
  const outputs = resources.get(name)?.outputs;
  if (outputs === undefined) return false;
  const names = namesOf(outputs);
  return account
    .orders()
    .filter(({ orderNumber, orderId }) => names.includes(orderNumber) || names.includes(orderId))
    .some(({ goal, origin }) => origin !== "api" || goal !== name);
}

/** Those whose order a person may hand over: each has one order, and nothing of it is in doubt. */
export async function findFormers(world: World): Promise<Former[]> {
  await world.settleOrphans();
  const found = world.tenants.map(async (tenant) => {
    const open = await world.journal(tenant).readOpen();
    const isInDoubt = (name: string) =>
      open.some(({ owner }) => owner === tenant.owners.ofOrder(name));
    return [...tenant.program.keys()].flatMap((name) => {
      const order = findOrder(tenant, name);
      return order === undefined || isInDoubt(name) ? [] : [{ tenant, name, order }];
    });
  });
  return (await Promise.all(found)).flat();
}

/** Those who may take an order over: resources of its account that have no other order. */
export function findHeirs(
  { tenants }: World,
  apiKey: string,
  order: SimulatedOrder,
  names: readonly string[],
): Declared[] {
  return ofAccount(tenants, { apiKey })
    .flatMap((tenant) => names.map((heir) => ({ tenant, name: heir })))
    .filter(({ tenant, name: heir }) => !tenant.program.has(heir))
    .filter(({ tenant, name: heir }) => holdsNothingElse(tenant, heir, order));
}

/** The heir may still have a state of that very order, if it had it before. */
function holdsNothingElse(
  { stack, account, livingOrders }: Tenant,
  heir: string,
  order: SimulatedOrder,
): boolean {
  const outputs = stack.resources.get(heir)?.outputs;
  const isLiving = account.orders().some((one) => livingOrders(heir).includes(one.orderNumber));
  if (isLiving) return false;
  const own = [order.orderNumber, order.orderId];
  return outputs === undefined || namesOf(outputs).every((name) => own.includes(name));
}

/** The only order that a resource has, by its state and by the account. */
function findOrder(
  { program, stack, account, livingOrders, foreignOrders, goneOrders, ...of }: Tenant,
  name: string,
) {
  const outputs = stack.resources.get(name)?.outputs;
  const [only, ...more] = livingOrders(name);
  if (!program.has(name) || outputs === undefined || more.length > 0) return undefined;
  const names = namesOf(outputs);
  const order = account.orders().find(({ orderNumber }) => orderNumber === only);
  if (order === undefined || of.wasTakenOut(order)) return undefined;
  const own = [order.orderNumber, order.orderId];
  if (own.some((one) => foreignOrders.has(one) || goneOrders.has(one))) return undefined;
  return names.every((one) => own.includes(one)) ? order : undefined;
}

/** Declares a resource that takes over the order of another one, which stays in its program. */
export function declareHeir(
  { tenant: from, name, order }: Former,
  { tenant: to, name: heir }: Declared,
): void {
  const wanted = from.program.get(name);
  if (wanted === undefined) return;
  const { country, quantity, orderId, orderNumber } = order;
  const { promoCode: _used, importId: _own, ...terms } = wanted;
  to.program.set(heir, { ...terms, country, quantity, adoptOrderNumber: orderId });
  to.heirs.set(orderNumber, [...(to.heirs.get(orderNumber) ?? []), to.goalOf(heir)]);
}

/** The same, and takes that one out of its program: what is declared for it is declared for the heir. */
export function handOrderOver(former: Former, declared: Declared): void {
  const { tenant: from, name } = former;
  const { tenant: to, name: heir } = declared;
  if (!from.program.has(name)) return;
  declareHeir(former, declared);
  from.program.delete(name);
  if (from === to) passOn(from, name, heir);
  else if (!renews(from, name)) renewFromNowOn(to, heir);
}

function renews({ autoExtensions, stack }: Tenant, name: string): boolean {
  const isDeclared = [...autoExtensions.values()].some(({ of }) => of === name);
  return isDeclared || stack.autoExtensions.size > 0;
}

/** Whoever lets the order go later must not end this. */
function renewFromNowOn({ autoExtensions }: Tenant, of: string): void {
  // What was declared for the heir before may have been renamed. Two that want different things are refused.
  for (const [key, declared] of [...autoExtensions])
    if (declared.of === of) autoExtensions.delete(key);
  autoExtensions.set(`${of}-more`, { of, autoExtend: true, rentPeriodDays: 30 });
}

/** The orders of the first account that somebody else has bought, and that no stack has or knows. */
export async function findForeign(world: World): Promise<SimulatedOrder[]> {
  const { simulator, tenants, journal } = world;
  await world.settleOrphans();
  const sharing = ofAccount(tenants, simulator);
  const open = await Promise.all(sharing.map((tenant) => journal(tenant).readOpen()));
  // While a purchase is in doubt, such an order may be taken for it.
  if (open.flat().length > 0) return [];
  const listed = new Set(
    simulator.proxies().flatMap((one) => (one.state === "listed" ? one.orderNumber : [])),
  );
  return simulator
    .orders()
    .filter(({ origin, orderNumber }) => origin === "foreign" && listed.has(orderNumber))
    .filter(({ orderNumber, orderId }) =>
      sharing.every(
        (tenant) =>
          ![orderNumber, orderId].some(
            (one) => tenant.known().has(one) || tenant.foreignOrders.has(one),
          ) && !tenant.isAwaited({ orderNumber, orderId }),
      ),
    );
}

/** Declares a resource that takes over what somebody else has bought. */
export function takeForeignOver(
  { country, quantity, orderId }: SimulatedOrder,
  { tenant, name }: Declared,
  how: "adopt" | "import",
): void {
  const named = how === "adopt" ? { adoptOrderNumber: orderId } : { importId: orderId };
  tenant.program.set(name, { country, quantity, ...named });
}

/** What was declared for the proxies of an order is declared for the same proxies, and keeps its name. */
function passOn(
  { extensions, autoExtensions, ...tenant }: Tenant,
  name: string,
  heir: string,
): void {
  for (const declared of [extensions, autoExtensions]) {
    for (const [key, { of }] of [...declared]) if (of === heir) declared.delete(key);
  }
  for (const [key, args] of [...extensions]) {
    if (args.of === name) tenant.declareExtension(key, { ...args, of: heir });
  }
  for (const [key, args] of autoExtensions) {
    if (args.of === name) autoExtensions.set(key, { ...args, of: heir });
  }
}

/** If a program names no more what its resource was to take over, that stays whose it was. */
export function forgoHandOver({ program, heirs, account, stack }: Tenant, name: string): void {
  const awaited = program.get(name)?.adoptOrderNumber;
  const outputs = stack.resources.get(name)?.outputs;
  if (awaited === undefined) return;
  const held = outputs === undefined ? [] : namesOf(outputs);
  for (const order of account.orders()) {
    const isHeld = held.some((one) => isCalled(order, one));
    if (isCalled(order, awaited) && !isHeld) heirs.get(order.orderNumber)?.pop();
  }
}
