import { mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Presence } from "../../../provider/core/ports.ts";
import { createHeartbeats } from "../../../provider/journals/file/heartbeats.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { orderIntent } from "../../core/records/intents.ts";
import { makeFolder } from "./folders.ts";
import { folderIn, openHere, times } from "./real-journal.ts";

/** What happens before a step on the disk that has to do with heartbeats. */
const disk = vi.hoisted(() => ({
  beforeStep: undefined as (() => Promise<void>) | undefined,
  /** The same for a holder that looks before it sends, which does nothing else meanwhile. */
  beforeLook: undefined as (() => void) | undefined,
}));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs")>();
  const statSync = (...args: Parameters<typeof real.statSync>) => {
    disk.beforeLook?.();
    return real.statSync(...args);
  };
  return { ...real, statSync };
});

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const gated =
    <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      if (/[\\/]runs\b/.test(String(args[0]))) await disk.beforeStep?.();
      return call(...args);
    };
  return {
    ...real,
    mkdir: gated(real.mkdir),
    rename: gated(real.rename),
    rm: gated(real.rm),
    stat: gated(real.stat),
    writeFile: gated(real.writeFile),
  };
});

/** More steps than it takes to find out that a run is gone. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Lets something happen before the step of this number. What it does itself on the disk counts as no step. */
function beforeSteps(events: (step: number) => Promise<void>): void {
  let step = 0;
  disk.beforeStep = async () => {
    const { beforeStep } = disk;
    disk.beforeStep = undefined;
    step++;
    await events(step);
    disk.beforeStep = beforeStep;
  };
}

afterEach(() => {
  disk.beforeStep = undefined;
  disk.beforeLook = undefined;
  vi.useRealTimers();
});

const turnOf = (runId: string) => ({ runId, until: "" });

const saysGone = (one: Presence, runId = "holder") => one.isGone(turnOf(runId), new Date());

const sends = (one: Presence) => one.isShown(turnOf("holder"), new Date());

/** A holder that has stood still for 6 s, as others see it. */
async function stalledHolder() {
  const folder = makeFolder();
  const holder = createHeartbeats(folder, machineTime);
  await holder.show("holder");
  const path = join(folder, "runs", "holder.lock");
  standStill(path);
  return {
    folder,
    holder,
    goOn: () => goOn(path),
    other: () => createHeartbeats(folder, machineTime),
  };
}

function standStill(path: string): void {
  const long = new Date(Date.now() - 6_000);
  utimesSync(path, long, long);
}

/** Its next heartbeat, unless that was taken away. */
function goOn(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // It finds that out before it sends.
  }
}

