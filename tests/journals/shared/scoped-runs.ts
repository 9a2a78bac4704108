import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { DeliveryPendingError } from "../../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/model/state.ts";
import { JournalError, type RunIdentity } from "../../../provider/core/ports.ts";
import type { Intent } from "../../../provider/core/records/intent.ts";
import type { Effect } from "../../../provider/core/values/effect.ts";
import { nameOf } from "../../../provider/core/values/owner.ts";
import { remember } from "../../../provider/core/values/remember.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { Simulator, SimulatorOptions } from "../../../simulator/index.ts";
import { createMemoryStore, type MemoryStore } from "../../core/support/memory-store.ts";
import { startForTest } from "../../simulator/start.ts";
import {
  type AccountRun,
  type AccountRunOptions,
  beginAccountRun,
  type Interposition,
} from "../../support/account.ts";
import { nobodyElse } from "../../support/presence.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { planOrder } from "./shared-run.ts";

export const HOUR_MS = 3_600_000;

/** The journals that runs may have together. */
export const journalKinds = ["shared", "local"] as const;

/** A part of `pulumi up`, or of `pulumi preview`. */
function identity(command: "preview" | "up", phase: "preview" | "update"): RunIdentity {
  return { run: undefined, command, commandId: undefined, phase: () => phase };
}

export const previewing = identity("preview", "preview");

const applying = identity("up", "update");

/** One run whose processes tell each other what they have met, as where some resources have a provider of their own. */
export const oneRun: RunIdentity = {
  ...identity("up", "update"),
  ...{ run: "127.0.0.1:1", commandId: "1" },
};

interface RunOptions {
  interpose?: Interposition;
  run?: RunIdentity;
  settings?: AccountRunOptions["settings"];
}

/** Runs of stacks of one name that share an account and a journal. */
export interface ScopedRuns {
  simulator: Simulator;
  clock: VirtualClock;
  /** The store of a shared journal. */
  raw: MemoryStore;
  /** Begins a run of the stack of this `journalScope`. */
  begin(scope: string, options?: RunOptions): Promise<AccountRun>;
}

/** Makes runs that share a journal. If that is in a store, each run is on a machine and in a folder of its own. */
export async function makeRuns(
  kind: (typeof journalKinds)[number],
  options: SimulatorOptions = {},
): Promise<ScopedRuns> {
  const clock = createVirtualClock();
  const simulator = await startForTest({ ...options, now: clock.now });
  const raw = createMemoryStore(clock.now);
  const home = await makeTemporaryFolder();
  let machines = 0;
  const onMachine = async () => {
    machines += 1;
    return { journalDir: await makeTemporaryFolder(), project: `/checkout-${machines}` };
  };
  return {
    ...{ simulator, clock, raw },
    begin: async (scope, { interpose = {}, run = applying, settings = {} } = {}) =>
      beginAccountRun({
        ...{ simulator, clock, interpose, scope, run, settings },
        // All runs are in one process, so a killed one would seem to go on.
        ...(kind === "local" ? { journalDir: home, presence: nobodyElse } : await onMachine()),
        openJournal: (place, own) =>
          kind === "local"
            ? openFileJournal(place, own)
            : openSharedJournal(
                { documents: openDocuments(raw, own), isProbed: false },
                place,
                own,
              ),
      }),
  };
}

/** An order as the engine knows it. */
export interface BoughtOrder {
  checked: CheckedOrder;
  state: OrderState;
}

interface MakingOptions extends Pick<RunOptions, "interpose"> {
  name?: string;
  args?: object;
  /** Whether its run ends in the ordinary way. If not, it is killed when the engine has saved what was made. */
  endsInOrder?: boolean;
}

/** A run that makes a resource. Throws if its plan has another effect. */
export async function make(
  { begin, clock }: ScopedRuns,
  scope: string,
  effect: Effect,
  { name = "fleet", args = {}, interpose = {}, endsInOrder = true }: MakingOptions = {},
): Promise<BoughtOrder> {
  const run = await begin(scope, { interpose });
  const checked = await planOrder(run, name, args);
  if (checked.quote.effect !== effect) throw new Error(`it would ${checked.quote.effect}`);
  const state = await run.orders.create(checked);
  if (endsInOrder) await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return { checked, state };
}

