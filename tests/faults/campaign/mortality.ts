import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import type { Clock, ProxyService } from "../../../provider/core/ports.ts";
import type { Interposition } from "../../support/account.ts";
import type { Steps } from "./steps.ts";

/** How a life can end before its work is done. */
export type EarlyEnd = "killed" | "cancelled";

/** The life of a run. It may end at any of its steps, as a process ends that is killed. */
export interface Mortality {
  /** Await this between any two effects that the world can see. After the end of the life it never resolves. */
  step(label: string): Promise<void>;
  /** Marks the steps of one resource. */
  as: Steps["as"];
  /**
   * Makes a call of the engine to the provider. After a run was cancelled, the engine makes no further call and hears
   * no answer, but the calls under way go on.
   */
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Wraps the calls of a run, so that each call has a step before it and a step after it. */
  interpose: Required<Pick<Interposition, "service" | "documents">>;
  mortalClock(clock: Clock): Clock;
  /** Whether it was killed. */
  isDead(): boolean;
  /** Resolves when the run was cancelled, or when it was killed and everything that it had sent has arrived. */
  ended: Promise<EarlyEnd>;
  /** Resolves when no call of `ask` is under way any more. */
  idle(): Promise<void>;
}

/** The step at which a life ends or stands still; undefined means never. */
export interface Lifespan {
  /** It is killed after this many steps. */
  killedAfter?: number | undefined;
  /** It is killed at the first step with this label. */
  killedAt?: string | undefined;
  /** It is cancelled after this many steps, and goes on. */
  cancelledAfter?: number | undefined;
  /** Where it stands still for a while, as a process that is stopped. */
  pause?: Pause | undefined;
}

/** Other lives go on meanwhile, and so does time. */
export interface Pause {
  /** At the first step with this label. */
  at: string;
  ms: number;
  /** Whether the machine sleeps: the clock that nobody sets stands still too. */
  isAsleep: boolean;
}

/** Makes a new promise each time. A shared one would keep everything that waits for it until the program ends. */
const waitForever = () => new Promise<never>(() => undefined);

/** Begins a life. `life` is its number. */
export function beginLife(
  own: Steps,
  life: number,
  { killedAfter, killedAt, cancelledAfter, pause }: Lifespan,
): Mortality {
  const inFlight = new Set<Promise<unknown>>();
  const asked = new Set<Promise<unknown>>();
  const end = Promise.withResolvers<EarlyEnd>();
  let steps = 0;
  let dead = false;
  let cancelled = false;
  let hasPaused = false;
  let sleptMs = 0;

  async function standStill({ ms, isAsleep }: Pause): Promise<void> {
    hasPaused = true;
    own.pause(life, ms);
    if (isAsleep) sleptMs = ms;
    await own.take(life, "after a pause");
  }

  async function step(label: string): Promise<void> {
    if (dead) return waitForever();
    await own.take(life, label);
    if (label === pause?.at && !hasPaused) await standStill(pause);
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

  /** Wraps a call. Once sent, a call arrives even if the sender dies before the answer comes. */
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
    isDead: () => dead,
    ended: end.promise,
    async idle() {
      while (asked.size > 0) await Promise.allSettled(asked);
    },
    interpose: {
      service: (real) => wrapAll(real, around) as ProxyService,
      documents: (real) => ({ ...(wrapAll(real, around) as DocumentStore), place: real.place }),
    },
    mortalClock: (clock) => ({
      now: clock.now,
      elapsedMs: () => clock.elapsedMs() - sleptMs,
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
