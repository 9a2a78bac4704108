import { setImmediate as turn } from "node:timers/promises";
import type { Chooser } from "./explore.ts";

/** What can go wrong at a step: at most once in a history. */
export type Fault =
  /** The machine does no further step. */
  | "crash"
  /** The machine stands still for so long that its purchase may not be sent any more. */
  | "pause"
  /** It stands still for so long that its turn is over. */
  | "longPause"
  /** What it asks does not arrive, and it can't tell. */
  | "lostRequest"
  /** What it asks is carried out, and it can't tell. */
  | "lostAnswer"
  /** What it asks is carried out late, and it can't tell. */
  | "late";

/** What a machine is about to do that another one can see. */
export interface Step {
  kind: "read" | "write" | "send" | "answer";
  /** What it touches. */
  on: string;
}

/** What befalls a step. A machine that crashes or stands still does not get so far. */
export type Mishap = Exclude<Fault, "crash" | "pause" | "longPause"> | undefined;

/** A machine whose steps are chosen. */
export interface Machine {
  /** Resolves when the step is chosen. After a crash it never does. */
  arrive(step: Step): Promise<Mishap>;
  sleep(ms: number): Promise<void>;
}

/** Something that is waited for. */
type Waiting =
  | { kind: "step"; step: Step; go(mishap: Mishap): void }
  | { kind: "sleep"; untilMs: number; seen: number; go(): void };

interface Runner {
  name: string;
  waiting: Waiting | undefined;
  is: "going" | "ended" | "crashed";
}

const faultsOf: Record<Step["kind"], readonly Fault[]> = {
  read: ["crash", "pause", "longPause", "lostAnswer"],
  write: ["crash", "pause", "longPause", "lostRequest", "lostAnswer"],
  send: ["crash", "pause", "longPause", "lostRequest", "lostAnswer", "late"],
  answer: ["crash", "pause", "longPause"],
};

const PAUSE_MS = { pause: 40_000, longPause: 100_000 };

/** If nobody does anything but wait, they may wait for so long at a time. */
const NAP_MS = 15_000;

/** No history of two purchases has more. */
const MOST_STEPS = 500;

/** What is limited. */
export interface Bounds {
  /** How many faults a history has. */
  faults: number;
  /** How often a machine that could go on is left for another one; undefined for any number. */
  switches: number | undefined;
}

/** A history that differs from an earlier one only in the order of steps that do not touch each other. */
export class Redundant extends Error {}

/** Machines of one history, and the time that they share. */
export interface Scheduler {
  begin(name: string, work: (machine: Machine) => Promise<void>): void;
  /** Makes all steps, until every machine has ended or crashed. */
  run(): Promise<void>;
  /** Milliseconds since the beginning. */
  elapsedMs(): number;
  advance(ms: number): void;
  hasCrashed(): boolean;
  /** What happened, for people. */
  readonly told: readonly string[];
}

const BEGINNING_MS = Date.UTC(2026, 2, 1);

export const timeAt = (elapsedMs: number) => new Date(BEGINNING_MS + elapsedMs);

