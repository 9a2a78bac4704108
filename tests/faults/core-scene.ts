import { createClient } from "../../provider/client/index.ts";
import { type AccountSettings, openAccount } from "../../provider/core/account.ts";
import { DeliveryPendingError } from "../../provider/core/order/apply/delivery.ts";
import { createOrderLifecycle, type OrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import type { Presence } from "../../provider/core/ports.ts";
import { openFileJournal } from "../../provider/journals/file/file-journal.ts";
import { journalFolder } from "../../provider/journals/file/folders.ts";
import { createHeartbeats } from "../../provider/journals/file/heartbeats.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { USUAL_DEADLINE_MS } from "../support/deadlines.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { usualSettings } from "../support/usual-settings.ts";
import { createFastClock, type FastClock, machineClock } from "./fast-clock.ts";
import { heldNumbers, type Outcome, type Scene } from "./invariants.ts";

/** The arguments of each order that differ from the usual ones, by name. */
export type Program = Readonly<Record<string, object>>;

/** What the engine keeps of an order. */
export interface Kept {
  inputs: unknown;
  outputs: OrderState;
}

export interface CoreSceneOptions {
  /** @default one usual order */
  program?: Program;
  simulator?: SimulatorOptions;
  settings?: Partial<AccountSettings>;
  /**
   * Deadline of one call, by the machine's clock. The provider itself counts with its usual deadline. @default 20000
   */
  timeoutMs?: number;
  /** How far this machine's clock is ahead of the service's. @default 0 */
  skewMs?: number;
  /** @default a folder of its own */
  journalDir?: string;
  /** Gives the address at which the provider calls the simulator. @default the simulator's own */
  reach?: (baseUrl: string) => string | Promise<string>;
}

/**
 * The core over real HTTP with real journal files, and as much of an engine as a row needs. This engine makes the same
 * calls as the real one, in the same order, and keeps the same data.
 */
export interface CoreScene extends Scene {
  readonly clock: FastClock;
  /** What is kept of each order, by name. */
  readonly kept: ReadonlyMap<string, Kept>;
  rewrite(program: Program): void;
  /** Makes the engine lose all that it has kept. */
  forget(): void;
  /** Spends nothing, and returns the checked inputs by name. */
  preview(): Promise<Outcome & { checked: ReadonlyMap<string, Partial<CheckedOrder>> }>;
  up(): Promise<Outcome>;
  /** Removes orders that are gone from what is kept. An order that can't be read stays as it is. */
  refresh(): Promise<Outcome>;
}

/** Makes an account, its simulator and an empty stack, which end with the test. */
export async function createCoreScene(options: CoreSceneOptions = {}): Promise<CoreScene> {
  const { timeoutMs = USUAL_DEADLINE_MS, skewMs = 0 } = options;
  const clock = createFastClock();
  const simulator = await startForTest({ now: clock.now, ...options.simulator });
  const openingBalance = simulator.balance();
  const journalDir = options.journalDir ?? (await makeTemporaryFolder());
  const baseUrl = (await options.reach?.(simulator.baseUrl)) ?? simulator.baseUrl;
  const ownClock = { ...clock, now: () => new Date(clock.now().getTime() + skewMs) };
  const kept = new Map<string, Kept>();
  const outcomes: Outcome[] = [];
  /** Runs that are under way. A heartbeat does not tell, because it goes on after a run in this process has ended. */
  const alive = new Set<string>();
  let program = options.program ?? { fleet: {} };

  /** Runs one process of the provider. It opens the account anew, and knows only the journal and the state. */
  async function run(
    work: (orders: OrderLifecycle, fail: (error: unknown) => void) => Promise<void>,
  ) {
    const said: string[] = [];
    const failures: string[] = [];
    const service = createClient({
      ...{ baseUrl, apiKey: simulator.apiKey, timeoutMs },
      chance: { random: () => 0.5, nowMs: () => performance.now(), sleep: clock.sleep },
    });
    const place = { journalDir, baseUrl, project: "/project" };
    // Heartbeats use the times of the file system, which skips no wait.
    const heartbeats = createHeartbeats(journalFolder(journalDir, baseUrl), machineClock);
    const presence: Presence = {
      ...heartbeats,
      isAlive: async (runId) => alive.has(runId),
      isGone: async (holder, now) => !alive.has(holder.runId) || heartbeats.isGone(holder, now),
    };
    const journal = openFileJournal({ ...place, presence }, ownClock);
    const log = {
      info: (line: string) => said.push(line),
      progress: (line: string) => said.push(line),
      remark: (_owner: string, line: string) => said.push(line),
      warn: (line: string) => said.push(line),
    };
    const account = openAccount({
      ...{ service, clock: ownClock, log, settings: { ...usualSettings, ...options.settings } },
      journal,
    });
    alive.add(journal.runId);
    const beganMs = clock.elapsedMs();
    await work(createOrderLifecycle(account), (error) => failures.push(messageOf(error)));
    const tookMs = clock.elapsedMs() - beganMs;
    await account.journal.putAway();
    alive.delete(journal.runId);
    await service.close();
    const outcome = {
      failed: failures.length > 0,
      text: [...said, ...failures].join("\n"),
      tookMs,
    };
    outcomes.push(outcome);
    return outcome;
  }

  async function check(orders: OrderLifecycle, name: string, args: object) {
    const { checked, failures } = await orders.check(
      ownerOf(name),
      kept.get(name)?.inputs,
      given(args),
    );
    if (failures.length === 0) return checked;
    throw new Error(failures.map(({ property, reason }) => `${property} ${reason}`).join("; "));
  }

  async function apply(orders: OrderLifecycle, name: string, args: object): Promise<void> {
    const inputs = await check(orders, name, args);
    const before = kept.get(name);
    try {
      const outputs = before
        ? await edit(orders, before, inputs)
        : await orders.create(asSaved(inputs));
      keep(name, inputs, outputs);
    } catch (error) {
      if (error instanceof DeliveryPendingError) keep(name, inputs, error.state);
      throw error;
    }
  }

  const keep = (name: string, inputs: unknown, outputs: OrderState) =>
    kept.set(name, { inputs: asSaved(inputs), outputs: asSaved(outputs) });

  const forEach = (
    visit: (name: string, args: object) => Promise<void>,
    fail: (error: unknown) => void,
  ) => Promise.all(Object.entries(program).map(([name, args]) => visit(name, args).catch(fail)));

  const scene: CoreScene = {
    ...{ simulator, openingBalance, journalDir, clock, kept, outcomes },

    rewrite: (next) => {
      program = next;
    },

    forget: () => kept.clear(),

    async preview() {
      const checked = new Map<string, Partial<CheckedOrder>>();
      const outcome = await run(async (orders, fail) => {
        await forEach(async (name, args) => {
          const inputs = await check(orders, name, args);
          checked.set(name, inputs);
          const before = kept.get(name);
          if (before) await orders.diff(before.outputs, inputs, new Set());
        }, fail);
      });
      return { ...outcome, checked };
    },

    up: () =>
      run(async (orders, fail) => {
        await forEach((name, args) => apply(orders, name, args), fail);
      }),

    refresh: () =>
      run(async (orders, fail) => {
        await forEach(async (name) => {
          const before = kept.get(name);
          if (before === undefined) return;
          const found = await orders.read(before.outputs);
          if (found.kind === "gone") kept.delete(name);
          else keep(name, found.drift ?? before.inputs, found.state);
        }, fail);
      }),

    async state() {
      const outputs = Array.from(kept.values(), (one) => one.outputs);
      const plain = outputs.map(({ credentials: _secret, urls: _too, ...rest }) => rest);
      const inputs = Array.from(kept.values(), (one) => one.inputs);
      const held = outputs.flatMap(heldNumbers);
      return { held, text: JSON.stringify([plain, inputs]) };
    },

    rerun: () => scene.up(),

    async isSettled() {
      const { failed, checked } = await scene.preview();
      const effects = Array.from(checked.values(), ({ quote }) => quote?.effect);
      return !failed && effects.every((effect) => effect === "none" || effect === "adopt");
    },
  };
  return scene;
}

async function edit(orders: OrderLifecycle, before: Kept, inputs: Partial<CheckedOrder>) {
  const change = await orders.diff(before.outputs, inputs, new Set());
  if (change.kind === "none") return before.outputs;
  if (change.kind === "update") return orders.update(before.outputs, asSaved(inputs));
  throw new Error("this stage knows no replacements");
}

/** The value as it comes back from a file. */
function asSaved<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The only order of the account, as the simulator has it. */
export function onlyOrder(simulator: Simulator) {
  const [order, ...others] = simulator.orders();
  if (order === undefined || others.length > 0) throw new Error("there is not exactly one order");
  return order;
}
