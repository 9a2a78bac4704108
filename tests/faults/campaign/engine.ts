import { SwitchUnconfirmedError } from "../../../provider/core/auto-extension/apply.ts";
import type {
  AutoExtensionState,
  CheckedAutoExtension,
} from "../../../provider/core/auto-extension/state.ts";
import { ExtensionUnfinishedError } from "../../../provider/core/extension/apply/pay.ts";
import type {
  CheckedExtension,
  ExtensionState,
} from "../../../provider/core/extension/model/state.ts";
import { DeliveryPendingError } from "../../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/model/state.ts";
import type { GivenInputs, InputFailure } from "../../../provider/core/values/inputs.ts";
import type { Mortality } from "./mortality.ts";
import type { ProviderProcess } from "./process.ts";
import type { Shown } from "./shown-plans.ts";

/** A resource as the engine keeps it. */
export interface Resource<Inputs = CheckedOrder, Outputs = OrderState> {
  inputs: Inputs;
  outputs: Outputs;
  /** An operation that failed has saved it. */
  isUnfinished?: boolean;
}

/** What the engine keeps of a stack between runs. */
export interface StackState {
  resources: Map<string, Resource>;
  /** Orders that were replaced and are still to be deleted. */
  replaced: Resource[];
  extensions: Map<string, Resource<CheckedExtension, ExtensionState>>;
  replacedExtensions: Replaced<CheckedExtension, ExtensionState>[];
  autoExtensions: Map<string, Resource<CheckedAutoExtension, AutoExtensionState>>;
  replacedAutoExtensions: Replaced<CheckedAutoExtension, AutoExtensionState>[];
}

/** A dependent that was replaced and is still to be deleted. */
export interface Replaced<Inputs, Outputs> {
  name: string;
  of: string;
  outputs: Resource<Inputs, Outputs>["outputs"];
}

/** An order as the program declares it. */
export interface DeclaredOrder {
  owner: string;
  args: object;
  /** What the engine imports if it has no state of the resource. */
  importId?: string | undefined;
}

/** A resource that is declared for the proxies of the order `of`. It has a name of its own. */
export interface DeclaredDependent extends DeclaredOrder {
  of: string;
  /** Whether a person has asked for a replacement: the new one is made first. */
  isTainted: boolean;
}

/** What the program declares, by name. */
export interface Program {
  orders: ReadonlyMap<string, DeclaredOrder>;
  extensions: ReadonlyMap<string, DeclaredDependent>;
  autoExtensions: ReadonlyMap<string, DeclaredDependent>;
}

/** The error message of each resource that failed, by name. */
export type Failures = Map<string, string>;

/** What a run has found out and done. */
export interface RunReport {
  failures: Failures;
  /** The quotes of the checks, by owner. A resource that was refused has none. */
  quotes: Map<string, Shown["quote"]>;
  /**
   * Whether the provider was asked to check what the program declares. After a failed refresh, nothing is checked; nor is a
   * resource whose import fails.
   */
  isChecked: boolean;
  /** Orders that a read found to be gone. */
  gone: string[];
  /** Auto-extensions that were deleted with success. */
  switchedOff: AutoExtensionState[];
}

/** Which process of the provider does what. */
export interface Processes {
  refresh: ProviderProcess;
  of(name: string): ProviderProcess;
}

export interface EngineOptions {
  refresh: boolean;
  previewOnly: boolean;
  /** Called with the names of what was taken out of the state, also in a run that is killed later. */
  onReleased(names: readonly string[]): void;
  /** Called with the name of each dependent that was replaced. */
  onReplaced(name: string): void;
}

/** A resource that needs the ids of an order's proxies. */
interface DependentLifecycle<Inputs, Outputs> {
  check(
    owner: string,
    before: unknown,
    given: GivenInputs,
  ): Promise<{ checked: Partial<Inputs>; failures: InputFailure[] }>;
  diff(
    outputs: unknown,
    wanted: Partial<Inputs>,
    unknown: GivenInputs["unknown"],
  ): Change | Promise<Change>;
  create(checked: unknown): Promise<Outputs>;
  /** Inputs after a drift may lack a quote. The next check adds it. */
  read(outputs: unknown): Promise<{ state: Outputs; drift?: object | undefined }>;
  update(outputs: unknown, checked: unknown): Promise<Outputs>;
  delete(outputs: unknown): Promise<void>;
}

