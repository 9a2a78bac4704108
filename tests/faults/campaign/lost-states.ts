import { namesOf as namesInJournal } from "../../../provider/core/records/intent.ts";
import { copyOf, namesOf, type StackState } from "./engine.ts";
import { hasHandedOver } from "./hand-overs.ts";
import { leaveAdoption } from "./person.ts";
import { noteMaybeOff } from "./renewals.ts";
import type { Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

/**
 * Deletes an order from the state, together with everything that depends on it. A person does not remove the only record of an
 * order, so nothing happens if the journal does not know it.
 */
export async function deleteFromState(world: World, tenant: Tenant, name: string): Promise<void> {
  const { stack, extensions, autoExtensions, takenOut, owners } = tenant;
  const owner = stack.resources.get(name)?.inputs.owner;
  // If the resource was renamed and is deleted under its old name, nobody can tell that it is the one declared now.
  if (owner !== undefined && owner !== owners.ofOrder(name)) return;
  const outputs = stack.resources.get(name)?.outputs;
  const names = outputs ? namesOf(outputs) : [];
  const recorded = await readRecorded(world, tenant);
  if (!names.some((one) => recorded.has(one))) return;
  for (const order of names) takenOut.add(order);
  stack.resources.delete(name);
  for (const [key, { of }] of extensions) if (of === name) stack.extensions.delete(key);
  for (const [key, { of }] of autoExtensions) if (of === name) stack.autoExtensions.delete(key);
  stack.replacedExtensions = stack.replacedExtensions.filter(({ of }) => of !== name);
  stack.replacedAutoExtensions = stack.replacedAutoExtensions.filter(({ of }) => of !== name);
}

/**
 * Puts a state that was there before an update back. A person does not lose the only record of an order, and does not bring back
 * what was deleted since.
 */
export async function putStateBack(world: World, tenant: Tenant, which: number): Promise<void> {
  await world.settleOrphans();
  const { stack, takenOut, owners, program } = tenant;
  const earlier = tenant.earlier[which % tenant.earlier.length];
  if (earlier === undefined) return;
  for (const [name, { outputs }] of earlier.resources) {
    // It takes over another order since. The former one may be somebody else's by now.
    const { importId, adoptOrderNumber } = program.get(name) ?? {};
    const awaited = importId ?? adoptOrderNumber;
    if (awaited !== undefined && !namesOf(outputs).includes(awaited)) return;
    // It is declared again since it gave its order away. With this state it would have that back.
    if (program.has(name) && hasHandedOver(tenant, name, earlier)) return;
  }
  const [before, now] = [allNames(earlier), allNames(stack)];
  if (![...before].every((name) => now.has(name))) return;
  const lost = new Set([...now].filter((name) => !before.has(name)));
  for (const [name, { inputs }] of stack.resources) {
    // If it was renamed since, nobody can tell that it is the one declared now.
    if (!earlier.resources.has(name) && inputs.owner !== owners.ofOrder(name)) return;
  }
  const recorded = await readRecorded(world, tenant);
  const orders = tenant.account
    .orders()
    .filter((one) => lost.has(one.orderNumber) || lost.has(one.orderId));
  if (!orders.every((one) => recorded.has(one.orderNumber) || recorded.has(one.orderId))) return;
  for (const order of lost) takenOut.add(order);
  Object.assign(stack, copyOf(earlier));
  noteMaybeOff(tenant);
}

/** The names of the orders that the journal knows to be somebody's. One may be in a state that it has as let go. */
async function readRecorded(world: World, tenant: Tenant): Promise<ReadonlySet<string>> {
  const all = await world.journal(tenant).readAll();
  return new Set(all.filter(({ phase }) => phase !== "closed").flatMap(namesInJournal));
}

function allNames({ resources, replaced }: StackState): Set<string> {
  return new Set([...resources.values(), ...replaced].flatMap(({ outputs }) => namesOf(outputs)));
}

/**
 * The state of every order is lost, after the program was freed from the arguments that name orders: now only the journal
 * knows them. Nothing may be bought again.
 * @param runAll runs the stack
 */
export async function loseStates(
  world: World,
  tenant: Tenant,
  runAll: () => Promise<unknown>,
): Promise<void> {
  const { program, account, stack, foreignOrders, goneOrders } = tenant;
  for (const name of program.keys()) leaveAdoption(tenant, name);
  await runAll();
  world.verdict.broken.push(...(await findLetGo(world, tenant)));
  for (const name of program.keys()) {
    const outputs = stack.resources.get(name)?.outputs;
    const isDisowned = (one: string) => foreignOrders.has(one) || goneOrders.has(one);
    // Whoever says of an order that it is not this stack's may lose it.
    if (outputs && !namesOf(outputs).some(isDisowned)) await deleteFromState(world, tenant, name);
  }
  const lost = [...program.keys()].filter((name) => !stack.resources.has(name));
  const charges = account.ledger().length;
  await runAll();
  const bought = account
    .ledger()
    .slice(charges)
    .filter(({ origin }) => origin === "api")
    .map(({ orderNumber }) => orderNumber);
  const again = account
    .orders()
    .filter(({ orderNumber, goal }) => bought.includes(orderNumber) && lost.includes(goal));
  for (const { orderNumber, goal } of again) {
    world.verdict.duplicates.push(`${orderNumber} for ${goal}, whose state was lost`);
  }
}

/** What the journal has as let go, although a state has it that the journal has just been shown. */
async function findLetGo(world: World, tenant: Tenant): Promise<string[]> {
  const { stack, program } = tenant;
  const all = await world.journal(tenant).readAll();
  const released = all.filter(({ closedBecause }) => closedBecause === "released");
  const others = new Set(all.filter((one) => !released.includes(one)).flatMap(namesInJournal));
  const letGo = new Set(released.flatMap(namesInJournal).filter((name) => !others.has(name)));
  return [...program.keys()].flatMap((name) => {
    const outputs = stack.resources.get(name)?.outputs;
    const own = outputs === undefined ? [] : namesOf(outputs).filter((one) => letGo.has(one));
    return own.map((order) => `${name} has order ${order}, which the journal has as let go`);
  });
}