/** Makes the scheduler of one history. */
export function createScheduler({ choose }: Chooser, bounds: Bounds): Scheduler {
  const runners: Runner[] = [];
  const told: string[] = [];
  let elapsedMs = 0;
  let changes = 0;
  let faultsLeft = bounds.faults;
  let switchesLeft = bounds.switches ?? Number.POSITIVE_INFINITY;
  let current: Runner | undefined;
  /** Whose next step was explored before those of the others, and touches nothing that was touched since. */
  let asleep = new Set<Runner>();

  function machineOf(runner: Runner): Machine {
    return {
      arrive: (step) =>
        new Promise((go) => {
          runner.waiting = { kind: "step", step, go };
        }),
      sleep: (ms) =>
        new Promise((go) => {
          runner.waiting = { kind: "sleep", untilMs: elapsedMs + ms, seen: changes, go };
        }),
    };
  }

  /** A look that sees what the last one saw is no step: whoever waits goes on when something has changed. */
  const mayGoOn = ({ is, waiting }: Runner) =>
    is === "going" && (waiting?.kind === "step" || (waiting && waiting.seen !== changes));

  function wake(runner: Runner, untilMs: number): void {
    const { waiting } = runner;
    if (waiting?.kind !== "sleep") return;
    elapsedMs = Math.max(elapsedMs, waiting.untilMs, untilMs);
    runner.waiting = undefined;
    waiting.go();
  }

  function napTogether(): void {
    const sleeping = runners.flatMap((one) =>
      one.is === "going" && one.waiting?.kind === "sleep" ? { one, at: one.waiting.untilMs } : [],
    );
    const [first] = sleeping.toSorted((a, b) => a.at - b.at);
    if (first === undefined) throw new Error("a machine waits for what nobody does");
    wake(first.one, elapsedMs + NAP_MS);
  }

  function chooseRunner(ready: readonly Runner[]): Runner {
    const goesOn = current !== undefined && ready.includes(current);
    const reachable = goesOn && switchesLeft === 0 ? ready.filter((one) => one === current) : ready;
    const ordered = reachable.toSorted((a, b) => Number(b === current) - Number(a === current));
    const candidates = ordered.filter((one) => !asleep.has(one));
    const chosen = candidates[choose(candidates.length)];
    if (chosen === undefined) throw new Redundant();
    if (goesOn && chosen !== current) switchesLeft -= 1;
    const before = candidates.slice(0, candidates.indexOf(chosen));
    asleep = new Set([...asleep, ...before].filter((one) => isApart(one, chosen)));
    current = chosen;
    return chosen;
  }

  function chooseFault({ kind }: Step): Fault | undefined {
    if (faultsLeft === 0) return undefined;
    const fault = [undefined, ...faultsOf[kind]][choose(1 + faultsOf[kind].length)];
    if (fault !== undefined) faultsLeft -= 1;
    return fault;
  }

  function make(runner: Runner): void {
    const { name, waiting } = runner;
    if (waiting?.kind !== "step") return;
    if (told.length >= MOST_STEPS) throw new Error(`this has no end: ${told.slice(-9).join("; ")}`);
    const { step } = waiting;
    const fault = chooseFault(step);
    told.push(`${name}: ${step.kind} ${step.on}${fault ? ` (${fault})` : ""}`);
    if (fault === "crash") {
      runner.is = "crashed";
      // Others see nothing of it, but that may be all that there is to see.
      changes += 1;
    } else if (fault === "pause" || fault === "longPause") {
      elapsedMs += PAUSE_MS[fault];
      changes += 1;
      asleep.clear();
      current = undefined;
    } else {
      runner.waiting = undefined;
      if (step.kind !== "read" && step.kind !== "answer") changes += 1;
      waiting.go(fault);
    }
  }

  return {
    told,
    elapsedMs: () => elapsedMs,
    hasCrashed: () => runners.some(({ is }) => is === "crashed"),
    advance(ms) {
      elapsedMs += ms;
    },

    begin(name, work) {
      const runner: Runner = { name, waiting: undefined, is: "going" };
      runners.push(runner);
      void work(machineOf(runner)).then(() => {
        runner.is = "ended";
        changes += 1;
      });
    },

    async run() {
      await turn();
      while (runners.some(({ is }) => is === "going")) {
        const ready = runners.filter(mayGoOn);
        if (ready.length === 0) napTogether();
        else {
          const chosen = chooseRunner(ready);
          // To wake up is no step of its own.
          if (chosen.waiting?.kind === "sleep") {
            wake(chosen, 0);
            await turn();
          }
          make(chosen);
        }
        await turn();
      }
    },
  };
}

/** Whether the next steps of two machines give the same in any order. What is sent is seen by all that follows. */
function isApart(a: Runner, b: Runner): boolean {
  // Whoever wakes up may look at everything.
  if (a.waiting?.kind !== "step" || b.waiting?.kind !== "step") return false;
  const [one, other] = [a.waiting.step, b.waiting.step];
  if (one.kind === "send" || other.kind === "send") return false;
  return one.on !== other.on || (one.kind === "read" && other.kind === "read");
}