type Change = { kind: "none" } | { kind: "update" } | { kind: "replace" };

/** Extensions or auto-extensions, and where the engine keeps them. */
interface DependentKind<Inputs, Outputs> {
  lifecycleOf(process: ProviderProcess): DependentLifecycle<Inputs, Outputs>;
  declared: ReadonlyMap<string, DeclaredDependent>;
  kept: Map<string, Resource<Inputs, Outputs>>;
  replaced: Replaced<Inputs, Outputs>[];
  /** The state that an error carries, if any. */
  savedBy(error: unknown): Outputs | undefined;
}

/** Runs one `pulumi up` or `pulumi preview`. The calls come in the same order as from the real engine. */
export async function runEngine(
  processes: Processes,
  life: Mortality,
  stack: StackState,
  program: Program,
  options: EngineOptions,
): Promise<RunReport> {
  const report: RunReport = {
    failures: new Map(),
    quotes: new Map(),
    isChecked: false,
    gone: [],
    switchedOff: [],
  };
  // A preview works on a copy, so that it does not change the state.
  const state = options.previewOnly ? copyOf(stack) : stack;
  const { resources, replaced } = state;
  const ordersOf = (name: string) => processes.of(name).orders;
  /** What a preview does in place of a create or an update: the plugin waits until what it shows is written down. */
  const foresee = (name: string) => life.ask(() => processes.of(name).journal.previewed.written());
  const extensions: DependentKind<CheckedExtension, ExtensionState> = {
    lifecycleOf: (process) => process.extensions,
    declared: program.extensions,
    kept: state.extensions,
    replaced: state.replacedExtensions,
    savedBy: (error) => (error instanceof ExtensionUnfinishedError ? error.state : undefined),
  };
  const autoExtensions: DependentKind<CheckedAutoExtension, AutoExtensionState> = {
    lifecycleOf: (process) => process.autoExtensions,
    declared: program.autoExtensions,
    kept: state.autoExtensions,
    replaced: state.replacedAutoExtensions,
    savedBy: (error) => (error instanceof SwitchUnconfirmedError ? error.state : undefined),
  };
  /** The proxy ids that the dependents of an order are given; undefined while nobody can know them. */
  const outputIds = new Map<string, readonly string[] | undefined>();

  async function attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await life.as(name, work);
    } catch (error) {
      report.failures.set(name, error instanceof Error ? error.message : String(error));
    }
  }

  async function refresh(name: string, resource: Resource): Promise<void> {
    const found = await life.ask(() => processes.refresh.orders.read(resource.outputs));
    await life.step("state saved after a read");
    if (found.kind === "gone") {
      resources.delete(name);
      report.gone.push(...namesOf(resource.outputs));
    } else {
      const inputs = found.drift ?? resource.inputs;
      resources.set(name, { inputs, outputs: found.state });
    }
  }

  async function refreshAll<Inputs, Outputs>(kind: DependentKind<Inputs, Outputs>): Promise<void> {
    for (const [name, resource] of [...kind.kept]) {
      await attempt(name, async () => {
        const lifecycle = kind.lifecycleOf(processes.refresh);
        const { state, drift } = await life.ask(() => lifecycle.read(resource.outputs));
        const inputs = (drift ?? resource.inputs) as Inputs;
        kind.kept.set(name, { inputs, outputs: state });
      });
    }
  }

  async function check(
    name: string,
    { owner, args }: DeclaredOrder,
    olds: CheckedOrder | undefined,
  ) {
    const given = { known: { ...args }, unknown: new Set<string>() };
    report.quotes.delete(owner);
    report.isChecked = true;
    const { checked, failures } = await life.ask(() => ordersOf(name).check(owner, olds, given));
    if (failures.length > 0) throw new Error(explain(failures));
    // Nothing failed and nothing was unknown, so the checked inputs are complete.
    const inputs = checked as CheckedOrder;
    report.quotes.set(owner, inputs.quote);
    return inputs;
  }

  /** Saves the state that create or update returns, or the state that their error carries, as the engine does. */
  async function save(name: string, inputs: CheckedOrder, make: () => Promise<OrderState>) {
    try {
      const outputs = await life.ask(make);
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

  async function importOrder(name: string, owner: string, id: string): Promise<Resource> {
    const { inputs, state } = await life.ask(() => ordersOf(name).import(owner, id));
    await life.step("state saved after an import");
    const imported = { inputs, outputs: state };
    resources.set(name, imported);
    return imported;
  }

  async function deploy(name: string, declared: DeclaredOrder): Promise<void> {
    const { owner, importId } = declared;
    const old =
      resources.get(name) ?? (importId ? await importOrder(name, owner, importId) : undefined);
    const inputs = await check(name, declared, old?.inputs);
    if (old === undefined) {
      if (options.previewOnly) return foresee(name);
      return save(name, inputs, () => ordersOf(name).create(inputs));
    }
    const change = await life.ask(() => ordersOf(name).diff(old.outputs, inputs, new Set()));
    if (change.kind === "replace") {
      const again = await check(name, declared, undefined);
      if (options.previewOnly) return foresee(name);
      try {
        await save(name, again, () => ordersOf(name).create(again));
      } finally {
        // If the new order is not delivered in time, it has replaced the old one all the same.
        if (resources.get(name) !== old) replaced.push(old);
      }
    } else if (change.kind === "update") {
      if (options.previewOnly) return foresee(name);
      await save(name, inputs, () => ordersOf(name).update(old.outputs, inputs));
    } else {
      resources.set(name, { inputs, outputs: old.outputs });
      outputIds.set(name, old.outputs.ipAddressIds);
    }
  }

  async function deployDependent<Inputs, Outputs>(
    kind: DependentKind<Inputs, Outputs>,
    name: string,
    { owner, of, args, isTainted }: DeclaredDependent,
  ): Promise<void> {
    const lifecycle = kind.lifecycleOf(processes.of(of));
    const ipAddressIds = options.previewOnly
      ? outputIds.get(of)
      : resources.get(of)?.outputs.ipAddressIds;
    const unknown = new Set(ipAddressIds ? [] : ["ipAddressIds"]);
    const given = { known: { ...args, ...(ipAddressIds && { ipAddressIds }) }, unknown };
    const ask = async (before: Inputs | undefined): Promise<Inputs> => {
      report.quotes.delete(owner);
      const { checked, failures } = await life.ask(() => lifecycle.check(owner, before, given));
      if (failures.length > 0) throw new Error(explain(failures));
      const { quote = { effect: "unknown" } } = checked as { quote?: Shown["quote"] };
      report.quotes.set(owner, quote);
      return checked as Inputs;
    };
    const save = async (inputs: Inputs, make: () => Promise<Outputs>) => {
      try {
        const outputs = await life.ask(make);
        await life.step("state saved");
        kind.kept.set(name, { inputs, outputs });
      } catch (error) {
        const outputs = kind.savedBy(error);
        if (outputs !== undefined) {
          await life.step("state saved after a failure");
          kind.kept.set(name, { inputs, outputs, isUnfinished: true });
        }
        throw error;
      }
    };
    const old = kind.kept.get(name);
    const inputs = await ask(old?.inputs);
    if (old === undefined) {
      if (options.previewOnly) return foresee(of);
      return save(inputs, () => lifecycle.create(inputs));
    }
    const change = await life.ask(async () => lifecycle.diff(old.outputs, inputs, unknown));
    if (isTainted) {
      const again = await ask(undefined);
      if (options.previewOnly) return foresee(of);
      try {
        await save(again, () => lifecycle.create(again));
      } finally {
        // What a failed create has saved has replaced the old one all the same.
        if (kind.kept.get(name) !== old) {
          kind.replaced.push({ name, of, outputs: old.outputs });
          options.onReplaced(name);
        }
      }
      return;
    }
    if (options.previewOnly) return foresee(of);
    if (change.kind === "update" || old.isUnfinished) {
      await save(inputs, () => lifecycle.update(old.outputs, inputs));
    } else kind.kept.set(name, { inputs, outputs: old.outputs });
  }

  /** Deploys all resources of one kind, except those whose order has failed. */
  async function deployAll<Inputs, Outputs>(kind: DependentKind<Inputs, Outputs>): Promise<void> {
    const ready = [...kind.declared].filter(([, { of }]) => !report.failures.has(of));
    await Promise.all(
      ready.map(([name, one]) => attempt(name, () => deployDependent(kind, name, one))),
    );
  }

  async function removeUndeclared<Inputs, Outputs>(
    kind: DependentKind<Inputs, Outputs>,
    onRemoved: (outputs: Outputs) => void,
  ): Promise<void> {
    for (const [name, { outputs }] of [...kind.kept]) {
      if (kind.declared.has(name)) continue;
      await attempt(name, async () => {
        await life.ask(() => kind.lifecycleOf(processes.of(name)).delete(outputs));
        await life.step("state saved after a delete");
        kind.kept.delete(name);
        onRemoved(outputs);
      });
    }
  }

  async function removeReplaced<Inputs, Outputs>(
    kind: DependentKind<Inputs, Outputs>,
  ): Promise<void> {
    for (const former of [...kind.replaced]) {
      await attempt("replaced", async () => {
        await life.ask(() => kind.lifecycleOf(processes.of(former.of)).delete(former.outputs));
        await life.step("state saved after a delete");
        kind.replaced.splice(kind.replaced.indexOf(former), 1);
      });
    }
  }

  async function remove(name: string, { outputs }: Resource): Promise<void> {
    await life.ask(() => ordersOf(name).delete(outputs));
    await life.step("state saved after a delete");
  }

  if (options.refresh) {
    for (const [name, resource] of [...resources]) {
      await attempt(name, () => refresh(name, resource));
    }
    await refreshAll(extensions);
    await refreshAll(autoExtensions);
    // If a read fails, the run fails before it changes anything.
    if (report.failures.size > 0) return report;
  }
  await Promise.all(
    [...program.orders].map(([name, one]) => attempt(name, () => deploy(name, one))),
  );
  await Promise.all([deployAll(extensions), deployAll(autoExtensions)]);
  if (program.orders.size === 0) report.isChecked = true;
  if (options.previewOnly) return report;
  await removeUndeclared(extensions, () => undefined);
  await removeUndeclared(autoExtensions, (outputs) => report.switchedOff.push(outputs));
  await removeReplaced(extensions);
  await removeReplaced(autoExtensions);
  for (const resource of [...replaced]) {
    await attempt("replaced", async () => {
      await remove("replaced", resource);
      replaced.splice(replaced.indexOf(resource), 1);
      options.onReleased(namesOf(resource.outputs));
    });
  }
  const undeclared = [...resources].filter(([name]) => !program.orders.has(name));
  await Promise.all(
    undeclared.map(([name, resource]) =>
      attempt(name, async () => {
        await remove(name, resource);
        resources.delete(name);
        options.onReleased(namesOf(resource.outputs));
      }),
    ),
  );
  return report;
}

/** Every number and id by which a resource's orders are known. */
export function namesOf({ orderNumber, orderIds, purchases }: OrderState): string[] {
  return [orderNumber, ...orderIds, ...purchases.map((purchase) => purchase.orderNumber)];
}

function explain(failures: readonly InputFailure[]): string {
  return failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
}

export function copyOf({
  resources,
  replaced,
  extensions,
  replacedExtensions,
  autoExtensions,
  replacedAutoExtensions,
}: StackState): StackState {
  return {
    resources: new Map(resources),
    replaced: [...replaced],
    extensions: new Map(extensions),
    replacedExtensions: [...replacedExtensions],
    autoExtensions: new Map(autoExtensions),
    replacedAutoExtensions: [...replacedAutoExtensions],
  };
}
