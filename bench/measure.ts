import { join } from "node:path";
import { readChildrenCpuSeconds } from "./cpu-time.ts";
import { describeFloor, describeFloorWithState } from "./floor.ts";
import { describeOrders, type Host, type Program, type Scale, writeProject } from "./project.ts";
import { type RequestCounts, type Service, startService } from "./service.ts";
import {
  type JournalUse,
  noUse,
  type SharedJournal,
  startSharedJournal,
} from "./shared-journal.ts";
import { measurePosts } from "./spending.ts";
import { createStack, type Stack, type StoredResource } from "./stack.ts";

const applied = ["--yes", "--skip-preview"];

/** What is done with each stack, in this order. The preview is apart from its `up`, so that each has its own time. */
export const steps = [
  { name: "first preview", args: ["preview"] },
  { name: "up", args: ["up", ...applied] },
  // The plan now says that nothing is bought. That is a change of the inputs, and the engine saves it.
  { name: "first no-op up", args: ["up", ...applied] },
  { name: "no-op preview", args: ["preview"] },
  { name: "no-op up", args: ["up", ...applied] },
  { name: "refresh", args: ["refresh", ...applied] },
  { name: "destroy", args: ["destroy", ...applied] },
] as const;

export type StepName = (typeof steps)[number]["name"];

/** What one step of one stack took. */
export interface Sample {
  seconds: number;
  /** Processor time of the CLI, the program and the provider. Undefined if the system does not give it. */
  cpuSeconds: number | undefined;
  requests: RequestCounts;
  /** What was asked of the store of a shared journal. */
  journal: JournalUse;
}

/**
 * The programs that are compared. The floors ask no service, so they have no latency. The second floor keeps about as
 * much state as an order: it shows how much of the time the engine needs for the state.
 */
export type Contestant =
  | { kind: "floor" }
  | { kind: "floor with state" }
  | { kind: "ours"; host: Host; latencyMs: number; journal: "local" | "shared" };

/** All steps of one contestant in one round. */
export interface Run {
  contestant: Contestant;
  samples: Record<StepName, Sample>;
  /** The resources as they are stored before the destroy. */
  resources: StoredResource[];
  /** The time of the same number of spending calls, one after the other and with nothing around them; 0 for a floor. */
  postSeconds: number;
}

export interface RoundOptions extends Scale {
  /** The folder of this round. It is empty or does not exist yet. */
  folder: string;
  packageDir: string;
  binDir: string;
  contestants: readonly Contestant[];
  /** Called with a line that says what runs next. */
  progress(line: string): void;
}

/**
 * Runs a step for every contestant before the next step begins. If the machine becomes slower or faster, this
 * concerns all contestants.
 */
export async function measureRound(options: RoundOptions): Promise<Run[]> {
  const entrants: Entrant[] = [];
  try {
    for (const contestant of options.contestants) entrants.push(await enter(contestant, options));
    for (const step of steps) {
      for (const entrant of entrants) {
        options.progress(`${step.name}, ${nameContestant(entrant.contestant)}`);
        if (step.name === "destroy") entrant.resources = await entrant.stack.exportResources();
        entrant.samples.set(step.name, await measureStep(entrant, step.args));
      }
    }
    for (const entrant of entrants) {
      if (entrant.contestant.kind !== "ours") continue;
      options.progress(`spending calls alone, ${nameContestant(entrant.contestant)}`);
      entrant.postSeconds = await measurePosts(entrant.contestant.latencyMs, options.orders);
    }
    return entrants.map(({ contestant, samples, resources, postSeconds }) => ({
      contestant,
      postSeconds,
      // The loop above has added one sample for each step.
      samples: Object.fromEntries(samples) as Record<StepName, Sample>,
      resources,
    }));
  } finally {
    await Promise.all(entrants.map(stopServers));
  }
}

export function nameContestant(contestant: Contestant): string {
  if (contestant.kind !== "ours") return contestant.kind;
  const journal = contestant.journal === "shared" ? ", shared journal" : "";
  return `${contestant.host}, ${contestant.latencyMs} ms${journal}`;
}

interface Entrant {
  contestant: Contestant;
  service: Service | undefined;
  sharedJournal: SharedJournal | undefined;
  stack: Stack;
  samples: Map<StepName, Sample>;
  resources: StoredResource[];
  postSeconds: number;
}

/** Makes a new project, a new state and a new account. */
async function enter(contestant: Contestant, options: RoundOptions): Promise<Entrant> {
  const { folder, packageDir, binDir } = options;
  const own = join(folder, nameContestant(contestant).replaceAll(/\W+/g, "-"));
  const projectDir = join(own, "project");
  await writeProject(projectDir, describeProgram(contestant, options), packageDir);
  const servers = await startServers(contestant);
  try {
    const env = { ...servers.service?.env, ...servers.sharedJournal?.env };
    const stack = await createStack({ projectDir, stateDir: own, binDir, env });
    return { contestant, ...servers, stack, samples: new Map(), resources: [], postSeconds: 0 };
  } catch (error) {
    await stopServers(servers);
    throw error;
  }
}

type Servers = Pick<Entrant, "service" | "sharedJournal">;

async function startServers(contestant: Contestant): Promise<Servers> {
  if (contestant.kind !== "ours") return { service: undefined, sharedJournal: undefined };
  const { latencyMs, journal } = contestant;
  // The bucket first: it may be missing on this machine.
  const sharedJournal = journal === "shared" ? await startSharedJournal(latencyMs) : undefined;
  return { sharedJournal, service: await startService(latencyMs) };
}

async function stopServers({ service, sharedJournal }: Servers): Promise<void> {
  await Promise.all([service?.stop(), sharedJournal?.stop()]);
}

function describeProgram(contestant: Contestant, scale: Scale): Program {
  if (contestant.kind === "ours") return describeOrders(scale, contestant.host);
  return contestant.kind === "floor" ? describeFloor(scale) : describeFloorWithState(scale);
}

async function measureStep(
  { service, sharedJournal, stack }: Entrant,
  args: readonly string[],
): Promise<Sample> {
  await service?.takeRequestCounts();
  sharedJournal?.takeUse();
  const cpuBefore = readChildrenCpuSeconds();
  const begunAtMs = performance.now();
  await stack.run(args);
  const seconds = (performance.now() - begunAtMs) / 1000;
  const cpuAfter = readChildrenCpuSeconds();
  const known = cpuBefore !== undefined && cpuAfter !== undefined;
  return {
    seconds,
    cpuSeconds: known ? cpuAfter - cpuBefore : undefined,
    requests: (await service?.takeRequestCounts()) ?? {},
    journal: sharedJournal?.takeUse() ?? noUse,
  };
}
