import type { Scheduler } from "fast-check";
import type { JournalStore } from "../../../provider/core/journal/store.ts";
import type { Clock, ProxyService } from "../../../provider/core/service.ts";
import type { Interposition } from "../../support/account.ts";

/** A life that ends at one of its steps, as a process does that is killed. */
export interface Mortality {
  /** To be awaited between any two things that the world can see; never goes on after the end. */
  step(label: string): Promise<void>;
  /** What stands between a run and the world, so that each call is two steps. */
  interpose: Interposition;
  mortalClock(clock: Clock): Clock;
  /** Resolves when the life has ended, and what it had sent has arrived. */
  ended: Promise<"killed">;
}

/** Anew each time: what waits for one that all share would be kept for as long as the program runs. */
const waitForever = () => new Promise<never>(() => undefined);

/**
 * Begins a life.
 * @param steps how many steps it has; undefined for a life that is not cut off.
 */
export function beginLife(scheduler: Scheduler, steps: number | undefined): Mortality {
  const inFlight = new Set<Promise<unknown>>();
  const end = Promise.withResolvers<"killed">();
  let left = steps ?? Number.POSITIVE_INFINITY;
  let dead = false;

  async function step(label: string): Promise<void> {
    if (dead) return waitForever();
    await scheduler.schedule(Promise.resolve(), label);
    if (dead) return waitForever();
    left -= 1;
    if (left >= 0) return;
    dead = true;
    void Promise.allSettled(inFlight).then(() => end.resolve("killed"));
    return waitForever();
  }

  /** What was sent arrives, whether or not the sender lives to hear of it. */
  function around<Args extends unknown[], Result>(
    label: string,
    call: (...args: Args) => Promise<Result>,
  ) {
    return async (...args: Args): Promise<Result> => {
      await step(`before ${label}`);
      const sent = call(...args);
      inFlight.add(sent);
      const settled = await Promise.allSettled([sent]);
      inFlight.delete(sent);
      await step(`after ${label}`);
      const [outcome] = settled;
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    };
  }

  return {
    step,
    ended: end.promise,
    interpose: {
      service: (real) => wrapAll(real, around) as ProxyService,
      store: (real) => wrapAll(real, around) as JournalStore,
    },
    mortalClock: (clock) => ({
      now: clock.now,
      elapsedMs: clock.elapsedMs,
      async sleep(ms) {
        await step("before a wait");
        // Time stands still while anything is on its way: how fast this machine is must not matter.
        while (inFlight.size > 0) await Promise.race([...inFlight].map(settled));
        await clock.sleep(ms);
        await step("after a wait");
      },
    }),
  };
}

const settled = (sent: Promise<unknown>) => sent.catch(() => undefined);

type Around = <Args extends unknown[], Result>(
  label: string,
  call: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

function wrapAll(real: object, around: Around): object {
  return Object.fromEntries(
    Object.entries(real).map(([name, method]) => [name, around(name, method)]),
  );
}
