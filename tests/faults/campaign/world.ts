import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scheduler } from "fast-check";
import type { Locks } from "../../../provider/core/journal/locks.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator/index.ts";
import { beginAccountRun } from "../../support/account.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { type Failures, namesOf, type RunReport, runEngine, type StackState } from "./engine.ts";
import { beginLife } from "./mortality.ts";

/** What the program says of one resource. */
export interface ResourceArgs {
  country: string;
  quantity: number;
  allowReplacement?: boolean;
  adoptOrderNumber?: string;
}

/** How a run goes. */
export interface RunPlan {
  refresh: boolean;
  previewOnly: boolean;
  /** After how many steps it is killed; undefined for never. */
  killedAfter?: number | undefined;
}

/** What must never be. */
export interface Verdict {
  /** Orders that were paid while the resource had one already, or an earlier one was still to be found. */
  duplicates: string[];
  /** Orders that were paid and that nobody is told of. */
  unreported: string[];
  /** Any other promise that was broken. */
  broken: string[];
}

/** One account, one machine, one stack, and what is true of them. */
export interface World {
  readonly simulator: Simulator;
  readonly clock: VirtualClock;
  readonly program: Map<string, ResourceArgs>;
  readonly stack: StackState;
  readonly foreignOrders: Set<string>;
  readonly goneOrders: Set<string>;
  readonly verdict: Verdict;
  /** Undefined where the run was killed. */
  run(plan: RunPlan): Promise<RunReport | undefined>;
  /** The orders of a resource that are paid, not ended, and not let go. */
  livingOrders(name: string): string[];
  /** How many proxies a resource would buy now. */
  missingOf(name: string): number;
  /** Every number and id that the stack knows. */
  known(): Set<string>;
  /** A person, or the program, has let an order go. */
  release(orderNumber: string): void;
  /** Every intent that remains open, changed by a person who has looked at the account. */
  journal(): ReturnType<typeof beginAccountRun>["account"]["journal"];
  /** The next run is on another machine. */
  loseJournal(): Promise<void>;
  end(): Promise<void>;
}

/** Without its journal a run knows what the account shows, and a service in trouble shows nothing. */
function isBlind(failure: string): boolean {
  return /^(SERVICE|LISTING)_/.test(failure);
}

/** In real time; so long that no call of a schedule is ever given up, however busy this machine is. */
const CALL_TIMEOUT_MS = 30_000;

const MINUTE_MS = 60_000;

/**
 * A week, the most there is: with less, a machine without its journal that comes back later than that buys
 * what it can't know of.
 */
const LOOK_BACK_MINUTES = 7 * 24 * 60;

/** One run at a time, and whoever was killed is gone: what locks do between processes is tested with processes. */
const uncontested: Locks = {
  holdRun: async () => undefined,
  isRunAlive: async () => false,
  withAccount: (_waitMs, work) => work({ contended: false, assertHeld: () => undefined }),
};

