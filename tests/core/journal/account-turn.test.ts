import { describe, expect, test } from "vitest";
import { accountFormat } from "../../../provider/core/journal/account-document.ts";
import { openAccountTurn } from "../../../provider/core/journal/account-turn.ts";
import { presenceByTime } from "../../../provider/core/journal/presence-by-time.ts";
import { openPurchases } from "../../../provider/core/journal/purchases.ts";
import { openRecord } from "../../../provider/core/journal/record.ts";
import type { HeldLock, Presence } from "../../../provider/core/ports.ts";
import { changeIntent } from "../../../provider/core/records/intent.ts";
import { troubleOf } from "../../journals/file/folders.ts";
import { everybody } from "../../support/presence.ts";
import { orderIntent } from "../records/intents.ts";
import { createManualClock, type ManualClock } from "../support/account-under-test.ts";
import { makeDocumentBench } from "../support/journal-documents.ts";

/** Times of a turn: the work takes a minute at most. */
const times = { holdMs: 60_000, waitMs: 10_000 };

/** The answer to this purchase, and its late effects, are over 90 s after it is sent. A store may tell whole seconds. */
const WINDOW_MS = 90_000 + 1_000;

/** Of runs that everybody sees going on. */
const heartbeat = (seen: Partial<Presence> = {}): Presence => ({ ...everybody, ...seen });

/** Machines that share a journal: nobody sees who lives, so only the store's clock tells. */
function makeMachines() {
  const { raw, clock, open } = makeDocumentBench();
  const machine = (runId: string, own: ManualClock = clock, seen?: Presence) => {
    const store = open(own);
    const account = openRecord(store, "account.json", accountFormat);
    const presence = seen ?? presenceByTime(store, account);
    const locks = openAccountTurn({ store, account, presence, clock: own, runId });
    const purchases = openPurchases(store, account);
    const intent = orderIntent({ id: `${runId}-1`, runId });
    return { ...locks, purchases, intent };
  };
  return { raw, clock, machine };
}

const noWork = async () => undefined;

/** Work that never ends, as that of a process that was killed. */
function holdForEver({
  withAccount,
}: Pick<ReturnType<ReturnType<typeof makeMachines>["machine"]>, "withAccount">) {
  const begun = Promise.withResolvers<HeldLock>();
  void withAccount(times, async (turn) => {
    begun.resolve(turn);
    return new Promise<never>(() => undefined);
  });
  return begun.promise;
}

