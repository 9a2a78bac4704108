import type { Clock, JournalStore, ProxyService } from "../../../provider/core/ports.ts";
import type { Interposition } from "../../support/account.ts";
import type { Steps } from "./steps.ts";

/** How a life ends before its work is done. */
export type EarlyEnd = "killed" | "cancelled";

/** A life that ends at one of its steps, as a process does that is killed. */
export interface Mortality {
  /** To be awaited between any two things that the world can see; never goes on after the end. */
  step(label: string): Promise<void>;
  /** What is done for one resource. */
  as: Steps["as"];
  /**
   * What the engine asks of the provider. Of a run that was cancelled nothing further is asked and nothing is heard
   * of, but what was asked goes on.
   */
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What stands between a run and the world, so that each call is two steps. */
  interpose: Interposition;
  mortalClock(clock: Clock): Clock;
  /** Resolves when the life has ended and what it had sent has arrived, or when the run was cancelled. */
  ended: Promise<EarlyEnd>;
  /** Resolves when nothing goes on of what was asked. */
  idle(): Promise<void>;
}

/** At which step a life ends; undefined for never. */
export interface Lifespan {
  killedAfter?: number | undefined;
  /** The first step of this label. */
  killedAt?: string | undefined;
  cancelledAfter?: number | undefined;
}

/** Anew each time: what waits for one that all share would be kept for as long as the program runs. */
const waitForever = () => new Promise<never>(() => undefined);

/** Begins the life of this number. */
export function beginLife(
  own: Steps,
  life: number,
  { killedAfter, killedAt, cancelledAfter }: Lifespan,
): Mortality {
  const inFlight = new Set<Promise<unknown>>();
  const asked = new Set<Promise<unknown>>();
  const end = Promise.withResolvers<EarlyEnd>();
  let steps = 0;
  let dead = false;
  let cancelled = false;

  async function step(label: string): Promise<void> {
    if (dead) return waitForever();
    await own.take(life, label);
    if (dead) return waitForever();
    steps += 1;
    if (cancelledAfter !== undefined && steps > cancelledAfter) {
      cancelled = true;
      end.resolve("cancelled");
    }
    if (label !== killedAt && steps <= (killedAfter ?? Number.POSITIVE_INFINITY)) return;
    dead = true;
    void Promise.allSettled(inFlight).then(() => end.resolve("killed"));
    return waitForever();
  }

  async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
    if (cancelled) return waitForever();
    const going = work();
    asked.add(going);
    const [outcome] = await Promise.allSettled([going]);
    asked.delete(going);
    if (cancelled) return waitForever();
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
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
      own.sends(sent);
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
    as: own.as,
    ask,
    ended: end.promise,
    async idle() {
      while (asked.size > 0) await Promise.allSettled(asked);
    },
    interpose: {
      service: (real) => wrapAll(real, around) as ProxyService,
      store: (real) => wrapAll(real, around) as JournalStore,
    },
    mortalClock: (clock) => ({
      now: clock.now,
      elapsedMs: clock.elapsedMs,
      async sleep(ms) {
        await step("before a wait");
        await clock.sleep(ms);
        await step("after a wait");
      },
    }),
  };
}

type Around = <Args extends unknown[], Result>(
  label: string,
  call: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

function wrapAll(real: object, around: Around): object {
  return Object.fromEntries(
    Object.entries(real).map(([name, method]) => [name, around(name, method)]),
  );
}
