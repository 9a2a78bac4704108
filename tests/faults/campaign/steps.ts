import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import type { Scheduler } from "fast-check";

/** Lets one thing happen at a time, and which is next is random: a function of the seed, and of nothing else. */
export interface Steps {
  /** Lets things happen until this has come to pass. Otherwise nobody takes a step. */
  until<Result>(done: Promise<Result>): Promise<Result>;
  /** Resolves when it is this one's turn. `life` is that of its process. */
  take(life: number, label: string): Promise<void>;
  /** What a resource does, so that its steps are told from those of others. */
  as<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** To be told of whatever is sent into the world: nobody takes a step while it is on its way. */
  sends(sent: Promise<unknown>): void;
}

interface Waiting {
  key: string;
  go(): void;
}

/** Reads and writes of files, as Node.js names them. */
const FILES = /^(FS|Close)Req/;

/** How often in a row nothing must be going on until it is believed. */
const QUIET_TURNS = 2;

/**
 * Makes the steps of a schedule. How fast this machine answers must not matter: the next is chosen when all that goes
 * on has come to its next step.
 */
export function createSteps(scheduler: Scheduler): Steps {
  const onItsWay = new Set<Promise<unknown>>();
  const names = new AsyncLocalStorage<string>();
  let waiting: Waiting[] = [];
  let isDriven = false;

  async function becomeQuiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await turn();
      const isBusy =
        onItsWay.size > 0 || process.getActiveResourcesInfo().some((one) => FILES.test(one));
      quiet = isBusy ? 0 : quiet + 1;
      if (onItsWay.size > 0) await Promise.allSettled(onItsWay);
    }
  }

  async function choose(): Promise<void> {
    while (isDriven) {
      await becomeQuiet();
      const arrived = waiting.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      waiting = [];
      for (const { key, go } of arrived) void scheduler.schedule(Promise.resolve(), key).then(go);
      // Nothing to choose from: all is done, or on its way to say so.
      if (scheduler.count() > 0 && isDriven) await scheduler.waitNext(1);
    }
  }

  return {
    async until(done) {
      isDriven = true;
      const chosen = choose();
      try {
        return await done;
      } finally {
        isDriven = false;
        await chosen;
      }
    },

    take: (life, label) =>
      new Promise((go) => {
        waiting.push({ key: `${life} ${names.getStore() ?? ""} ${label}`, go });
      }),

    as: (name, work) => names.run(name, work),

    sends(sent) {
      onItsWay.add(sent);
      const arrive = () => void onItsWay.delete(sent);
      sent.then(arrive, arrive);
    },
  };
}
