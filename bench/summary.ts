import type { Contestant, Run, Sample, StepName } from "./measure.ts";
import { nameContestant, steps } from "./measure.ts";
import { median } from "./median.ts";
import type { Scale } from "./project.ts";
import type { RequestCounts } from "./service.ts";
import { PAGE_CAP } from "./service.ts";
import { type JournalUse, noUse } from "./shared-journal.ts";
import type { JournalCost } from "./spending.ts";
import type { StoredResource } from "./stack.ts";

/** One step of one contestant, over all rounds. */
export interface StepSummary {
  seconds: number;
  cpuSeconds: number | undefined;
  /** How many times the base's time this step takes. It is the median of the ratios within each round. */
  timesFloor: number;
  cpuTimesFloor: number | undefined;
  /** The calls in the last round. */
  requests: RequestCounts;
  /** What was asked of the store of a shared journal, in the last round. */
  journal: JournalUse;
}

export interface ContestantSummary {
  name: string;
  contestant: Contestant;
  steps: Record<StepName, StepSummary>;
  /** The average size of a stored resource, as compact JSON. */
  stateBytes: number;
  /** The size of the largest serialised provider. It stands in the inputs and in the outputs of each resource. */
  providerBytes: number;
  /** The time of the same number of spending calls, one after the other. */
  postSeconds: number;
  /** The time of `up`, divided by the time of the base and the spending calls together. */
  upTimesSum: number;
}

export interface Aim {
  what: string;
  measured: string;
  met: boolean;
}

export interface Summary extends Scale {
  /** The contestant that the others are compared with: the floor with state, if it takes part. */
  base: string;
  journal: JournalCost;
  listingPages: number;
  contestants: ContestantSummary[];
  aims: Aim[];
}

/** The most that a step may take, in times of the floor with state. */
const mostTimesFloor = { "no-op preview": 1.1, refresh: 1.15, up: 1.2 } as const;

/** By how much a first preview may be longer if each call takes longer, in seconds. */
const MOST_SECONDS_OF_CALLS = 0.5;

const MOST_PAGES_AN_ORDER = 2;

/** Round trips to the store of a shared journal that a purchase waits for. */
const MOST_ROUND_TRIPS_A_PURCHASE = 4;

const MOST_PROVIDER_BYTES = 256;

const MOST_STATE_BYTES_OF_TEN = 6 * 1024;

export function summarize(
  scale: Scale,
  contestants: readonly Contestant[],
  rounds: readonly (readonly Run[])[],
  journal: JournalCost,
): Summary {
  const listingPages = Math.ceil((scale.orders * scale.ips) / PAGE_CAP);
  const names = contestants.map(nameContestant);
  const base = names.find((name) => name === "floor with state") ?? "floor";
  const summaries = contestants.map((contestant) => summarizeContestant(contestant, base, rounds));
  const ours = summaries.filter(({ contestant }) => contestant.kind === "ours");
  const aims = [
    ...ours.flatMap((summary) => judge(summary, scale, listingPages)),
    ...ours.flatMap((one) =>
      ours.flatMap((other) => [
        ...judgeCalls(one, other),
        ...judgeSharedJournal(one, other, scale),
      ]),
    ),
  ];
  return { ...scale, base, journal, listingPages, contestants: summaries, aims };
}

function summarizeContestant(
  contestant: Contestant,
  base: string,
  rounds: readonly (readonly Run[])[],
): ContestantSummary {
  const pairs = rounds.map((round) => ({
    own: findRun(round, nameContestant(contestant)),
    floor: findRun(round, base),
  }));
  const summarizeStep = (name: StepName): StepSummary => {
    const samples = pairs.map(({ own }) => own.samples[name]);
    const over = (measure: (sample: Sample) => number | undefined) =>
      median(
        pairs.map(({ own, floor }) =>
          divide(measure(own.samples[name]), measure(floor.samples[name])),
        ),
      );
    return {
      seconds: median(samples.map((sample) => sample.seconds)) ?? Number.NaN,
      cpuSeconds: median(samples.map((sample) => sample.cpuSeconds)),
      timesFloor: over((sample) => sample.seconds) ?? Number.NaN,
      cpuTimesFloor: over((sample) => sample.cpuSeconds),
      requests: samples.at(-1)?.requests ?? {},
      journal: samples.at(-1)?.journal ?? noUse,
    };
  };
  const resources = pairs.at(-1)?.own.resources ?? [];
  return {
    name: nameContestant(contestant),
    contestant,
    // The map above makes one entry for each step.
    steps: Object.fromEntries(steps.map(({ name }) => [name, summarizeStep(name)])) as Record<
      StepName,
      StepSummary
    >,
    stateBytes: Math.round(sum(resources.map(countBytes)) / resources.length),
    providerBytes: Math.max(0, ...resources.map(countProviderBytes)),
    postSeconds: median(pairs.map(({ own }) => own.postSeconds)) ?? Number.NaN,
    upTimesSum:
      median(
        pairs.map(({ own, floor }) =>
          divide(own.samples.up.seconds, floor.samples.up.seconds + own.postSeconds),
        ),
      ) ?? Number.NaN,
  };
}