describe("the turn on an account", () => {
  test("is had by one at a time, in one process and in several", async () => {
    const { machine } = makeMachines();
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      for (let n = 0; n < 10; n++) await Promise.resolve();
      inside -= 1;
    };
    const machines = [machine("a"), machine("b"), machine("c")];
    const patient = { holdMs: 600_000, waitMs: 600_000 };
    await Promise.all(
      [...machines, ...machines].map(({ withAccount }) => withAccount(patient, work)),
    );
    expect(most).toBe(1);
  });

  test("gives what was done, and is over when that failed", async () => {
    const { machine } = makeMachines();
    const fail = () => Promise.reject(new Error("no luck"));
    await expect(machine("a").withAccount(times, fail)).rejects.toThrow("no luck");
    expect(await machine("b").withAccount(times, async () => 7)).toBe(7);
  });

  test("is told as contended by who had to wait, and where another one has bought since", async () => {
    const { machine } = makeMachines();
    const [a, b] = [machine("a"), machine("b")];
    const isContended = { contended: false };
    const ask = async (lock: typeof isContended) => lock.contended;
    await a.withAccount(times, ask);
    expect(await a.withAccount(times, ask)).toBe(false);
    const sent = { ...b.intent, sequence: 1 };
    await b.withAccount(times, async () => {
      await b.purchases.create(sent);
      await b.purchases.replace(changeIntent(sent, { phase: "closed" }, new Date(0)));
    });
    expect(await a.withAccount(times, ask)).toBe(true);
  });

  test("that does not come in time is told, and the time is the clock's", async () => {
    const { clock, machine } = makeMachines();
    await holdForEver(machine("a"));
    const begunMs = clock.elapsedMs();
    const { reason, message } = await troubleOf(machine("b").withAccount(times, async () => 7));
    expect([reason, message]).toEqual(["busy", expect.stringContaining("another run")]);
    expect(clock.elapsedMs() - begunMs).toBeGreaterThan(times.waitMs);
    expect(clock.elapsedMs() - begunMs).toBeLessThan(times.waitMs + 2_000);
  });

  test("of a machine that died before it sent is free when its time is over", async () => {
    const { clock, machine } = makeMachines();
    await holdForEver(machine("a"));
    clock.advance(times.holdMs);
    expect(await machine("b").withAccount(times, async () => 7)).toBe(7);
  });

  test("of a machine that may have sent is not free before answer and late effects are over", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    await holdForEver(a);
    await a.purchases.create(a.intent);
    clock.advance(WINDOW_MS - times.waitMs - 2_000);
    expect((await troubleOf(machine("b").withAccount(times, async () => 7))).reason).toBe("busy");
    const later = machine("c");
    expect(await later.withAccount(times, () => later.purchases.readAll())).toEqual([a.intent]);
  });

  test("is kept while nobody has written down what became of the purchase", async () => {
    const { machine } = makeMachines();
    const a = machine("a");
    await a.withAccount(times, () => a.purchases.create(a.intent));
    expect((await troubleOf(machine("b").withAccount(times, async () => 7))).reason).toBe("busy");
    await a.withAccount(times, () =>
      a.purchases.replace(changeIntent(a.intent, { phase: "placed" }, new Date(0))),
    );
    expect(await machine("b").withAccount(times, async () => 7)).toBe(7);
  });

  test("that was taken over is lost to its holder: it does not send, and what it writes is refused", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    const { assertHeld } = await holdForEver(a);
    assertHeld();
    clock.advance(times.holdMs + 1);
    expect(assertHeld).toThrow("lost its turn");
    const b = machine("b");
    await b.withAccount(times, async () => {
      expect((await troubleOf(a.purchases.create(a.intent))).reason).toBe("busy");
      expect(await b.purchases.readAll()).toEqual([]);
      expect(await b.purchases.create(b.intent)).toBe(true);
    });
  });

  test("lasts from when a purchase is written down until its late effects are over", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    const turn = await holdForEver(a);
    expect(turn.lastsMs()).toBe(times.holdMs);
    await a.purchases.create(a.intent);
    expect(turn.lastsMs()).toBe(WINDOW_MS);
    clock.advance(WINDOW_MS - 60_000);
    expect(turn.lastsMs()).toBe(60_000);
    clock.advance(60_000);
    expect(turn.lastsMs).toThrow("lost its turn");
  });

  test("that everybody sees held lasts no longer for what is sent in it", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a", clock, heartbeat());
    const turn = await holdForEver(a);
    await a.purchases.create(a.intent);
    clock.advance(WINDOW_MS + 1);
    turn.assertHeld();
    expect(turn.lastsMs()).toBe(-1);
  });

  test("is waited for in silence for two seconds, and then this is told once", async () => {
    const { clock, machine } = makeMachines();
    await holdForEver(machine("a"));
    const toldMs: number[] = [];
    const beganMs = clock.elapsedMs();
    const onBusy = () => void toldMs.push(clock.elapsedMs() - beganMs);
    await machine("b").withAccount({ holdMs: 60_000, waitMs: 90_000, onBusy }, noWork);
    expect(toldMs).toHaveLength(1);
    expect(toldMs[0]).toBeGreaterThan(2_000);
    expect(toldMs[0]).toBeLessThan(4_000);
  });

  test("is waited for no longer once it is not wanted any more, as when a person cancels the run", async () => {
    const { clock, machine } = makeMachines();
    await holdForEver(machine("a"));
    const beganMs = clock.elapsedMs();
    const assertWanted = () => {
      if (clock.elapsedMs() - beganMs > 5_000) throw new Error("cancelled");
    };
    const waiting = machine("b").withAccount({ ...times, waitMs: 90_000, assertWanted }, noWork);
    await expect(waiting).rejects.toThrow("cancelled");
    expect(clock.elapsedMs() - beganMs).toBeLessThan(7_000);
  });

  test("lasts on for who keeps it: others wait, however long that takes", async () => {
    const { clock, machine } = makeMachines();
    const turn = await holdForEver(machine("a"));
    for (let n = 0; n < 5; n++) {
      clock.advance(times.holdMs - 1);
      await turn.keep();
      expect(turn.lastsMs()).toBe(times.holdMs);
      const busy = await troubleOf(machine("b").withAccount({ ...times, waitMs: 0 }, noWork));
      expect(busy.reason).toBe("busy");
    }
  });

  test("is kept without a write before half of its time is over", async () => {
    const { clock, raw, machine } = makeMachines();
    const turn = await holdForEver(machine("a"));
    const begun = raw.requests();
    clock.advance(times.holdMs / 2 - 1);
    await turn.keep();
    expect(raw.requests()).toBe(begun);
    clock.advance(1);
    await turn.keep();
    expect(raw.requests()).toBe(begun + 1);
  });

  test("whose time is over is kept if nobody has taken it, and lost if somebody has, though they gave it back", async () => {
    const { clock, machine } = makeMachines();
    const turn = await holdForEver(machine("a"));
    clock.advance(times.holdMs + 1);
    await turn.keep();
    clock.advance(times.holdMs + 1);
    await machine("b").withAccount(times, noWork);
    await expect(turn.keep()).rejects.toThrow("lost its turn");
    await expect(turn.keep()).rejects.toThrow("lost its turn");
  });

  test("that can't be kept because the store is away is held for as long as it lasts, and not longer", async () => {
    const { clock, raw, machine } = makeMachines();
    const turn = await holdForEver(machine("a"));
    clock.advance(times.holdMs - 1_000);
    raw.expect("refused");
    await turn.keep();
    clock.advance(1_001);
    raw.expect("refused");
    expect((await troubleOf(turn.keep())).reason).toBe("unavailable");
  });

  test("that is seen held by a heartbeat is kept while nobody has taken it, also where the heartbeat was found old", async () => {
    const { clock, machine } = makeMachines();
    let isShown = true;
    const a = machine("a", clock, heartbeat({ isShown: () => isShown }));
    const turn = await holdForEver(a);
    clock.advance(times.holdMs * 10);
    isShown = false;
    expect(turn.assertHeld).toThrow("lost its turn");
    await turn.keep();
    await machine("b", clock, heartbeat({ isGone: async () => true })).withAccount(times, noWork);
    await expect(turn.keep()).rejects.toThrow("lost its turn");
  });

  test("whose holder watches what it has sent is waited for anew each time, and no longer where it does not", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    const turn = await holdForEver(a);
    await a.purchases.create(a.intent);
    const { prolonged, waitedMs } = await waitWhile(machine, () => {
      clock.advance(WINDOW_MS - times.holdMs / 2);
      return turn.keep();
    });
    expect(prolonged).toBe(10);
    expect(waitedMs).toBeGreaterThan(100_000);
  });

  test("whose holder goes on to further purchases is not waited for without end", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    let buys = 0;
    await a.withAccount({ ...times, waitMs: 0 }, async () => {
      const { waitedMs } = await waitWhile(machine, async () => {
        clock.advance(1_000);
        const intent = { ...a.intent, id: `a-${++buys}` };
        await a.purchases.create(intent);
      });
      expect(waitedMs).toBeLessThan(40_000);
    });
    expect(buys).toBeGreaterThan(1);
  });

  /** Waits for 30 s for a holder that does something every 10 waits, ten times at most. */
  async function waitWhile(
    machine: ReturnType<typeof makeMachines>["machine"],
    act: () => Promise<void>,
  ) {
    let prolonged = 0;
    const own = createManualClock((waits) => {
      if (waits % 10 !== 9 || prolonged === 10) return;
      prolonged += 1;
      void act();
    });
    const beganMs = own.elapsedMs();
    const patient = { holdMs: 60_000, waitMs: 30_000 };
    expect((await troubleOf(machine("b", own).withAccount(patient, noWork))).reason).toBe("busy");
    return { prolonged, waitedMs: own.elapsedMs() - beganMs };
  }

  test("is not lost by a write of something else that fails", async () => {
    const { raw, machine } = makeMachines();
    const a = machine("a");
    const turn = await holdForEver(a);
    await a.purchases.create(a.intent);
    raw.expect("refused");
    const other = changeIntent(a.intent, { hasTraces: true }, new Date(0));
    await expect(a.purchases.replace(other)).rejects.toThrow();
    turn.assertHeld();
    expect(turn.lastsMs()).toBe(WINDOW_MS);
  });

  test("in which something was sent, and nobody knows what became of it, stays when it is given back, and is free when its time is over", async () => {
    const { clock, raw, machine } = makeMachines();
    const lives = heartbeat();
    const a = machine("a", clock, lives);
    await a.withAccount(times, () => a.purchases.create(a.intent));
    await a.withAccount({ holdMs: 1_000, waitMs: 0 }, noWork);
    expect(raw.historyOf("account.json").at(-1)).toContain('"phase": "sending"');
    const b = machine("b", clock, lives);
    expect((await troubleOf(b.withAccount({ ...times, waitMs: 0 }, noWork))).reason).toBe("busy");
    clock.advance(WINDOW_MS + 1);
    await b.withAccount({ ...times, waitMs: 0 }, noWork);
  });

  test("of a machine that slept is lost when it wakes up, though one of its clocks stood still", async () => {
    const { machine } = makeMachines();
    let sleptMs = 0;
    const own = createManualClock();
    const sleepy = { ...own, now: () => new Date(own.now().getTime() + sleptMs) };
    const { assertHeld } = await holdForEver(machine("a", sleepy));
    assertHeld();
    sleptMs = times.holdMs;
    expect(assertHeld).toThrow("lost its turn");
  });

  test("is told by the store's clock, on machines whose clocks are hours apart", async () => {
    const { clock, machine } = makeMachines();
    const early = createManualClock();
    const late = createManualClock();
    late.advance(5 * 60 * 60_000);
    const { assertHeld } = await holdForEver(machine("a", early));
    const busy = await troubleOf(machine("b", late).withAccount(times, async () => 7));
    expect(busy.reason).toBe("busy");
    assertHeld();
    clock.advance(times.holdMs + 1);
    expect(await machine("b", late).withAccount(times, async () => 7)).toBe(7);
  });

  test("a purchase takes four round trips: take, send, answer, give back", async () => {
    const { raw, machine } = makeMachines();
    const a = machine("a");
    const placed = changeIntent(a.intent, { phase: "placed" }, new Date(0));
    // To plan the purchase, the run has read the journal.
    await a.purchases.readAll();
    const trips: number[] = [];
    const begun = raw.requests();
    await a.withAccount(times, async () => {
      expect(await a.purchases.readInTurn()).toEqual([]);
      await a.purchases.create(a.intent);
      trips.push(raw.requests() - begun);
      await a.purchases.replace(placed);
      trips.push(raw.requests() - begun);
    });
    trips.push(raw.requests() - begun);
    expect(trips).toEqual([2, 3, 4]);
  });

  test("a purchase that another one of its process follows takes three", async () => {
    const { raw, machine } = makeMachines();
    const a = machine("a");
    await a.purchases.readAll();
    const begun = raw.requests();
    const buy = (id: string) =>
      a.withAccount(times, async () => {
        const intent = { ...a.intent, id };
        await a.purchases.create(intent);
        await a.purchases.replace(changeIntent(intent, { phase: "placed" }, new Date(0)));
      });
    await Promise.all(["first", "second", "third"].map(buy));
    expect(raw.requests() - begun).toBe(3 + 3 + 4);
    expect(raw.historyOf("account.json").at(-1)).not.toContain('"turn"');
  });

  test("is given back although something could not be written in it", async () => {
    const { raw, machine } = makeMachines();
    // A run that waits for a delivery is seen to go on.
    const a = machine("a", undefined, heartbeat());
    const b = machine("b", undefined, heartbeat());
    const failed = a.withAccount(times, async () => {
      raw.expect("refused");
      await a.purchases.create(a.intent);
    });
    await expect(failed).rejects.toThrow();
    expect(await b.withAccount(times, async () => "had it")).toBe("had it");
  });

  test("what another machine has written before the turn is read in it", async () => {
    const { machine } = makeMachines();
    const [a, b] = [machine("a"), machine("b")];
    await a.purchases.readAll();
    await b.withAccount(times, async () => {
      await b.purchases.create(b.intent);
      await b.purchases.replace(changeIntent(b.intent, { phase: "placed" }, new Date(0)));
    });
    await a.withAccount(times, async () => {
      expect(await a.purchases.readInTurn()).toMatchObject([{ id: b.intent.id, phase: "placed" }]);
    });
  });
});