/** Buys an order in a run that ends in the ordinary way. */
export function buy(
  runs: ScopedRuns,
  scope: string,
  {
    name = "fleet",
    interpose = {},
    ...args
  }: Pick<RunOptions, "interpose"> & {
    name?: string;
    quantity?: number;
    country?: string;
  } = {},
): Promise<BoughtOrder> {
  return make(runs, scope, "buy", { name, args, interpose });
}

/** Buys an order in a run that is killed before the engine has it, right after this phase is written down. */
export async function buyAndDie(
  { begin, clock }: ScopedRuns,
  scope: string,
  { interpose = {}, at = "returned" }: { interpose?: Interposition; at?: Intent["phase"] } = {},
): Promise<void> {
  const death = Promise.withResolvers<void>();
  const run = await begin(scope, {
    interpose: {
      ...interpose,
      store: (real) => ({
        ...real,
        async replace(next, ...rest) {
          await real.replace(next, ...rest);
          if (next.phase !== at) return;
          death.resolve();
          await new Promise(() => undefined);
        },
      }),
    },
  });
  run.orders.create(await planOrder(run, "fleet")).catch(death.reject);
  await death.promise;
  clock.advance(HOUR_MS);
}

/** A run that finds the order in its state, and has nothing to do. */
export async function goOn(
  run: AccountRun,
  { checked, state }: BoughtOrder,
  name = "fleet",
  args: object = {},
): Promise<void> {
  const again = await planOrder(run, name, args, checked);
  if (again.quote.effect !== "none") throw new Error(`it would ${again.quote.effect}`);
  await run.orders.diff(state, again, new Set());
  await run.account.journal.endRun();
}

/** What a run of the stack plans whose state is lost, or why it plans nothing. */
export async function planAnew(
  { begin, clock }: ScopedRuns,
  scope: string,
  name = "fleet",
): Promise<string> {
  clock.advance(HOUR_MS);
  return planOrder(await begin(scope), name).then(
    ({ quote }) => quote.effect,
    ({ message }: Error) => message,
  );
}

/** All purchases, as a run without a scope sees them. */
export async function readPurchases({ begin }: ScopedRuns): Promise<Intent[]> {
  return (await begin("")).account.journal.readAll();
}

/** Whose each purchase is, and its phase. */
export async function readPhases(runs: ScopedRuns): Promise<string[]> {
  return (await readPurchases(runs)).map(({ owner, phase }) => `${nameOf(owner)} ${phase}`);
}

/** The store is away while these are written, and back a moment later. */
export function awayFor(isMissed: (next: Intent) => boolean): Interposition {
  return {
    store: (real) => ({
      ...real,
      async replace(next, ...rest) {
        if (isMissed(next)) throw new JournalError("unavailable", "the store is away");
        await real.replace(next, ...rest);
      },
    }),
  };
}

/** Nothing is written down after the order is sent. */
export const unwritten = awayFor(({ phase }) => phase !== "sending");

/** The service tells this number for the next order, whatever its own is. */
export const tells = (orderNumber: string): Interposition => ({
  service: (real) => ({
    ...real,
    createOrder: async (...call) => ({ ...(await real.createOrder(...call)), orderNumber }),
  }),
});

/** Something that happens when the service has taken an order, and the run has not heard it yet. */
export function afterOrdering(happen: () => unknown): Interposition {
  return {
    service: (real) => ({
      ...real,
      async createOrder(...call) {
        const answer = await real.createOrder(...call);
        await happen();
        return answer;
      },
    }),
  };
}

/** The order is placed, and the run is killed before it hears of that. Gives the owner. */
export async function sendAndDie({ begin }: ScopedRuns, scope: string): Promise<string> {
  const death = Promise.withResolvers<void>();
  const run = await begin(scope, {
    interpose: afterOrdering(() => {
      death.resolve();
      return new Promise(() => undefined);
    }),
  });
  const checked = await planOrder(run, "fleet");
  run.orders.create(checked).catch(death.reject);
  await death.promise;
  return checked.owner;
}