function judge(
  { name, contestant, steps: own, ...summary }: ContestantSummary,
  { orders, ips }: Scale,
  listingPages: number,
): Aim[] {
  const { providerBytes, stateBytes, postSeconds, upTimesSum } = summary;
  const withinBase = (step: "no-op preview" | "refresh"): Aim => {
    const { timesFloor, cpuTimesFloor } = own[step];
    // Processor time stands beside the factor, because other work on the machine hardly changes it.
    const cpu = cpuTimesFloor === undefined ? "" : `, of processor ${cpuTimesFloor.toFixed(2)}`;
    return {
      what: `${step} at ${name} within ${mostTimesFloor[step]} times the floor`,
      measured: `${timesFloor.toFixed(2)} times${cpu}`,
      met: timesFloor <= mostTimesFloor[step],
    };
  };
  const listingCalls = own.refresh.requests.listProxies ?? 0;
  const pagesAnOrder = (own.up.requests.listProxies ?? 0) / orders;
  const bought = steps.map((step) => own[step.name].requests.createOrder ?? 0);
  const mostStateBytes = Math.round((MOST_STATE_BYTES_OF_TEN * Math.max(ips, 10)) / 10);
  const upWithinBase: Aim = {
    what: `up at ${name} within ${mostTimesFloor.up} times the floor and the spending calls (${postSeconds.toFixed(1)} s)`,
    measured: `${upTimesSum.toFixed(2)} times`,
    met: upTimesSum <= mostTimesFloor.up,
  };
  return [
    withinBase("no-op preview"),
    withinBase("refresh"),
    // A purchase also waits for a shared journal, which has an aim of its own.
    ...(keepsSharedJournal(contestant) ? [] : [upWithinBase]),
    {
      what: `pages of listing that up reads for each order at ${name}: at most ${MOST_PAGES_AN_ORDER}`,
      measured: pagesAnOrder.toFixed(2),
      met: pagesAnOrder <= MOST_PAGES_AN_ORDER,
    },
    {
      what: `listing calls of a refresh at ${name} = pages (${listingPages})`,
      measured: `${listingCalls}`,
      met: listingCalls === listingPages,
    },
    {
      what: `orders bought at ${name} = ${orders}, all by up`,
      measured: `${sum(bought)}, ${own.up.requests.createOrder ?? 0} by up`,
      met: sum(bought) === orders && own.up.requests.createOrder === orders,
    },
    {
      what: `bytes of state of an order at ${name}: at most ${mostStateBytes}`,
      measured: `${stateBytes}`,
      met: stateBytes <= mostStateBytes,
    },
    // The state does not contain a plugin.
    ...(contestant.kind === "ours" && contestant.host === "plugin"
      ? []
      : [judgeProviderText(providerBytes)]),
  ];
}

export function keepsSharedJournal(contestant: Contestant): boolean {
  return contestant.kind === "ours" && contestant.journal === "shared";
}

/** For how many answers of the store a purchase waits: the same `up` with the journal on disk waits for none. */
function judgeSharedJournal(
  shared: ContestantSummary,
  local: ContestantSummary,
  { orders }: Scale,
): Aim[] {
  const [{ contestant: one }, { contestant: other }] = [shared, local];
  if (one.kind !== "ours" || other.kind !== "ours" || one.host !== other.host) return [];
  if (one.latencyMs === 0 || one.latencyMs !== other.latencyMs) return [];
  if (one.journal !== "shared" || other.journal !== "local") return [];
  const { seconds, journal } = shared.steps.up;
  const waited = seconds - journal.probeSeconds - local.steps.up.seconds;
  const roundTrips = waited / orders / (one.latencyMs / 1000);
  return [
    {
      what: `answers of the journal's store that a purchase at ${shared.name} waits for: at most ${MOST_ROUND_TRIPS_A_PURCHASE}`,
      measured: `${roundTrips.toFixed(2)}, after a probe of ${journal.probeSeconds.toFixed(1)} s`,
      met: roundTrips > 0 && roundTrips <= MOST_ROUND_TRIPS_A_PURCHASE,
    },
  ];
}

/** What the calls of a first preview cost: the same program at a service that answers later. */
function judgeCalls(slow: ContestantSummary, quick: ContestantSummary): Aim[] {
  const [{ contestant: one }, { contestant: other }] = [slow, quick];
  if (one.kind !== "ours" || other.kind !== "ours" || one.host !== other.host) return [];
  if (one.latencyMs === 0 || other.latencyMs !== 0) return [];
  if (one.journal !== "local" || other.journal !== "local") return [];
  const seconds = slow.steps["first preview"].seconds - quick.steps["first preview"].seconds;
  return [
    {
      what: `first preview at ${slow.name} at most ${MOST_SECONDS_OF_CALLS} s longer than at 0 ms`,
      measured: `${seconds.toFixed(2)} s`,
      met: seconds <= MOST_SECONDS_OF_CALLS,
    },
  ];
}

/** The serialised provider stands in the state of each dynamic resource, so its size is limited. */
function judgeProviderText(providerBytes: number): Aim {
  return {
    what: `__provider under ${MOST_PROVIDER_BYTES} bytes`,
    measured: `${providerBytes}`,
    met: providerBytes > 0 && providerBytes < MOST_PROVIDER_BYTES,
  };
}

function findRun(round: readonly Run[], name: string): Run {
  const run = round.find(({ contestant }) => nameContestant(contestant) === name);
  if (run === undefined) throw new Error(`A round has nothing for ${name}`);
  return run;
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function countProviderBytes({ inputs }: StoredResource): number {
  return Buffer.byteLength(inputs?.__provider ?? "");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function divide(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined ? undefined : dividend / divisor;
}
