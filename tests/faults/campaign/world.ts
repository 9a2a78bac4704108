import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { type RunIdentity, unknownRun } from "../../../provider/core/ports.ts";
import {
  type FaultRule,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../../simulator/index.ts";
import { usualSettings } from "../../support/usual-settings.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { copyOf, namesOf, type RunReport, runEngine } from "./engine.ts";
import type { Families } from "./families.ts";
import { type Flights, type Sender, watchFlights } from "./flights.ts";
import { createSharedJournal, localJournal, type SharedPlace } from "./journal-place.ts";
import { letGoOfForgotten, letGoOfUnwanted } from "./lost-journals.ts";
import {
  beginLife,
  type EarlyEnd,
  type Lifespan,
  type Mortality,
  type Pause,
} from "./mortality.ts";
import {
  findDuplicates,
  findOverspent,
  findTakenForGone,
  findUnnamed,
  findUnreported,
  type RunOutcome,
} from "./paid-orders.ts";
import { beginProcess, type ProviderProcess } from "./process.ts";
import {
  findAgainstProgram,
  findRenewingElsewhere,
  findStillRenewing,
  findSwitchedOff,
} from "./renewals.ts";
import { beginSpending, createSpendingWatch } from "./spending-watch.ts";
import { createSteps } from "./steps.ts";
import { createStoreMishaps, type StoreMishap } from "./store-mishaps.ts";
import { createTenant, goalPrefixOf, type Tenant } from "./tenant.ts";
import { beginMarks, createVirtualPresence, type ProcessMarks } from "./virtual-presence.ts";

/** What happens in a run. */
export interface RunPlan {
  refresh: boolean;
  /** `both` is an `up` that shows a preview first. */
  phases: "preview" | "update" | "both";
  /** The run is killed after this many steps; undefined means never. */
  killedAfter?: number | undefined;
  /** The run is killed at the first step with this label; undefined means never. */
  killedAt?: string | undefined;
  /** The run is cancelled after this many steps of its update, and goes on; undefined means never. */
  cancelledAfter?: number | undefined;
  /** Where the run stands still in its update; undefined means nowhere. */
  pause?: Pause | undefined;
  /** The number of the stack that runs. @default 0 */
  tenant?: number | undefined;
  /** What happens between the preview and the update. */
  between?: ((world: World) => void) | undefined;
}

/** What has gone wrong. Every list must stay empty. */
export interface Verdict {
  /** Orders that were paid although the resource had one already, or an earlier one was still to be found. */
  duplicates: string[];
  /** Paid orders that are in no state and no journal, and that no run has named. */
  unreported: string[];
  /** Any other promise that was broken. */
  broken: string[];
}

/** How the world is at the beginning. */
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
  /** How many further stacks buy from the first account. */
  neighbours: number;
  /** Whether the plugin is the host: then what a preview shows is written when it is asked to create, not at the check. */
  isPlugin: boolean;
  /** Whether the stacks of the first account have one name, and each a scope of its own. */
  areNamesakes: boolean;
  /** Whether each stack has bought what it declares before anything goes wrong. */
  hasBought: boolean;
}

/** One service, one machine or several, the stacks, and what went wrong with them. */
export interface World {
  readonly simulator: Simulator;
  readonly clock: VirtualClock;
  readonly families: Families;
  /** The stacks: of the first account, and perhaps one of a second account. All share the journal. */
  readonly tenants: readonly Tenant[];
  readonly verdict: Verdict;
  /** What every run has said, so that a person can find the cause of a failure. */
  readonly transcript: readonly string[];
  /** Returns undefined if the run was killed or cancelled. */
  run(plan: RunPlan): Promise<RunOutcome | undefined>;
  /** Runs of several stacks go on at the same time. Those of one stack come one after the other. */
  runTogether(plans: readonly RunPlan[]): Promise<void>;
  addFaults(rules: readonly FaultRule[]): void;
  /** Makes calls to the journal's store fail. */
  breakStore(mishap: StoreMishap): void;
  clearFaults(): void;
  /** From now on all prices are the list prices times this factor. */
  setPrices(factor: number): void;
  /** From now on nothing limits what a run may spend. */
  liftLimit(): void;
  setClock(aheadMs: number): void;
  moveCheckout(): void;
  /** The journal, as a person opens it who sees it from the scope of a stack. */
  journal(of: Pick<Tenant, "scope">): ProviderProcess["journal"];
  /** Starts with an empty journal, as if the next run was on another machine. */
  loseJournal(): Promise<void>;
  /**
   * Whether nobody has a record of the order since a journal was lost. If a listing hid such an order, nobody could
   * notice it, which docs/limits.md says. So listings always show it.
   */
  isForgotten(row: { orderId: string }): boolean;
  /** Waits until the cancelled runs have done what they were about to do. */
  settleOrphans(): Promise<void>;
  end(): Promise<void>;
}

