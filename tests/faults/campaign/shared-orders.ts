import {
  type Declared,
  declareHeir,
  type Former,
  findFormers,
  findHeirs,
  forgoHandOver,
} from "./hand-overs.ts";
import { switchByHand } from "./renewals.ts";
import { ofAccount } from "./tenant.ts";
import type { World } from "./world.ts";

/** An order, the resource that has it, and another one that is to take it over beside that one. */
interface Shared {
  former: Former;
  heir: Declared;
}

/** How an order that two resources have is let go. */
export interface LettingGo {
  /** Whether both stacks see it after it was taken over, so that the journal knows of both. */
  isSeen: boolean;
  /** Whether the state is refreshed before the deletes. */
  refresh: boolean;
  /** Who lets a part of the order go before that. */
  smaller: "nobody" | "former" | "heir" | "both";
}

/**
 * Two resources have one order, and then both are taken out of their programs at once. Each delete may leave the order to the
 * other one, but not both: then it goes on costing money, and no state has it.
 * @param names the resources that may take an order over
 */
export async function shareAndLetGo(
  world: World,
  [which, whither]: readonly [number, number],
  names: readonly string[],
  { isSeen, refresh, smaller }: LettingGo,
): Promise<void> {
  const shared = await findShared(world, which, whither, names);
  if (shared === undefined) return;
  const { former, heir } = shared;
  declareHeir(former, heir);
  forgoExtensions(former);
  await runBoth(world, shared, false);
  if (isSeen) await runBoth(world, shared, true);
  // Only what was true all along can be asked for: a listing that is wrong may hide what is on.
  await world.settleOrphans();
  world.clearFaults();
  if (!isHeld(world, former)) {
    // An edit that its program had pending has replaced it, so there was nothing to share.
    withdraw(heir);
    return;
  }
  if (world.families.has("autoExtensions")) switchOn(world, former);
  const shrinking = [
    ...(smaller === "former" || smaller === "both" ? [former] : []),
    ...(smaller === "heir" || smaller === "both" ? [heir] : []),
  ];
  if (shrinking.map(shrink).includes(true)) await runBoth(world, shared, refresh);
  for (const declared of [former, heir]) withdraw(declared);
  await runBoth(world, shared, refresh);
  world.verdict.broken.push(...findLeftOn(world, former));
}

async function findShared(
  world: World,
  which: number,
  whither: number,
  names: readonly string[],
): Promise<Shared | undefined> {
  const formers = (await findFormers(world)).filter(isIdentified);
  const former = formers[which % formers.length];
  if (former === undefined) return undefined;
  const heirs = findHeirs(world, former.tenant.account.apiKey, former.order, names);
  const heir = heirs[whither % heirs.length];
  return heir && { former, heir };
}

/** Whether its resource knows the order as the listing does. Of one that has not arrived, nobody can say which proxies it has. */
function isIdentified({ tenant: { stack }, name, order }: Former): boolean {
  return stack.resources.get(name)?.outputs.orderIds.includes(order.orderId) === true;
}

/** The order is the heir's from now on, and nothing extends that one's. */
function forgoExtensions({ tenant: { extensions }, name }: Former): void {
  for (const [key, { of }] of [...extensions]) if (of === name) extensions.delete(key);
}

function withdraw({ tenant, name }: Declared): void {
  forgoHandOver(tenant, name);
  tenant.program.delete(name);
}

/** Asks for one proxy less. Gives whether there is more than one. */
function shrink({ tenant: { program }, name }: Declared): boolean {
  const wanted = program.get(name);
  if (wanted === undefined || wanted.quantity === 1) return false;
  program.set(name, { ...wanted, quantity: wanted.quantity - 1 });
  return true;
}

function runBoth(world: World, { former, heir }: Shared, refresh: boolean): Promise<void> {
  const stacks = [...new Set([heir.tenant, former.tenant])];
  return world.runTogether(
    stacks.map((one) => ({ refresh, phases: "both", tenant: world.tenants.indexOf(one) })),
  );
}

/** A person switches the automatic extension of an order on in the account. */
function switchOn(world: World, { tenant, order }: Former): void {
  const proxies = tenant.account
    .proxies()
    .filter(({ orderNumber, state }) => orderNumber === order.orderNumber && state === "listed");
  switchByHand(world, tenant, proxies, true);
}

/** Whether a state of the account has an order. */
function isHeld({ tenants }: World, { tenant: { account }, order }: Former): boolean {
  const { orderNumber, orderId } = order;
  const known = ofAccount(tenants, account).map((one) => one.known());
  return known.some((names) => names.has(orderNumber) || names.has(orderId));
}

/** The addresses that extend themselves although no state has their order any more. */
function findLeftOn(world: World, former: Former): string[] {
  if (isHeld(world, former)) return [];
  const { account } = former.tenant;
  const { orderNumber } = former.order;
  return account
    .proxies()
    .filter((one) => one.orderNumber === orderNumber && one.autoExtend && one.state === "listed")
    .map(({ ip }) => `${ip} of ${orderNumber} was let go by both that had it, and extends itself`);
}
