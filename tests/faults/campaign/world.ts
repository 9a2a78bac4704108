import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scheduler } from "fast-check";
import { type RunIdentity, unknownRun } from "../../../provider/core/ports.ts";
import { namesOf as namesInJournal } from "../../../provider/core/records/intent.ts";
import {
  type FaultRule,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../../simulator/index.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { namesOf, type RunReport, runEngine } from "./engine.ts";
import type { Families } from "./families.ts";
import { mentions } from "./mentions.ts";
import { beginLife, type EarlyEnd, type Lifespan, type Mortality } from "./mortality.ts";
import { beginProcess, type ProviderProcess } from "./process.ts";
import { beginSpending, createSpendingWatch } from "./spending-watch.ts";
import { createSteps } from "./steps.ts";
import { createTenant, type Tenant } from "./tenant.ts";
import { beginMarks, createVirtualLocks, type ProcessMarks } from "./virtual-locks.ts";

/** How a run goes. */
export interface RunPlan {
  refresh: boolean;
  /** `both` is an `up` that shows its preview first. */
  phases: "preview" | "update" | "both";
  /** After how many steps it is killed; undefined for never. */
  killedAfter?: number | undefined;
  /** At which step it is killed, by its label; undefined for none. */
  killedAt?: string | undefined;
  /** After how many steps of its update it is cancelled, and lives on; undefined for never. */
  cancelledAfter?: number | undefined;
  /** Whose run it is. @default the first one's */
  tenant?: number | undefined;
  /** What happens between its preview and its update. */
  between?: ((world: World) => void) | undefined;
}

/** What a run came to, with every word that was said. */
export interface RunOutcome extends RunReport {
  said: string;
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

/** What is so from the beginning. */
export interface WorldOptions {
  simulator: Pick<
    SimulatorOptions,
    "orderNumberDiffersFromOrderId" | "deliveryDelayMs" | "pageCap" | "idsChangeOnExtension"
  >;
  lookBackMinutes: number;
  maxSpend: number | undefined;
  /** By how much every `Date` header is ahead of the service's clock. */
  dateAheadMs: number;
  /** By how much this machine's clock is ahead of the service's. */
  clockAheadMs: number;
}

/** One service, one machine, the stacks on it, and what is true of them. */
export interface World {
  readonly simulator: Simulator;
  readonly clock: VirtualClock;
  readonly families: Families;
  /** One stack an account; all share the journal. */
  readonly tenants: readonly Tenant[];
  readonly verdict: Verdict;
  /** What every run has said, for whoever looks for the cause. */
  readonly transcript: readonly string[];
  /** Undefined where the run was killed or cancelled. */
  run(plan: RunPlan): Promise<RunOutcome | undefined>;
  addFaults(rules: readonly FaultRule[]): void;
  clearFaults(): void;
  /** From now on all prices are so many times those of the list. */
  setPrices(factor: number): void;
  /** From now on nothing limits what a run may spend. */
  liftLimit(): void;
  setClock(aheadMs: number): void;
  moveCheckout(): void;
  /** The journal as a person sees it who has looked at the account. */
  journal(): ProviderProcess["journal"];
  /** The next run is on another machine. */
  loseJournal(): Promise<void>;
  /**
   * Whether nobody has a record of an order since a journal was lost. That a listing hides such a one can't be noticed
   * by anybody, which README's limits say; so it is always shown.
   */
  isForgotten(row: { orderId: string }): boolean;
  /** Whoever was cancelled has done what it was about to do. */
  settleOrphans(): Promise<void>;
  end(): Promise<void>;
}

/** Without its journal a run knows what the account shows, and a service in trouble shows nothing. */
function isBlind(failure: string): boolean {
  return /^(SERVICE|LISTING)_/.test(failure);
}

const MINUTE_MS = 60_000;

/** A week, the most there is. */
export const LONGEST_LOOK_BACK_MINUTES = 7 * 24 * 60;

const OPENING_BALANCE = 100_000;

/** What a person has typed, and which process does it. */
type Command = Pick<RunIdentity, "command" | "commandId">;

/** Makes a world with empty stacks. `folder` is where its journals are kept. */
export async function createWorld(
  scheduler: Scheduler,
  folder: string,
  families: Families,
  options: WorldOptions,
): Promise<World> {
  const clock = createVirtualClock();
  const simulator = await startSimulator({
    ...options.simulator,
    now: clock.now,
    balance: OPENING_BALANCE,
    catalogue: { promoCodes },
  });
  const serviceTime = () => new Date(clock.now().getTime() + options.dateAheadMs);
  const main = createTenant(simulator, "dev", serviceTime);
  const second = () => simulator.openAccount({ balance: OPENING_BALANCE });
  const tenants = families.has("accounts")
    ? [main, createTenant(second(), "other", serviceTime)]
    : [main];
  const verdict: Verdict = { duplicates: [], unreported: [], broken: [] };
  const transcript: string[] = [];
  const { lookBackMinutes } = options;
  const locks = createVirtualLocks();
  const steps = createSteps(scheduler);
  const orphans = new Map<Mortality, ProcessMarks>();
  const watches = new Map(
    tenants.map((tenant) => [
      tenant,
      createSpendingWatch({
        account: tenant.account,
        clock,
        owners: tenant.owners,
        priceMoves: () => priceMoves,
        blame: (wrong) => verdict.broken.push(wrong),
      }),
    ]),
  );
  let { maxSpend, clockAheadMs } = options;
  let priceMoves = 0;
  let runs = 0;
  let checkouts = 0;
  let journalsLost = 0;
  const forgotten = new Set<string>();
  let journalDir = join(folder, randomUUID());
  await mkdir(journalDir, { recursive: true });

  const place = () => ({ simulator, journalDir, project: `/project-${checkouts}` });

  function ownClock(): VirtualClock {
    const aheadMs = clockAheadMs;
    return { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
  }

  function journal(): ProviderProcess["journal"] {
    const start = { apiKey: simulator.apiKey, clock: ownClock(), run: unknownRun, settings: {} };
    return beginProcess({
      ...place(),
      ...start,
      locks: locks.forProcess(clock, beginMarks()),
    }).journal;
  }

  /** All processes of one phase of a run. */
  function beginPhase(
    tenant: Tenant,
    life: Mortality,
    { command, phase }: { command: Command; phase: "preview" | "update" },
  ) {
    const marks = beginMarks();
    const mortal = life.mortalClock(ownClock());
    const spending = beginSpending(
      families.has("phases") ? new Map(tenant.shown) : new Map(),
      maxSpend,
    );
    const started: ProviderProcess[] = [];
    runs += 1;
    // Without the family of phases, previews leave no trace: then edits may be applied that none has shown.
    const told = families.has("phases") ? phase : "update";
    const run = { run: `127.0.0.1:${runs}`, ...command, phase: () => told };
    const start = () => {
      const process = beginProcess({
        ...place(),
        ...{ run, clock: mortal },
        apiKey: tenant.account.apiKey,
        locks: locks.forProcess(mortal, marks),
        settings: {
          foreignOrders: tenant.foreignOrders,
          goneOrders: tenant.goneOrders,
          lookBackMinutes,
          maxSpend,
        },
        interpose: {
          store: life.interpose.store,
          service: (real) =>
            life.interpose.service(watches.get(tenant)?.interpose(spending, real) ?? real),
        },
      });
      started.push(process);
      return process;
    };
    const first = start();
    const isSplit = families.has("providers");
    const second = isSplit ? start() : first;
    const processes = {
      refresh: isSplit ? start() : first,
      // Half of the resources name a provider of their own.
      of: (name: string) => (name.startsWith("b") ? second : first),
    };
    const said = () => started.flatMap(({ lines }) => lines).join("\n");
    // A slow computation, which is no file and no call: steps could not wait for it.
    const whoAreYou = () => Promise.all(started.map((process) => process.journal.accountId()));
    const endInOrder = () => Promise.all(started.map((process) => process.journal.endRun()));
    return { processes, marks, said, whoAreYou, endInOrder };
  }

  /**
   * A machine without its journal knows nothing of an order that the program no longer asks for: a person
   * finds it by `proxyrental orphans`.
   */
  function listOrphans({ account, program, known, missingOf, release }: Tenant): void {
    if (journalsLost === 0) return;
    const inState = known();
    for (const { orderNumber, orderId, goal, country, quantity } of account.orders()) {
      const isWanted = program.get(goal)?.country === country && missingOf(goal) === quantity;
      if (!isWanted && !inState.has(orderNumber) && !inState.has(orderId)) release(orderNumber);
    }
  }

  /** Every paid order is in the state, in the journal, or in what the run said. */
  async function findUnreported(
    { account, known, livingOrders, takenOut }: Tenant,
    { said, failures, isChecked }: RunOutcome,
  ): Promise<string[]> {
    // Without its journal a run names what it finds when it checks: one that failed at its refresh has not come so far.
    const isTold = isChecked && ![...failures.values()].some(isBlind);
    if (journalsLost > 0 && !isTold) return [];
    const open = await journal().readOpen();
    const all = await journal().readAll();
    const isKept = (name: string) => all.some((intent) => namesInJournal(intent).includes(name));
    const inState = known();
    const tells = (orderNumber: string, orderId: string, name: string) =>
      inState.has(orderNumber) ||
      inState.has(orderId) ||
      mentions(said, orderNumber) ||
      mentions(said, orderId) ||
      // Whoever took it out of the state knows of it, and the journal has it still.
      (takenOut.has(orderNumber) && isKept(orderNumber)) ||
      (takenOut.has(orderId) && isKept(orderId)) ||
      open.some(
        (intent) =>
          intent.orderNumber === orderNumber ||
          intent.orderIds?.includes(orderId) ||
          (intent.orderNumber === undefined && intent.owner.includes(`::${name}`)),
      );
    return account
      .orders()
      .filter(({ goal, orderNumber }) => livingOrders(goal).includes(orderNumber))
      .filter(({ goal, orderNumber, orderId }) => !tells(orderNumber, orderId, goal))
      .map(({ orderNumber, goal }) => `${orderNumber} of ${goal}`);
  }

  /** What the journal has paid and no state knows is named by every run that gets as far as to check. */
  async function findUnnamed(
    { account, known, livingOrders, owns, foreignOrders, takenOut }: Tenant,
    said: string,
  ): Promise<string[]> {
    const inState = known();
    // A run that was cancelled and lives on takes care of its purchases itself.
    const living = new Set([...orphans.values()].flatMap(({ runIds }) => [...runIds]));
    const paid = (await journal().readAll()).filter(
      ({ orderNumber, owner, runId }) =>
        orderNumber !== undefined && owns(owner) && !living.has(runId),
    );
    return account
      .orders()
      .filter(({ goal, orderNumber }) => livingOrders(goal).includes(orderNumber))
      .filter(({ orderNumber, orderId }) => {
        const names = [orderNumber, orderId];
        if (names.some((name) => inState.has(name) || mentions(said, name))) return false;
        if (foreignOrders.has(orderId)) return false;
        // Whoever took it out of the state knows of it; the run that bought it has ended well.
        if (names.some((name) => takenOut.has(name))) return false;
        return paid.some((intent) =>
          [intent.orderNumber ?? "", ...(intent.orderIds ?? [])].some((one) => names.includes(one)),
        );
      })
      .map(({ orderNumber, goal }) => `${orderNumber} of ${goal} is named by nobody`);
  }

  /** A run may bring a resource to what the program says, and never beyond; what replaces is another thing. */
  function noteDuplicates(
    { program, countLiving, livingOrders }: Tenant,
    before: ReadonlyMap<string, number>,
  ): void {
    for (const [kind, count] of countLiving()) {
      const had = before.get(kind) ?? 0;
      const [name = ""] = kind.split(" ");
      const wanted = program.get(name)?.quantity;
      // Nobody asks for it any more: what an earlier run has sent was carried out late.
      if (wanted === undefined) continue;
      // One order alone is no duplicate: the run that sent it was given an earlier program, and lived on.
      if (count > Math.max(had, wanted) && livingOrders(name).length > 1) {
        verdict.duplicates.push(
          `${kind}: ${count} proxies are paid, ${wanted} wanted, ${had} were`,
        );
      }
    }
  }

  /** What was removed with success goes on being charged by nobody's wish. */
  function noteRenewing({ account, stack }: Tenant, { failures, switchedOff }: RunReport): void {
    if (failures.size > 0) return;
    const owned = new Set(
      [...stack.autoExtensions.values()].flatMap(({ outputs }) =>
        outputs.proxies.map((proxy) => proxy.ipAddressIp),
      ),
    );
    const removed = new Set(
      switchedOff.flatMap(({ proxies }) => proxies.map((proxy) => proxy.ipAddressIp)),
    );
    for (const { ip, autoExtend, state } of account.proxies()) {
      if (!autoExtend || state === "expired" || !removed.has(ip) || owned.has(ip)) continue;
      verdict.broken.push(`${ip} renews, and the auto-extension of it was removed`);
    }
  }

  async function play(
    tenant: Tenant,
    command: Command,
    phase: "preview" | "update",
    refresh: boolean,
    lifespan: Lifespan,
  ): Promise<RunOutcome | EarlyEnd> {
    listOrphans(tenant);
    const life = beginLife(steps, runs, lifespan);
    const before = tenant.countLiving();
    const spentBefore = countSpendingCalls();
    const chargesBefore = tenant.account.ledger().length;
    const { processes, marks, said, whoAreYou, endInOrder } = beginPhase(tenant, life, {
      command,
      phase,
    });
    await whoAreYou();
    const previewOnly = phase === "preview";
    const released: string[] = [];
    const onReleased = (names: readonly string[]) => void released.push(...names);
    const options = { refresh, previewOnly, onReleased };
    const going = runEngine(processes, life, tenant.stack, tenant.declared(), options);
    const report = await steps.until(Promise.race([going, life.ended]));
    if (report === "cancelled") orphans.set(life, marks);
    else locks.release(marks);
    noteReleased(tenant, released);
    if (typeof report !== "string") noteGone(tenant, report);
    transcript.push(tell(tenant, { command, phase }, report, said()));
    noteDuplicates(tenant, before);
    if (previewOnly && orphans.size === 0 && countSpendingCalls() > spentBefore) {
      verdict.broken.push("a preview has sent a purchase");
    }
    if (typeof report === "string") return report;
    await endInOrder();
    const outcome = { ...report, said: [...report.failures.values(), said()].join("\n") };
    if (previewOnly) noteShown(tenant, report);
    else await holdAgainst(tenant, outcome, chargesBefore);
    // Where the program declares no order, the provider is not asked.
    const isAsked = report.isChecked && tenant.program.size > 0;
    if (families.has("reports") && journalsLost === 0 && isAsked) {
      verdict.broken.push(...(await findUnnamed(tenant, outcome.said)));
    }
    return outcome;
  }

  function tell(
    { stack, account }: Tenant,
    { command, phase }: { command: Command; phase: string },
    report: RunReport | EarlyEnd,
    said: string,
  ): string {
    const failures = typeof report === "string" ? [] : [...report.failures];
    const resources = [...stack.resources].map(
      ([name, { outputs }]) => `${name}: ${outputs.status}, ${namesOf(outputs).join()}`,
    );
    return [
      `--- ${command.command ?? ""} (${phase}), which ${typeof report === "string" ? `was ${report}` : "ended"}, at ${clock.now().toISOString()}`,
      ...new Set(said.split("\n")),
      ...failures.map(([name, reason]) => `${name} failed: ${reason}`),
      `state: ${resources.join("; ")}`,
      `charged: ${account.ledger().map(({ orderNumber, price, origin }) => `${orderNumber} ${price} ${origin}`)}`,
    ].join("\n");
  }

  function countSpendingCalls(): number {
    const { createOrder, extend } = simulator.requestCounts();
    return createOrder + extend;
  }

  function noteShown({ shown }: Tenant, { quotes, failures }: RunReport): void {
    const atMs = clock.now().getTime();
    // What was refused has shown nothing that could be bought.
    if (failures.size > 0) shown.clear();
    else for (const [owner, quote] of quotes) shown.set(owner, { quote, atMs });
  }

  function noteReleased({ account, known, release }: Tenant, released: readonly string[]): void {
    const inState = known();
    for (const name of released) {
      const order = account.orders().find((one) => [one.orderNumber, one.orderId].includes(name));
      // One that was taken over under its other name is still held.
      const isHeld = order && (inState.has(order.orderId) || inState.has(order.orderNumber));
      if (order && !isHeld) release(order.orderNumber);
    }
  }

  /** What is taken for gone would be bought again. */
  function noteGone({ account, goneOrders, livingOrders }: Tenant, { gone }: RunReport): void {
    for (const { orderNumber, orderId, goal } of account.orders()) {
      if (!gone.includes(orderNumber) && !gone.includes(orderId)) continue;
      if (goneOrders.has(orderNumber) || goneOrders.has(orderId)) continue;
      if (!livingOrders(goal).includes(orderNumber)) continue;
      verdict.broken.push(`${orderNumber} of ${goal} lives and was taken for gone`);
    }
  }

  async function holdAgainst(
    tenant: Tenant,
    outcome: RunOutcome,
    chargesBefore: number,
  ): Promise<void> {
    listOrphans(tenant);
    verdict.unreported.push(...(await findUnreported(tenant, outcome)));
    noteRenewing(tenant, outcome);
    const spent = tenant.account
      .ledger()
      .slice(chargesBefore)
      .filter(({ origin }) => origin === "api")
      .reduce((sum, { price }) => sum + Number(price), 0);
    const quoted = [...outcome.quotes.values()]
      .filter(({ effect = "" }) => ["buy", "topUp", "replace", "extend"].includes(effect))
      .reduce((sum, { price = 0 }) => sum + price, 0);
    // What was sent in an earlier run may be charged in this one.
    const late = simulator.faultsHit() > 0 || orphans.size > 0;
    if (spent > quoted + 0.001 && !late) verdict.broken.push(`spent ${spent}, quoted ${quoted}`);
  }

  function standingFaults(): FaultRule[] {
    const { dateAheadMs: aheadMs } = options;
    if (aheadMs === 0) return [];
    return [{ endpoint: "any", phase: "after", fault: { kind: "date", aheadMs } }];
  }

  const world: World = {
    simulator,
    clock,
    families,
    tenants,
    verdict,
    transcript,
    journal,

    async run({ refresh, phases, tenant: index = 0, between, ...lifespan }) {
      const tenant = tenants[index % tenants.length] ?? main;
      if (phases === "preview") {
        const command = { command: "preview", commandId: `${runs}` } as const;
        return unlessEnded(await play(tenant, command, "preview", refresh, lifespan));
      }
      const up = { command: "up", commandId: `${runs}` } as const;
      if (phases === "both") {
        const shown = unlessEnded(await play(tenant, up, "preview", refresh, {}));
        // An `up` whose preview fails goes no further.
        if (shown === undefined || shown.failures.size > 0) return shown;
        between?.(world);
      }
      return unlessEnded(await play(tenant, up, "update", refresh, lifespan));
    },

    addFaults(rules) {
      for (const rule of rules) simulator.addFault(rule);
    },

    clearFaults() {
      simulator.clearFaults();
      world.addFaults(standingFaults());
    },

    setPrices(factor) {
      priceMoves += 1;
      for (const { account } of tenants) account.setPriceFactor("IPv4", factor);
    },

    liftLimit() {
      maxSpend = undefined;
    },

    setClock(aheadMs) {
      clockAheadMs = aheadMs;
      // For how long they bind is told by our own clock.
      for (const { shown } of tenants) shown.clear();
    },

    moveCheckout() {
      checkouts += 1;
    },

    async loseJournal() {
      // With a short look-back a machine that comes later buys what it can't know of.
      if (lookBackMinutes < LONGEST_LOOK_BACK_MINUTES || orphans.size > 0) return;
      journalsLost += 1;
      for (const { account, known } of tenants) {
        const inState = known();
        for (const { orderNumber, orderId } of account.orders()) {
          if (!inState.has(orderNumber) && !inState.has(orderId)) forgotten.add(orderId);
        }
      }
      await rm(journalDir, { recursive: true, force: true, maxRetries: 10 });
      journalDir = join(folder, randomUUID());
      await mkdir(journalDir, { recursive: true });
      for (const { shown } of tenants) shown.clear();
      // A new machine takes its time, and sees only what is charged and listed by then.
      clock.advance(5 * MINUTE_MS);
    },

    isForgotten: ({ orderId }) => forgotten.has(orderId),

    async settleOrphans() {
      for (const [life, marks] of orphans) {
        await steps.until(life.idle());
        locks.release(marks);
      }
      orphans.clear();
    },

    async end() {
      await simulator.stop();
      await rm(journalDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  world.addFaults(standingFaults());
  return world;
}

function unlessEnded(outcome: RunOutcome | EarlyEnd): RunOutcome | undefined {
  return typeof outcome === "string" ? undefined : outcome;
}

/** Few uses, so that they are used up in the middle of a run. */
const promoCodes = [
  { code: "GRATIS", discount: 100, countUses: 2 },
  { code: "TENTH", discount: 10, countUses: 2 },
];