/** Whether a failure means that a run could not see the account. Without its journal, such a run knows of no order. */
function isBlind(failure: string): boolean {
  return /^(SERVICE|LISTING)_/.test(failure);
}

/** Whether a run was stopped because the journal gave no answer. */
function isWithoutJournal({ failures }: RunReport): boolean {
  return [...failures.values()].some((failure) => failure.startsWith("JOURNAL_UNAVAILABLE"));
}

const MINUTE_MS = 60_000;

/** A week, which is the longest look-back that the settings allow. */
export const LONGEST_LOOK_BACK_MINUTES = 7 * 24 * 60;

const OPENING_BALANCE = 100_000;

/** The command that a person has typed, and the id of its process. */
type Command = Pick<RunIdentity, "command" | "commandId">;

/** Where a run is. */
interface Machine {
  /** By how much its clock is ahead of the other machines' clocks. */
  aheadMs: number;
  /** The folder on its disk. */
  journalDir: string;
}

/** What a world is made in. */
export interface WorldPlace {
  /** Where the disks of its machines are kept. */
  folder: string;
  /** The journal that all machines share. @default files of one machine */
  shared: SharedPlace | undefined;
}

/**
 * Makes a world with empty stacks.
 * @param random decides which step is next
 */
export async function createWorld(
  random: () => number,
  { folder: parent, shared }: WorldPlace,
  families: Families,
  options: WorldOptions,
): Promise<World> {
  const clock = createVirtualClock();
  const mishaps = createStoreMishaps();
  const place =
    shared === undefined ? localJournal : createSharedJournal(shared, clock, mishaps.wrapProduct);
  const simulator = await startSimulator({
    ...options.simulator,
    now: clock.now,
    balance: OPENING_BALANCE,
    catalogue: { promoCodes },
  });
  const serviceTime = () => new Date(clock.now().getTime() + options.dateAheadMs);
  const called = (name: string) =>
    options.areNamesakes ? { stackName: "dev", scope: name } : { stackName: name };
  const heirs = new Map<string, string[]>();
  const main = createTenant({ account: simulator, heirs, serviceTime, ...called("dev") });
  const neighbours = ["test", "live"].slice(0, options.neighbours).map((name) =>
    createTenant({
      ...{ account: simulator, heirs, serviceTime, ...called(name) },
      prefix: goalPrefixOf(name),
    }),
  );
  const elsewhere = () => {
    const account = simulator.openAccount({ balance: OPENING_BALANCE });
    return createTenant({ account, heirs: new Map(), stackName: "other", serviceTime });
  };
  const tenants = [main, ...neighbours, ...(families.has("accounts") ? [elsewhere()] : [])];
  const verdict: Verdict = { duplicates: [], unreported: [], broken: [] };
  const transcript: string[] = [];
  const { lookBackMinutes } = options;
  const presence = createVirtualPresence();
  const steps = createSteps(random, clock);
  /** One run begins at a time, so that the order of their numbers is the same each time. */
  const oneBegins = pLimit(1);
  const orphans = new Map<Mortality, ProcessMarks>();
  const watches = new Map(
    tenants.map((tenant) => [
      tenant,
      createSpendingWatch({
        account: tenant.account,
        clock,
        owners: tenant.owners,
        nameOf: tenant.nameOf,
        priceMoves: () => priceMoves,
        carriedOut: (owner) => void tenant.shown.delete(owner),
        blame: (wrong) => verdict.broken.push(wrong),
      }),
    ]),
  );
  /** The spending calls of each account, by its key. */
  const flights = new Map<string, Flights>();
  for (const { account } of tenants) {
    const { timeoutMs, settlingMs } = usualSettings;
    const isShared = shared !== undefined;
    const parts = { clock, isShared, timeoutMs, settlingMs, isPutOff };
    const blame = (wrong: string) => void verdict.broken.push(wrong);
    flights.set(account.apiKey, watchFlights({ ...parts, blame }));
  }
  let { maxSpend, clockAheadMs } = options;
  let priceMoves = 0;
  let runs = 0;
  let commands = 0;
  let checkouts = 0;
  let journalsLost = 0;
  let underWay = 0;
  let runsBegun = 0;
  const forgotten = new Set<string>();
  /** Orders that were bought with a journal that is lost. */
  const unrecorded = new Set<string>();
  const folder = join(parent, randomUUID());
  let disks = 0;
  let home: Machine = { aheadMs: 0, journalDir: await makeDisk() };

  async function makeDisk(): Promise<string> {
    const path = join(folder, `${disks++}`);
    await mkdir(path, { recursive: true });
    return path;
  }

  const on = ({ journalDir }: Machine) => ({
    ...{ simulator, journalDir, openJournal: place.open },
    project: `/project-${checkouts}`,
  });

  function clockOf(machine: Machine): VirtualClock {
    const aheadMs = clockAheadMs + machine.aheadMs;
    return { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
  }

  function journal({ scope }: Pick<Tenant, "scope">): ProviderProcess["journal"] {
    return beginProcess({
      ...on(home),
      scope,
      openJournal: place.openPatiently,
      ...{ apiKey: simulator.apiKey, clock: clockOf(home), run: unknownRun, settings: {} },
      presence: presence.forProcess(beginMarks()),
    }).journal;
  }

  /** Where the journal is shared, each run is on another machine. */
  async function takeMachine(): Promise<Machine> {
    if (shared === undefined) return home;
    return { aheadMs: place.nextMachine(), journalDir: await makeDisk() };
  }

  /** Whether the service is still to carry out a call. */
  function isPutOff(): boolean {
    try {
      simulator.save();
      return false;
    } catch {
      return true;
    }
  }

  /** Begins all processes of one phase of a run. */
  function beginPhase(
    tenant: Tenant,
    machine: Machine,
    life: Mortality,
    { command, phase }: { command: Command; phase: "preview" | "update" },
  ) {
    const marks = beginMarks();
    const clockHere = clockOf(machine);
    const mortal = life.mortalClock(clockHere);
    const spending = beginSpending(
      families.has("phases") ? new Map(tenant.shown) : new Map(),
      maxSpend,
    );
    const started: ProviderProcess[] = [];
    let sent = 0;
    runs += 1;
    // Without the family `phases`, runs apply edits that no preview has shown, so no preview may leave a trace.
    const told = families.has("phases") ? phase : "update";
    const run = { run: `127.0.0.1:${runs}`, ...command, phase: () => told };
    const senderOf = (runId: () => string): Sender => ({
      runId,
      departed() {
        sent += 1;
      },
      isDead: life.isDead,
      standing: () => place.standing({ ...machine, baseUrl: simulator.baseUrl }, clockHere),
    });
    const start = () => {
      const sender = senderOf(() => process.runId);
      const watch = watches.get(tenant);
      const ofAccount = flights.get(tenant.account.apiKey);
      const process = beginProcess({
        ...on(machine),
        scope: tenant.scope,
        ...{ run, clock: mortal },
        apiKey: tenant.account.apiKey,
        presence: presence.forProcess(marks),
        waitsForNotes: options.isPlugin,
        settings: {
          foreignOrders: tenant.foreignOrders,
          goneOrders: tenant.goneOrders,
          lookBackMinutes,
          maxSpend,
        },
        interpose: {
          documents: (real) => life.interpose.documents(mishaps.wrap(real)),
          service(real) {
            const watched = watch?.interpose(spending, real) ?? real;
            const left = ofAccount?.leaving(sender, watched) ?? watched;
            const mortal = life.interpose.service(left);
            return ofAccount?.arriving(sender, mortal) ?? mortal;
          },
        },
      });
      started.push(process);
      marks.runIds.add(process.runId);
      return process;
    };
    const first = start();
    const isSplit = families.has("providers");
    const second = isSplit ? start() : first;
    const processes = {
      refresh: isSplit ? start() : first,
      // Some resources have an explicit provider.
      of: (name: string) => (name.startsWith("b") ? second : first),
    };
    const said = () => started.flatMap(({ lines }) => lines).join("\n");
    // This slow computation is neither a file access nor a call, so steps could not wait for it.
    const whoAreYou = () =>
      Promise.allSettled(started.map((process) => process.journal.accountId()));
    const endInOrder = () => Promise.all(started.map((process) => process.journal.endRun()));
    return { processes, marks, said, whoAreYou, endInOrder, sent: () => sent };
  }

  /** Lets go of what nobody can know of since a journal was lost. */
  async function letGoOfLost(tenant: Tenant): Promise<void> {
    if (journalsLost === 0) return;
    letGoOfUnwanted(tenant);
    const sinceMs = serviceTime().getTime() - lookBackMinutes * MINUTE_MS;
    letGoOfForgotten(tenant, await journal(tenant).readAll(), sinceMs);
  }

  /** Whether a run that is not over, although it was cancelled, still does what it has begun. */
  function isGoingOn(runId: string): boolean {
    return [...orphans.values()].some(({ runIds }) => runIds.has(runId));
  }

  /** Begins a run, and gives what tells at its end whether no other one was there meanwhile. */
  function beginAlone(): () => boolean {
    const isFirst = underWay === 0 && orphans.size === 0;
    const number = ++runsBegun;
    underWay += 1;
    return () => {
      underWay -= 1;
      return isFirst && runsBegun === number;
    };
  }

  /** Begins a phase of a run, up to the first call of the engine. */
  async function begin(
    tenant: Tenant,
    machine: Machine,
    told: { command: Command; phase: "preview" | "update" },
    lifespan: Lifespan,
  ) {
    const before = await steps.between(async () => {
      await letGoOfLost(tenant);
      return tenant.countLiving();
    });
    const life = beginLife(steps, runs, lifespan);
    const number = runs;
    const chargesBefore = tenant.account.ledger().length;
    const mishapsBefore = mishaps.hits();
    const begun = beginPhase(tenant, machine, life, told);
    await steps.untilAlone(number, Promise.race([begun.whoAreYou(), life.ended]));
    return { ...begun, life, before, chargesBefore, mishapsBefore };
  }

  async function play(
    tenant: Tenant,
    machine: Machine,
    command: Command,
    phase: "preview" | "update",
    refresh: boolean,
    lifespan: Lifespan,
  ): Promise<RunOutcome | EarlyEnd> {
    const { processes, marks, said, endInOrder, life, sent, ...then } = await oneBegins(() =>
      begin(tenant, machine, { command, phase }, lifespan),
    );
    const previewOnly = phase === "preview";
    const released: string[] = [];
    const onReleased = (names: readonly string[]) => void released.push(...names);
    const options = { refresh, previewOnly, onReleased };
    if (!previewOnly) tenant.earlier.push(copyOf(tenant.stack));
    const others = tenants.filter((other) => other !== tenant);
    const renewing = findRenewingElsewhere(tenant, others, unrecorded);
    const endedAlone = beginAlone();
    const going = runEngine(processes, life, tenant.stack, tenant.declared(), options);
    const report = await steps.until(Promise.race([going, life.ended]));
    if (report === "cancelled") orphans.set(life, marks);
    else presence.release(marks);
    // The runs of other stacks may change what these say.
    if (endedAlone()) verdict.broken.push(...findSwitchedOff(tenant, renewing));
    noteReleased(tenant, released);
    if (typeof report !== "string") verdict.broken.push(...findTakenForGone(tenant, report));
    transcript.push(tell(tenant, { command, phase }, report, said()));
    verdict.duplicates.push(...findDuplicates(tenant, then.before));
    if (previewOnly && sent() > 0) verdict.broken.push("a preview has sent a purchase");
    if (typeof report === "string") {
      // It says a line before it answers the check, so nobody knows here which of its plans a person has seen.
      if (previewOnly && said() !== "") tenant.shown.clear();
      return report;
    }
    await steps.until(Promise.race([endInOrder(), life.ended]));
    const outcome = { ...report, said: [...report.failures.values(), said()].join("\n") };
    // What a preview could not write down, it has shown to nobody.
    if (previewOnly && mishaps.hits() > then.mishapsBefore) tenant.shown.clear();
    else if (previewOnly) noteShown(tenant, report);
    else await steps.between(() => holdAgainst(tenant, outcome, then.chargesBefore));
    // If the program declares no order, and none is deleted, the engine does not ask the provider. A run that can't read
    // the journal says that instead.
    const isCalled = tenant.program.size > 0 || released.length > 0;
    const isAsked = report.isChecked && isCalled && !isWithoutJournal(report);
    if (families.has("reports") && journalsLost === 0 && isAsked) {
      const unnamed = await steps.between(async () => {
        const all = await journal(tenant).readAll();
        return findUnnamed(tenant, outcome, { all }, isGoingOn);
      });
      verdict.broken.push(...unnamed);
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

  function noteShown({ shown }: Tenant, { quotes, failures }: RunReport): void {
    const atMs = clock.now().getTime();
    // A preview that was refused has shown nothing that may be bought.
    if (failures.size > 0) shown.clear();
    else for (const [owner, quote] of quotes) shown.set(owner, { quote, atMs });
  }

  function noteReleased({ account, known, release }: Tenant, released: readonly string[]): void {
    const inState = known();
    for (const name of released) {
      const order = account.orders().find((one) => [one.orderNumber, one.orderId].includes(name));
      // An order that was adopted by its other number is still held.
      const isHeld = order && (inState.has(order.orderId) || inState.has(order.orderNumber));
      if (order && !isHeld) release(order.orderNumber);
    }
  }

  async function holdAgainst(
    tenant: Tenant,
    outcome: RunOutcome,
    chargesBefore: number,
  ): Promise<void> {
    const { broken, unreported } = verdict;
    if (journalsLost > 0) letGoOfUnwanted(tenant);
    // Without its journal, a run names what it finds when it checks. After a failed refresh, it checks nothing.
    const isTold = outcome.isChecked && ![...outcome.failures.values()].some(isBlind);
    if (journalsLost === 0 || isTold) {
      const here = journal(tenant);
      const recorded = { open: await here.readOpen(), all: await here.readAll() };
      unreported.push(...findUnreported(tenant, outcome, recorded));
    }
    if (outcome.failures.size === 0) {
      broken.push(...findStillRenewing(tenant, outcome), ...findAgainstProgram(tenant));
    }
    // An order that an earlier run sent may be charged during this run.
    const isLate = simulator.faultsHit() > 0 || orphans.size > 0;
    if (!isLate) broken.push(...findOverspent(tenant, outcome, chargesBefore));
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
      const commandId = `${commands++}`;
      const machine = await oneBegins(() => steps.between(takeMachine));
      if (phases === "preview") {
        const preview = { command: "preview", commandId } as const;
        return unlessEnded(await play(tenant, machine, preview, "preview", refresh, lifespan));
      }
      const up = { command: "up", commandId } as const;
      if (phases === "both") {
        const shown = unlessEnded(await play(tenant, machine, up, "preview", refresh, {}));
        // If the preview of an `up` fails, the `up` ends.
        if (shown === undefined || shown.failures.size > 0) return shown;
        between?.(world);
      }
      return unlessEnded(await play(tenant, machine, up, "update", refresh, lifespan));
    },

    async runTogether(plans) {
      const byTenant = Map.groupBy(plans, ({ tenant = 0 }) => tenant % tenants.length);
      await Promise.all(
        Array.from(byTenant.values(), async (ofTenant) => {
          for (const plan of ofTenant) await world.run(plan);
        }),
      );
    },

    addFaults(rules) {
      for (const rule of rules) simulator.addFault(rule);
    },

    breakStore: mishaps.add,

    clearFaults() {
      simulator.clearFaults();
      mishaps.clear();
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
      // This machine's clock decides how long previews bind, so the earlier ones no longer count.
      for (const { shown } of tenants) shown.clear();
    },

    moveCheckout() {
      checkouts += 1;
    },

    async loseJournal() {
      if (shared !== undefined) return;
      // With a short look-back, a new machine can't know of older orders and would buy them again.
      if (lookBackMinutes < LONGEST_LOOK_BACK_MINUTES || orphans.size > 0) return;
      journalsLost += 1;
      for (const { account, known } of tenants) {
        const inState = known();
        for (const { orderNumber, orderId } of account.orders()) {
          unrecorded.add(orderId);
          if (!inState.has(orderNumber) && !inState.has(orderId)) forgotten.add(orderId);
        }
      }
      home = { ...home, journalDir: await makeDisk() };
      for (const { shown } of tenants) shown.clear();
      // A new machine needs some time. By then, all orders that were sent are charged and listed.
      clock.advance(5 * MINUTE_MS);
    },

    isForgotten: ({ orderId }) => forgotten.has(orderId),

    async settleOrphans() {
      for (const [life, marks] of orphans) {
        await steps.until(life.idle());
        presence.release(marks);
      }
      orphans.clear();
    },

    async end() {
      await simulator.stop();
      await place.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
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
