import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import type { Scheduler } from "fast-check";

/** Lets one step happen at a time. The seed alone decides which step is next. */
export interface Steps {
  /** Lets steps happen until `done` has settled. Outside such a call no step happens. */
  until<Result>(done: Promise<Result>): Promise<Result>;
  /** Resolves when this step is chosen. `life` is the number of the life that it belongs to. */
  take(life: number, label: string): Promise<void>;
  /** Runs the work of one resource, so that its steps can be told from those of other resources. */
  as<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Announces a call that was sent. No step happens while the call is under way. */
  sends(sent: Promise<unknown>): void;
}

interface Waiting {
  key: string;
  go(): void;
}

/** Reads and writes of files, as Node.js names them. */
const FILES = /^(FS|Close)Req/;

/** How many times in a row nothing must be under way before the next step is chosen. */
const QUIET_TURNS = 2;

/**
 * Makes the steps of a schedule. The speed of this machine must not matter, so the next step is chosen only after
 * everything under way has come to its next step.
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
      // If no step waits, everything is done or about to say so.
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