test("a run counts as alive while a purchase of it may be on its way", async () => {
  const { clock, machine } = makeMachines();
  const a = machine("a");
  await holdForEver(a);
  await a.purchases.create(a.intent);
  const b = machine("b");
  expect([await b.isRunAlive("a"), await b.isRunAlive("b")]).toEqual([true, false]);
  expect(Date.parse((await b.turnEndOf("a")) ?? "")).toBeGreaterThan(clock.now().getTime());
  expect(await b.turnEndOf("b")).toBeUndefined();
  clock.advance(WINDOW_MS + 1);
  expect(await b.isRunAlive("a")).toBe(false);
});

test.each([
  ["while the run has the turn", true],
  ["no longer than an answer may come, once the run has given the turn back", false],
])("a purchase of a run that everybody sees going on is under way %s", async (_, isHeld) => {
  const { clock, machine } = makeMachines();
  const a = machine("a", clock, heartbeat());
  const history = [{ phase: "sending", at: clock.now().toISOString() }];
  const sent = { ...a.intent, history };
  const isSent = Promise.withResolvers<void>();
  const turn = a.withAccount(times, async () => {
    await a.purchases.create(sent);
    isSent.resolve();
    return isHeld ? new Promise<never>(() => undefined) : undefined;
  });
  await (isHeld ? isSent.promise : turn);
  const b = machine("b", clock, heartbeat());
  expect(await b.isUnderWay(sent)).toBe(true);
  clock.advance(WINDOW_MS + 1);
  expect(await b.isUnderWay(sent)).toBe(isHeld);
  // Any other is its run's affair: it may wait for a delivery.
  expect(await b.isUnderWay({ ...sent, phase: "placed" })).toBe(true);
});

describe("a run that is stopped", () => {
  test("has no turn any more, once its time is over, and does not send later", async () => {
    const { clock, machine } = makeMachines();
    const a = machine("a");
    const { assertHeld } = await holdForEver(a);
    await a.purchases.create(a.intent);
    const b = machine("b");
    expect((await troubleOf(b.stopRun("a"))).reason).toBe("busy");
    clock.advance(WINDOW_MS + 1);
    await b.stopRun("a");
    expect(assertHeld).toThrow("lost its turn");
    expect(await machine("c").withAccount(times, async () => 7)).toBe(7);
  });

  test("without the turn leaves it to whoever has it", async () => {
    const { machine } = makeMachines();
    const { assertHeld } = await holdForEver(machine("a"));
    await machine("b").stopRun("c");
    assertHeld();
  });
});