describe("a holder that stood still", () => {
  test("never sends when anybody says that it is gone, whenever it goes on and whenever a second one asks", async () => {
    const wrong: string[] = [];
    for (const goesOn of STEPS) {
      for (const asks of STEPS) {
        const { holder, goOn, other } = await stalledHolder();
        const [a, b] = [other(), other()];
        let isSent = false;
        const said: boolean[] = [];
        beforeSteps(async (step) => {
          if (step === goesOn) {
            goOn();
            isSent = sends(holder);
          }
          if (step === asks) said.push(await saysGone(b));
        });
        said.push(await saysGone(a));
        disk.beforeStep = undefined;
        isSent ||= sends(holder);
        if (isSent && said.includes(true)) wrong.push(`goes on at ${goesOn}, asked at ${asks}`);
        await holder.hide();
      }
    }
    expect(wrong).toEqual([]);
  });

  test("does not send beside one that takes its turn, while a third looks at its heartbeat", async () => {
    const senders = new Set<string | undefined>();
    for (const goesOn of STEPS) {
      for (const asks of STEPS.slice(goesOn - 1)) {
        const inFlight = await sendAtOnce(goesOn, asks);
        expect(inFlight.length, `${goesOn}, ${asks}: ${inFlight}`).toBeLessThanOrEqual(1);
        senders.add(inFlight[0]);
      }
    }
    expect([...senders].sort()).toEqual(["a", "b", "holder", undefined]);
  });

  /** A looks for a holder that goes on before one of the steps; before another one, B looks. Gives who has sent. */
  async function sendAtOnce(goesOn: number, asks: number): Promise<string[]> {
    const journalDir = makeFolder();
    const [holder, a, b] = [openHere(journalDir), openHere(journalDir), openHere(journalDir)];
    const path = join(folderIn(journalDir), "runs", `${holder.runId}.lock`);
    for (const { locks, runId } of [a, b]) await locks.holdRun(runId);
    const inFlight: string[] = [];
    const answered = Promise.withResolvers<void>();

    /** Sends something if it gets the turn at once. Goes on when that is on its way. */
    const trySending = ({ locks }: typeof holder, name: string) =>
      new Promise<void>((resolve) => {
        const sending = locks.withAccount({ ...times, waitMs: 0 }, async (turn) => {
          turn.assertHeld();
          inFlight.push(name);
          resolve();
          await answered.promise;
        });
        sending.catch(() => undefined).then(resolve);
      });

    await holder.locks.withAccount(times, async (turn) => {
      const { runId } = holder;
      await holder.store.create(orderIntent({ id: `${runId}-1`, runId, sequence: 1 }));
      standStill(path);
      beforeSteps(async (step) => {
        if (step === goesOn) goOn(path);
        if (step === asks) await trySending(b, "b");
      });
      await trySending(a, "a");
      disk.beforeStep = undefined;
      try {
        turn.assertHeld();
        inFlight.push("holder");
      } catch {
        // It has lost its turn.
      }
    });
    answered.resolve();
    return inFlight;
  }

  test("does not send when heartbeat and mark are taken away in the midst of its look", async () => {
    for (const at of [1, 2, 3]) {
      const { folder, holder, goOn } = await stalledHolder();
      goOn();
      expect(sends(holder)).toBe(true);
      let looks = 0;
      disk.beforeLook = () => {
        looks++;
        if (looks === at) rmSync(join(folder, "runs", "holder.lock"), { recursive: true });
      };
      expect(sends(holder)).toBe(false);
      disk.beforeLook = undefined;
    }
  });

  test("keeps its turn where it goes on before anybody has looked", async () => {
    const { holder, goOn, other } = await stalledHolder();
    goOn();
    expect(await saysGone(other())).toBe(false);
    expect(sends(holder)).toBe(true);
    await holder.hide();
  });

  test("and goes on while somebody looks has its turn until it gives it back, and sends nothing", async () => {
    const { folder, holder, goOn, other } = await stalledHolder();
    beforeSteps(async (step) => {
      // After it was marked.
      if (step === 4) goOn();
    });
    expect(await saysGone(other())).toBe(false);
    disk.beforeStep = undefined;
    expect(sends(holder)).toBe(false);
    expect(await saysGone(other())).toBe(false);
    await holder.hide();
    expect(await saysGone(other())).toBe(true);
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
  });

  test("keeps nobody waiting whom a killed one had begun to look for", async () => {
    for (const killedAt of STEPS) {
      const { folder, holder, other } = await stalledHolder();
      const killed = Promise.withResolvers<void>();
      beforeSteps(async (step) => {
        if (step !== killedAt) return;
        killed.resolve();
        await new Promise(() => undefined);
      });
      await Promise.race([saysGone(other()), killed.promise]);
      disk.beforeStep = undefined;
      expect(await saysGone(other())).toBe(true);
      expect(sends(holder)).toBe(false);
      expect(readdirSync(join(folder, "runs"))).toEqual([]);
    }
  });
});

describe("where the clock is set", () => {
  const HOURS_MS = 5 * 60 * 60 * 1_000;

  /** A machine whose time only this test sets, with the heartbeat of one run. */
  function machine() {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const folder = makeFolder();
    const path = join(folder, "runs", "holder.lock");
    mkdirSync(path, { recursive: true });
    return {
      other: createHeartbeats(folder, machineTime),
      pass: (ms: number) => vi.advanceTimersByTime(ms),
      setClock: (byMs: number) => vi.setSystemTime(Date.now() + byMs),
      beat: () => goOn(path),
    };
  }

  test("a run that was killed while it was hours ahead is gone after some seconds", async () => {
    const { other, pass, setClock, beat } = machine();
    setClock(HOURS_MS);
    beat();
    setClock(-HOURS_MS);
    expect(await saysGone(other)).toBe(false);
    pass(4_000);
    expect(await saysGone(other)).toBe(false);
    pass(2_000);
    expect(await saysGone(other)).toBe(true);
  });

  test.each([
    ["back", -HOURS_MS],
    ["ahead", HOURS_MS],
  ])("%s, a run that goes on is not gone", async (_where, byMs) => {
    const { other, pass, setClock, beat } = machine();
    for (let second = 0; second < 20; second++) {
      beat();
      expect(await saysGone(other)).toBe(false);
      pass(900);
      if (second === 5) setClock(byMs);
      expect(await saysGone(other)).toBe(false);
      pass(100);
    }
    pass(6_000);
    expect(await saysGone(other)).toBe(true);
  });

  test("a run whose heartbeats lie ahead for all its life is not gone before it is killed", async () => {
    const { other, pass, setClock, beat } = machine();
    for (let second = 0; second < 20; second++) {
      setClock(HOURS_MS);
      beat();
      setClock(-HOURS_MS);
      expect(await saysGone(other)).toBe(false);
      pass(1_000);
    }
    pass(5_000);
    expect(await saysGone(other)).toBe(true);
  });
});
