import type { Contestant, Run, Sample, StepName } from "./measure.ts";
import { nameContestant, steps } from "./measure.ts";
import { median } from "./median.ts";
import type { Scale } from "./project.ts";
import type { RequestCounts } from "./service.ts";
import { PAGE_CAP } from "./service.ts";
import type { JournalCost } from "./spending.ts";
import type { StoredResource } from "./stack.ts";

/** One step of one contestant, over all rounds. */
export interface StepSummary {
  seconds: number;
  cpuSeconds: number | undefined;
  /** How many times the floor's time this step takes. It is the median of the ratios within each round. */
  timesFloor: number;
  cpuTimesFloor: number | undefined;
  /** The calls in the last round. */
  requests: RequestCounts;
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
  /** The time of `up`, divided by the time of the floor and the spending calls together. */
  upTimesSum: number;
}

export interface Aim {
  what: string;
  measured: string;
  met: boolean;
}

export interface Summary extends Scale {
  journal: JournalCost;
  listingPages: number;
  contestants: ContestantSummary[];
  aims: Aim[];
}

const MOST_TIMES_FLOOR = 1.3;

const MOST_PROVIDER_BYTES = 512;

export function summarize(
  scale: Scale,
  contestants: readonly Contestant[],
  rounds: readonly (readonly Run[])[],
  journal: JournalCost,
): Summary {
  const listingPages = Math.ceil((scale.orders * scale.ips) / PAGE_CAP);
  const summaries = contestants.map((contestant) => summarizeContestant(contestant, rounds));
  const aims = summaries
    .filter(({ contestant }) => contestant.kind === "ours")
    .flatMap((summary) => judge(summary, scale, listingPages));
  return { ...scale, journal, listingPages, contestants: summaries, aims };
}

function summarizeContestant(
  contestant: Contestant,
  rounds: readonly (readonly Run[])[],
): ContestantSummary {
  const pairs = rounds.map((round) => ({
    own: findRun(round, nameContestant(contestant)),
    floor: findRun(round, "floor"),
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
  { name, contestant, steps: own, providerBytes, postSeconds, upTimesSum }: ContestantSummary,
  scale: Scale,
  listingPages: number,
): Aim[] {
  const withinFloor = (step: StepName): Aim => {
    const { timesFloor, cpuTimesFloor } = own[step];
    // Processor time stands beside the factor, because other work on the machine hardly changes it.
    const cpu = cpuTimesFloor === undefined ? "" : `, of processor ${cpuTimesFloor.toFixed(2)}`;
    return {
      what: `${step} at ${name} within ${MOST_TIMES_FLOOR} times the floor`,
      measured: `${timesFloor.toFixed(2)} times${cpu}`,
      met: timesFloor <= MOST_TIMES_FLOOR,
    };
  };
  const listingCalls = own.refresh.requests.listProxies ?? 0;
  const bought = steps.map((step) => own[step.name].requests.createOrder ?? 0);
  return [
    withinFloor("no-op preview"),
    withinFloor("refresh"),
    {
      what: `up at ${name} within ${MOST_TIMES_FLOOR} times the floor and the spending calls (${postSeconds.toFixed(1)} s)`,
      measured: `${upTimesSum.toFixed(2)} times`,
      met: upTimesSum <= MOST_TIMES_FLOOR,
    },
    {
      what: `listing calls of a refresh at ${name} = pages (${listingPages})`,
      measured: `${listingCalls}`,
      met: listingCalls === listingPages,
    },
    {
      what: `orders bought at ${name} = ${scale.orders}, all by up`,
      measured: `${sum(bought)}, ${own.up.requests.createOrder ?? 0} by up`,
      met: sum(bought) === scale.orders && own.up.requests.createOrder === scale.orders,
    },
    // The state does not contain a plugin.
    ...(contestant.kind === "ours" && contestant.host === "plugin"
      ? []
      : [judgeProviderText(providerBytes)]),
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