/** Makes a world with an empty stack. `folder` is where its journals are kept. */
export async function createWorld(
  scheduler: Scheduler,
  folder: string,
  options: SimulatorOptions,
): Promise<World> {
  const clock = createVirtualClock();
  const simulator = await startSimulator({ ...options, now: clock.now, balance: "100000.00" });
  const program = new Map<string, ResourceArgs>();
  const stack: StackState = { resources: new Map(), replaced: [] };
  const foreignOrders = new Set<string>();
  const goneOrders = new Set<string>();
  const released = new Set<string>();
  const verdict: Verdict = { duplicates: [], unreported: [], broken: [] };
  let journalsLost = 0;
  let journalDir = join(folder, randomUUID());
  await mkdir(journalDir, { recursive: true });

  const begin = (life?: ReturnType<typeof beginLife>) =>
    beginAccountRun({
      simulator,
      journalDir,
      clock: life ? life.mortalClock(clock) : clock,
      callTimeoutMs: CALL_TIMEOUT_MS,
      locks: uncontested,
      settings: { foreignOrders, goneOrders, lookBackMinutes: LOOK_BACK_MINUTES },
      ...(life ? { interpose: life.interpose } : {}),
    });

  function livingOrders(name: string): string[] {
    const ended = new Set(
      simulator
        .proxies()
        .flatMap(({ orderNumber, state }) => (state === "expired" ? orderNumber : [])),
    );
    return simulator
      .orders()
      .filter(({ goal, origin }) => origin === "api" && goal === name)
      .map(({ orderNumber }) => orderNumber)
      .filter((orderNumber) => !ended.has(orderNumber) && !released.has(orderNumber));
  }

  function known(): Set<string> {
    const states = [...stack.resources.values(), ...stack.replaced].map(({ outputs }) => outputs);
    return new Set(states.flatMap(namesOf));
  }

  /**
   * A machine without its journal knows nothing of an order that the program no longer asks for: a person
   * finds it by `proxyrental orphans`.
   */
  function listOrphans(): void {
    if (journalsLost === 0) return;
    const inState = known();
    for (const { orderNumber, orderId, goal, country, quantity } of simulator.orders()) {
      const isWanted = program.get(goal)?.country === country && missingOf(goal) === quantity;
      if (!isWanted && !inState.has(orderNumber) && !inState.has(orderId))
        released.add(orderNumber);
    }
  }

  /** How many proxies a resource would buy now. */
  function missingOf(name: string): number {
    const held = stack.resources.get(name)?.inputs.holdings.held ?? 0;
    return (program.get(name)?.quantity ?? 0) - held;
  }

  /** Every paid order is in the state, in the journal, or in what the run said. */
  async function findUnreported(said: string, failures: Failures): Promise<string[]> {
    if (journalsLost > 0 && [...failures.values()].some(isBlind)) return [];
    const open = await begin().account.journal.readOpen();
    const inState = known();
    const tells = (orderNumber: string, orderId: string, name: string) =>
      inState.has(orderNumber) ||
      inState.has(orderId) ||
      said.includes(orderNumber) ||
      said.includes(orderId) ||
      open.some(
        (intent) =>
          intent.orderNumber === orderNumber ||
          intent.orderIds?.includes(orderId) ||
          (intent.orderNumber === undefined && intent.owner.endsWith(`::${name}`)),
      );
    return simulator
      .orders()
      .filter(({ goal, orderNumber }) => livingOrders(goal).includes(orderNumber))
      .filter(({ goal, orderNumber, orderId }) => !tells(orderNumber, orderId, goal))
      .map(({ orderNumber, goal }) => `${orderNumber} of ${goal}`);
  }

  /** How many proxies in each country each resource's living orders have brought. */
  function countLiving(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { goal, country, quantity, orderNumber } of simulator.orders()) {
      if (!livingOrders(goal).includes(orderNumber)) continue;
      const kind = `${goal} in ${country}`;
      counts.set(kind, (counts.get(kind) ?? 0) + quantity);
    }
    return counts;
  }

  /** A run may bring a resource to what the program says, and never beyond; what replaces is another thing. */
  function noteDuplicates(before: ReadonlyMap<string, number>): void {
    for (const [kind, count] of countLiving()) {
      const had = before.get(kind) ?? 0;
      const [name = ""] = kind.split(" ");
      const wanted = program.get(name)?.quantity;
      // Nobody asks for it any more: what an earlier run has sent was carried out late.
      if (wanted === undefined) continue;
      if (count > Math.max(had, wanted)) {
        verdict.duplicates.push(
          `${kind}: ${count} proxies are paid, ${wanted} wanted, ${had} were`,
        );
      }
    }
  }

  return {
    simulator,
    clock,
    program,
    stack,
    foreignOrders,
    goneOrders,
    verdict,
    livingOrders,
    missingOf,
    known,
    release: (orderNumber) => void released.add(orderNumber),
    journal: () => begin().account.journal,

    async run({ refresh, previewOnly, killedAfter }) {
      listOrphans();
      const life = beginLife(scheduler, killedAfter);
      const before = countLiving();
      const chargesBefore = simulator.ledger().filter(({ origin }) => origin === "api").length;
      const postsBefore = simulator.requestCounts().createOrder;
      const run = begin(life);
      const args = new Map(
        [...program].map(([name, given]) => [
          name,
          { proxyType: "IPv4", rentPeriodDays: 30, goal: name, ...given },
        ]),
      );
      const going = runEngine(run, life, stack, args, { refresh, previewOnly });
      const report = await Promise.race([scheduler.waitFor(going), life.ended]);
      const outcome = report === "killed" ? undefined : report;
      for (const name of outcome?.released ?? []) {
        const order = simulator
          .orders()
          .find((one) => [one.orderNumber, one.orderId].includes(name));
        // One that was taken over under its other name is still held.
        const isHeld = order && (known().has(order.orderId) || known().has(order.orderNumber));
        if (order && !isHeld) released.add(order.orderNumber);
      }
      noteDuplicates(before);
      const charges = simulator.ledger().filter(({ origin }) => origin === "api");
      if (previewOnly && simulator.requestCounts().createOrder > postsBefore) {
        verdict.broken.push("a preview has sent an order");
      }
      if (outcome && !previewOnly) {
        const said = [...outcome.failures.values(), ...run.lines].join("\n");
        listOrphans();
        verdict.unreported.push(...(await findUnreported(said, outcome.failures)));
        const spent = charges
          .slice(chargesBefore)
          .reduce((sum, { price }) => sum + Number(price), 0);
        const quoted = [...outcome.quoted.values()].reduce((sum, price) => sum + price, 0);
        // What was sent in an earlier run may be charged in this one.
        const late = simulator.faultsHit() > 0;
        if (spent > quoted + 0.001 && !late)
          verdict.broken.push(`spent ${spent}, quoted ${quoted}`);
      }
      return outcome;
    },

    async loseJournal() {
      journalsLost += 1;
      await rm(journalDir, { recursive: true, force: true, maxRetries: 10 });
      journalDir = join(folder, randomUUID());
      await mkdir(journalDir, { recursive: true });
      // A new machine takes its time, and sees only what is charged and listed by then.
      clock.advance(5 * MINUTE_MS);
    },

    async end() {
      await simulator.stop();
      await rm(journalDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