/** A run in which the resource has another name, by an alias. */
export async function rename(
  { begin }: ScopedRuns,
  scope: string,
  { checked, state }: BoughtOrder,
  name: string,
): Promise<void> {
  const run = await begin(scope);
  const owner = checked.owner.replace(/fleet$/, name);
  await run.orders.diff(state, { ...checked, owner }, new Set());
  await run.account.journal.endRun();
}

/** A resource takes an order over, as the program says. */
export function adopt(
  runs: ScopedRuns,
  scope: string,
  name: string,
  adoptOrderNumber: string,
  more: object = {},
): Promise<BoughtOrder> {
  return make(runs, scope, "adopt", { name, args: { adoptOrderNumber, ...more } });
}

/** A run that imports an order. */
export async function importOrder(
  { begin }: ScopedRuns,
  owner: string,
  orderNumber: string,
  interpose: Interposition = {},
): Promise<BoughtOrder> {
  const run = await begin("", { interpose });
  const { inputs, state } = await run.orders.import(owner, orderNumber);
  await run.account.journal.endRun();
  return { checked: inputs, state };
}

/** A run that deletes a resource. */
export async function remove(
  { begin, clock }: ScopedRuns,
  scope: string,
  { state }: Pick<BoughtOrder, "state">,
  interpose: Interposition = {},
): Promise<void> {
  const run = await begin(scope, { interpose });
  await run.orders.delete(state);
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
}

/** A run in which the quantity is another one. */
export async function resize(
  { begin, clock }: ScopedRuns,
  scope: string,
  order: BoughtOrder,
  quantity: number,
  name = "fleet",
): Promise<BoughtOrder> {
  const run = await begin(scope);
  const resized = await resizeIn(run, order, quantity, name);
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return resized;
}

/** What such a run does. */
export async function resizeIn(
  { orders }: AccountRun,
  { checked, state }: BoughtOrder,
  quantity: number,
  name = "fleet",
): Promise<BoughtOrder> {
  const next = await planOrder({ orders }, name, { quantity }, checked);
  await orders.diff(state, next, new Set());
  return { checked: next, state: await orders.update(state, next) };
}

/** How many orders a run buys whose state is lost. It may be refused. */
export async function buysAnew(
  { begin, clock, simulator }: ScopedRuns,
  scope: string,
  name = "fleet",
  more: object = {},
): Promise<number> {
  clock.advance(2 * HOUR_MS);
  const before = simulator.orders().length;
  const run = await begin(scope);
  await planOrder(run, name, more)
    .then((checked) => run.orders.create(checked))
    .catch(() => undefined);
  return simulator.orders().length - before;
}

/** Buys an order that is not found in the listing in time. */
export async function buyPending(
  { begin, clock }: ScopedRuns,
  scope: string,
  interpose: Interposition,
  name = "fleet",
): Promise<BoughtOrder> {
  const run = await begin(scope, { interpose });
  const checked = await planOrder(run, name);
  const state = await run.orders.create(checked).catch(savedState);
  if (state.status !== "pendingDelivery") throw new Error("it has arrived");
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return { checked, state };
}

/** What the next `pulumi up` makes of an order that has not arrived. */
export async function upAgain(
  { begin }: ScopedRuns,
  scope: string,
  { checked, state }: BoughtOrder,
  name = "fleet",
): Promise<BoughtOrder> {
  const run = await begin(scope);
  const again = await planOrder(run, name, {}, checked);
  const { kind } = await run.orders.diff(state, again, new Set());
  if (kind !== "update") throw new Error(`it would ${kind}`);
  const next = await run.orders.update(state, again).catch(savedState);
  await run.account.journal.endRun();
  return { checked, state: next };
}

/** The engine saves what an operation that fails has told. */
function savedState(failure: unknown): OrderState {
  if (failure instanceof DeliveryPendingError) return failure.state;
  throw failure;
}

