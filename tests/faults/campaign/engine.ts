import { DeliveryPendingError } from "../../../provider/core/order/delivery.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/state.ts";
import type { AccountRun } from "../../support/account.ts";
import type { Mortality } from "./mortality.ts";

/** A resource as the engine keeps it. */
export interface Resource {
  inputs: CheckedOrder;
  outputs: OrderState;
}

/** What the engine keeps of a stack between runs. */
export interface StackState {
  resources: Map<string, Resource>;
  /** Replaced, and still to be deleted. */
  replaced: Resource[];
}

/** The arguments of each resource by its name. */
export type Program = ReadonlyMap<string, object>;

/** What a run said of each resource that it failed at. */
export type Failures = Map<string, string>;

/** How a run came to its decisions. */
export interface RunReport {
  failures: Failures;
  /** What the checks said that would be paid, by resource. */
  quoted: Map<string, number>;
  /** Orders that the state has let go of, rightly. */
  released: string[];
}

/** The resource's owner, as the sdk would make it. */
function ownerOf(name: string): string {
  return `org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::${name}`;
}

/** One `pulumi up` or `pulumi preview`, in the order of calls that the engine keeps. */
export async function runEngine(
  { orders }: AccountRun,
  life: Mortality,
  stack: StackState,
  program: Program,
  options: { refresh: boolean; previewOnly: boolean },
): Promise<RunReport> {
  const report: RunReport = { failures: new Map(), quoted: new Map(), released: [] };
  // A preview works on a copy that nobody keeps.
  const { resources, replaced } = options.previewOnly ? copyOf(stack) : stack;

  async function attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      report.failures.set(name, error instanceof Error ? error.message : String(error));
    }
  }

  async function refresh(name: string, resource: Resource): Promise<void> {
    const found = await orders.read(resource.outputs);
    await life.step("state saved after a read");
    if (found.kind === "gone") {
      resources.delete(name);
      report.released.push(...namesOf(resource.outputs));
    } else {
      const inputs = found.drift ?? resource.inputs;
      resources.set(name, { inputs, outputs: found.state });
    }
  }

  async function check(name: string, args: object, olds: CheckedOrder | undefined) {
    const given = { known: { ...args }, unknown: new Set<string>() };
    const { checked, failures } = await orders.check(ownerOf(name), olds, given);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    // Without a failure and without anything unknown, all of it is there.
    const inputs = checked as CheckedOrder;
    if (["buy", "topUp", "replace"].includes(inputs.quote.effect)) {
      report.quoted.set(name, inputs.quote.price ?? 0);
    }
    return inputs;
  }

  /** The engine saves what create or update gives, and what a failure of theirs carries. */
  async function save(name: string, inputs: CheckedOrder, make: () => Promise<OrderState>) {
    try {
      const outputs = await make();
      await life.step("state saved");
      resources.set(name, { inputs, outputs });
    } catch (error) {
      if (error instanceof DeliveryPendingError) {
        await life.step("state saved after a failure");
        resources.set(name, { inputs, outputs: error.state });
      }
      throw error;
    }
  }

  async function deploy(name: string, args: object): Promise<void> {
    const old = resources.get(name);
    const inputs = await check(name, args, old?.inputs);
    if (old === undefined) {
      if (!options.previewOnly) await save(name, inputs, () => orders.create(inputs));
      return;
    }
    const change = await orders.diff(old.outputs, inputs, new Set());
    if (change.kind === "replace") {
      const again = await check(name, args, undefined);
      if (options.previewOnly) return;
      try {
        await save(name, again, () => orders.create(again));
      } finally {
        // What could not be delivered in time has taken the place of the old one all the same.
        if (resources.get(name) !== old) replaced.push(old);
      }
    } else if (change.kind === "update" && !options.previewOnly) {
      await save(name, inputs, () => orders.update(old.outputs, inputs));
    } else resources.set(name, { inputs, outputs: old.outputs });
  }

  async function remove({ outputs }: Resource): Promise<void> {
    await orders.delete(outputs);
    await life.step("state saved after a delete");
    report.released.push(...namesOf(outputs));
  }

  if (options.refresh) {
    for (const [name, resource] of [...resources]) {
      await attempt(name, () => refresh(name, resource));
    }
    // A failed read fails the run before anything is done.
    if (report.failures.size > 0) return report;
  }
  await Promise.all([...program].map(([name, args]) => attempt(name, () => deploy(name, args))));
  if (options.previewOnly) return report;
  for (const resource of [...replaced]) {
    await attempt("replaced", async () => {
      await remove(resource);
      replaced.splice(replaced.indexOf(resource), 1);
    });
  }
  for (const [name, resource] of [...resources]) {
    if (program.has(name)) continue;
    await attempt(name, async () => {
      await remove(resource);
      resources.delete(name);
    });
  }
  return report;
}

/** Every number and id under which a resource's orders are known. */
export function namesOf({ orderNumber, orderIds, purchases }: OrderState): string[] {
  return [orderNumber, ...orderIds, ...purchases.map((purchase) => purchase.orderNumber)];
}

function copyOf({ resources, replaced }: StackState): StackState {
  return { resources: new Map(resources), replaced: [...replaced] };
}
