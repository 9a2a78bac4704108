import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import type { VirtualClock } from "../../support/virtual-clock.ts";

/** Lets one step happen at a time. The seed alone decides which step is next, of all runs that go on. */
export interface Steps {
  /** Lets steps happen until `done` has settled. Several may wait so at once. Outside such a call no step happens. */
  until<Result>(done: Promise<Result>): Promise<Result>;
  /** The same, and no other life makes a step meanwhile. One at a time. */
  untilAlone<Result>(life: number, done: Promise<Result>): Promise<Result>;
  /** Does some work between two steps. No step happens meanwhile. */
  between<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when this step is chosen. `life` is the number of the life that it belongs to. */
  take(life: number, label: string): Promise<void>;
  /** From now on a life makes no step until so much time has passed. If all lives stand still, time passes at once. */
  pause(life: number, ms: number): void;
  /** Runs the work of one resource, so that its steps can be told from those of other resources. */
  as<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Announces a call that was sent. No step happens while the call is under way. */
  sends(sent: Promise<unknown>): void;
}

interface Waiting {
  life: number;
  key: string;
  go(): void;
}

/** Reads and writes of files, as Node.js names them. */
const FILES = /^(FS|Close)Req/;

/** How many times in a row nothing must be under way before the next step is chosen. */
const QUIET_TURNS = 2;

/** How much faster one life may be than another. */
const PACES = [1, 1, 1, 4, 16];

/**
 * Makes the steps of a schedule. The speed of this machine must not matter, so the next step is chosen only after
 * everything under way has come to its next step.
 * @param random gives a number from 0 to 1, without 1
 */
export function createSteps(
  random: () => number,
  clock: Pick<VirtualClock, "elapsedMs" | "advance">,
): Steps {
  const onItsWay = new Set<Promise<unknown>>();
  const names = new AsyncLocalStorage<string>();
  const paces = new Map<number, number>();
  const pausedUntilMs = new Map<number, number>();
  const arrived: Waiting[] = [];
  let waiting: Waiting[] = [];
  let callers = 0;
  let isChoosing = false;
  let chosen: Promise<void> = Promise.resolve();
  let alone: number | undefined;

  async function becomeQuiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await turn();
      const isBusy =
        onItsWay.size > 0 || process.getActiveResourcesInfo().some((one) => FILES.test(one));
      quiet = isBusy ? 0 : quiet + 1;
      if (onItsWay.size > 0) await Promise.allSettled(onItsWay);
    }
  }

  function paceOf(life: number): number {
    const pace = paces.get(life) ?? PACES[Math.floor(random() * PACES.length)] ?? 1;
    paces.set(life, pace);
    return pace;
  }

  const isPaused = ({ life }: Waiting) => clock.elapsedMs() < (pausedUntilMs.get(life) ?? 0);

  const isFree = (one: Waiting) =>
    alone === undefined ? !isPaused(one) : alone === one.life && !isPaused(one);

  /** By the paces of the lives. While nothing is free, no number is taken: how long that lasts is no affair of the seed. */
  function pick(free: readonly Waiting[]): Waiting | undefined {
    if (free.length === 0) return undefined;
    const paced = free.map((one) => ({ one, pace: paceOf(one.life) }));
    let left = random() * paced.reduce((sum, { pace }) => sum + pace, 0);
    return paced.find(({ pace }) => {
      left -= pace;
      return left < 0;
    })?.one;
  }

  function goOn(): void {
    waiting.push(...arrived.splice(0).toSorted((a, b) => (a.key < b.key ? -1 : 1)));
    const next = pick(waiting.filter(isFree));
    if (next !== undefined) {
      waiting = waiting.filter((one) => one !== next);
      next.go();
    } else if (alone === undefined && waiting.length > 0) {
      const ends = waiting.map(({ life }) => pausedUntilMs.get(life) ?? 0);
      clock.advance(Math.min(...ends) - clock.elapsedMs());
    }
  }

  async function choose(): Promise<void> {
    while (callers > 0) {
      await becomeQuiet();
      if (callers > 0) goOn();
    }
    isChoosing = false;
  }

  async function until<Result>(done: Promise<Result>): Promise<Result> {
    callers += 1;
    if (!isChoosing) {
      isChoosing = true;
      chosen = choose();
    }
    try {
      return await done;
    } finally {
      callers -= 1;
      if (callers === 0) await chosen;
    }
  }

  function sends(sent: Promise<unknown>): void {
    onItsWay.add(sent);
    const arrive = () => void onItsWay.delete(sent);
    sent.then(arrive, arrive);
  }

  return {
    until,
    sends,

    async untilAlone(life, done) {
      alone = life;
      try {
        return await until(done);
      } finally {
        alone = undefined;
      }
    },

    between(work) {
      const going = work();
      sends(going);
      return going;
    },

    take: (life, label) =>
      new Promise((go) => {
        arrived.push({ life, key: `${life} ${names.getStore() ?? ""} ${label}`, go });
      }),

    pause: (life, ms) => void pausedUntilMs.set(life, clock.elapsedMs() + ms),

    as: (name, work) => names.run(name, work),
  };
}
