import { unknownRun } from "../../../provider/core/ports.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator/index.ts";
import { usualSettings } from "../../support/usual-settings.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { type CancelledRuns, createCancelledRuns } from "./cancelled-runs.ts";
import type { Families } from "./families.ts";
import { type Flights, watchFlights } from "./flights.ts";
import {
  createSharedJournal,
  type JournalOfSchedule,
  localJournal,
  type SharedPlace,
} from "./journal-place.ts";
import { createLostJournals, type LostJournals } from "./lost-journals.ts";
import { createMachines, type Machines } from "./machines.ts";
import { beginProcess, type ProviderProcess } from "./process.ts";
import { createSpendingWatch, type SpendingWatch } from "./spending-watch.ts";
import { createSteps, type Steps } from "./steps.ts";
import { createStoreMishaps, type StoreMishaps } from "./store-mishaps.ts";
import { createTenant, goalPrefixOf, type Tenant } from "./tenant.ts";
import type { Verdict } from "./verdict.ts";
import { beginMarks, createVirtualPresence, type VirtualPresence } from "./virtual-presence.ts";

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

/** What a world is made in. */
export interface WorldPlace {
  /** Where the disks of its machines are kept. */
  folder: string;
  /** The journal that all machines share. @default files of one machine */
  shared: SharedPlace | undefined;
}

/** What watches the money of a stack. */
export interface Watches {
  spending: SpendingWatch;
  /** The spending calls of its account. */
  flights: Flights;
}

/** What all runs of a world share. */
export interface WorldParts {
  readonly options: WorldOptions;
  readonly families: Families;
  readonly simulator: Simulator;
  readonly clock: VirtualClock;
  readonly steps: Steps;
  readonly machines: Machines;
  readonly place: JournalOfSchedule;
  readonly mishaps: StoreMishaps;
  readonly presence: VirtualPresence;
  /** The stacks: of the first account, and perhaps one of a second account. All share the journal. */
  readonly tenants: readonly Tenant[];
  readonly watches: ReadonlyMap<Tenant, Watches>;
  readonly cancelled: CancelledRuns;
  readonly lost: LostJournals;
  readonly verdict: Verdict;
  /** What every run has said, so that a person can find the cause of a failure. */
  readonly transcript: string[];
  /** What limits a run, and what the prices are. */
  readonly money: { maxSpend: number | undefined; priceMoves: number };
  /** The time that the answers of the service tell. */
  serviceTime(): Date;
  /** The journal, as a person opens it who sees it from the scope of a stack. */
  journal(of: Pick<Tenant, "scope">): ProviderProcess["journal"];
}

const OPENING_BALANCE = 100_000;

/** Few uses, so that they are used up in the middle of a run. */
const promoCodes = [
  { code: "GRATIS", discount: 100, countUses: 2 },
  { code: "TENTH", discount: 10, countUses: 2 },
];

/** Makes a service, machines and empty stacks. */
export async function createParts(
  random: () => number,
  { folder, shared }: WorldPlace,
  families: Families,
  options: WorldOptions,
): Promise<WorldParts> {
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
  const tenants = openStacks(simulator, families, options, serviceTime, place);
  const { clockAheadMs, maxSpend } = options;
  const machines = await createMachines({ folder, place, clock, clockAheadMs });
  const presence = createVirtualPresence();
  const steps = createSteps(random, clock);
  const verdict: Verdict = { duplicates: [], unreported: [], broken: [] };
  const blame = (wrong: string) => void verdict.broken.push(wrong);
  const money = { maxSpend, priceMoves: 0 };
  const watches = new Map<Tenant, Watches>();
  const flightsOf = new Map<string, Flights>();
  for (const tenant of tenants) {
    const { account, owners, nameOf, shown } = tenant;
    const spending = createSpendingWatch({
      ...{ account, clock, owners, nameOf, blame },
      priceMoves: () => money.priceMoves,
      carriedOut: shown.carriedOut,
    });
    const { timeoutMs, settlingMs } = usualSettings;
    const flights =
      flightsOf.get(account.apiKey) ??
      watchFlights({
        ...{ clock, timeoutMs, settlingMs, blame, isShared: place.isShared },
        isPutOff: () => isCallPutOff(simulator),
      });
    flightsOf.set(account.apiKey, flights);
    watches.set(tenant, { spending, flights });
  }
  return {
    ...{ options, families, simulator, clock, steps, machines, place, mishaps, presence, tenants },
    ...{ watches, verdict, money, serviceTime },
    transcript: [],
    cancelled: createCancelledRuns(steps, presence),
    lost: createLostJournals(),
    journal({ scope }) {
      const home = machines.home();
      return beginProcess({
        ...{ simulator, scope, ...machines.partsOn(home) },
        openJournal: place.openPatiently,
        ...{ apiKey: simulator.apiKey, clock: machines.clockOf(home), run: unknownRun },
        settings: {},
        presence: presence.forProcess(beginMarks()),
      }).journal;
    },
  };
}

function openStacks(
  simulator: Simulator,
  families: Families,
  { areNamesakes, neighbours }: WorldOptions,
  serviceTime: () => Date,
  { isShared }: Pick<JournalOfSchedule, "isShared">,
): Tenant[] {
  const heirs = new Map<string, string[]>();
  const called = (name: string) =>
    areNamesakes ? { stackName: "dev", scope: name } : { stackName: name };
  const ofFirst = ["dev", ...["test", "live"].slice(0, neighbours)].map((name, index) =>
    createTenant({
      ...{ account: simulator, heirs, serviceTime, isShared, ...called(name) },
      ...(index > 0 && { prefix: goalPrefixOf(name) }),
    }),
  );
  if (!families.has("accounts")) return ofFirst;
  const account = simulator.openAccount({ balance: OPENING_BALANCE });
  const other = { account, heirs: new Map(), stackName: "other", serviceTime, isShared };
  return [...ofFirst, createTenant(other)];
}

/** Whether the service is still to carry out a call. */
function isCallPutOff(simulator: Simulator): boolean {
  try {
    simulator.save();
    return false;
  } catch {
    return true;
  }
}