/** An order that somebody makes without the provider. Gives its number. */
export async function orderByHand(
  runs: ScopedRuns,
  quantity = 5,
  country = "DEU",
): Promise<string> {
  const orderNumber = await orderAtOnce(runs, quantity, country);
  runs.clock.advance(HOUR_MS);
  return orderNumber;
}

/** The same, without any time that passes. */
export async function orderAtOnce(
  { begin }: Pick<ScopedRuns, "begin">,
  quantity: number,
  country: string,
): Promise<string> {
  const request = { quantity, country, rentPeriodDays: 30, goal: "by hand" } as const;
  const { service } = (await begin("")).account;
  const { orderNumber } = await service.createOrder(
    { ...request, proxyType: "IPv4", authType: "LOGIN" },
    { beforeSend: () => 30_000 },
  );
  return orderNumber;
}

/** Switches the automatic extension of an order on, by hand. */
export async function switchOn(
  { begin, simulator }: ScopedRuns,
  orderNumber: string,
): Promise<void> {
  const order = simulator.orders().find((one) => one.orderNumber === orderNumber);
  const { service } = (await begin("")).account;
  await service.setAutoExtension({
    ...{ proxyType: "IPv4", rentPeriodDays: 30, autoExtend: true },
    ipAddressIds: order?.ipAddressIds ?? [],
  });
}

/** How many proxies extend themselves. */
export function countRenewing({ simulator }: Pick<ScopedRuns, "simulator">): number {
  return simulator.proxies().filter(({ autoExtend }) => autoExtend).length;
}

/** A resource has adopted the order of another one by mistake. Both were seen to have it since. */
export async function ownTwice(kind: (typeof journalKinds)[number], orderNumber: string) {
  const runs = await makeRuns(kind);
  const fleet = await buy(runs, "");
  await switchOn(runs, orderNumber);
  const keeper = await adopt(runs, "", "keeper", orderNumber);
  await goOn(await runs.begin(""), keeper, "keeper");
  await goOn(await runs.begin(""), fleet);
  return { runs, fleet, keeper };
}

/** A port of which one method is called only after something has happened. */
export function before<Port extends object>(
  real: Port,
  method: keyof Port,
  happen: () => unknown,
): Port {
  const call = real[method] as (...args: unknown[]) => unknown;
  return {
    ...real,
    async [method](...args: unknown[]) {
      await happen();
      return call(...args);
    },
  };
}

/**
 * The journal can't be read, or changes of purchases not be written down.
 * @param isNow at which of these calls, the first being 1. @default at each
 */
export function journalAway(
  method: "readAll" | "replace",
  isNow: (call: number) => boolean = () => true,
): Interposition {
  let calls = 0;
  const count = () => {
    calls += 1;
    if (isNow(calls)) throw new JournalError("unavailable", "the store is away");
  };
  return { store: (real) => before(real, method, count) };
}

/** The proxies of an order arrive so late that its buyer has seen none of them by the end of its run. */
export const slow: SimulatorOptions = { deliveryDelayMs: 3_000_000 };

/** Something that happens once, before a run reads the listing for the first time. */
export function onceListed(happen: () => Promise<unknown>): Interposition {
  const once = remember(happen);
  return { service: (real) => before(real, "listProxies", once) };
}

/** The same before it switches automatic extension. */
export function onceSwitching(happen: () => Promise<unknown>): Interposition {
  const once = remember(happen);
  return { service: (real) => before(real, "setAutoExtension", once) };
}

/** The same before it writes a change of a purchase down. */
export function onceWriting(happen: () => Promise<unknown>): Interposition {
  const once = remember(happen);
  return { store: (real) => before(real, "replace", once) };
}

/** The same before it reads the journal. */
export function onceReading(happen: () => Promise<unknown>): Interposition {
  const once = remember(happen);
  return { store: (real) => before(real, "readAll", once) };
}

/** The service refuses to switch automatic extension. */
export const refusesSwitches: Interposition = {
  service: (real) => ({ ...real, setAutoExtension: () => Promise.reject(new Error("refused")) }),
};
