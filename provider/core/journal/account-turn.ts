import pLimit from "p-limit";
import {
  type Clock,
  JournalError,
  type Locks,
  type Presence,
  type TurnHolder,
  type Urgency,
} from "../ports.ts";
import { isPlaced, settledAt } from "../records/intent.ts";
import type { AccountDocument, HeldTurn } from "./account-document.ts";
import type { JournalRecord, TimedStore } from "./record.ts";
import type { SignsOfLife } from "./signs-of-life.ts";
import { isLostTurn, lostTurn, prolongTurn, releaseTurn, takeTurn } from "./turn-rules.ts";

const FIRST_WAIT_MS = 20;

const LONGEST_WAIT_MS = 1_000;

/** Whoever waits for longer than this is told why. */
const UNREMARKABLE_MS = 2_000;

/** To stop another run, the turn is only taken and given back. */
const STOPPING_MS = 60_000;

type TurnTimes = Parameters<Locks["withAccount"]>[0];

/** What the turn on an account needs. */
interface TurnParts {
  store: TimedStore;
  account: JournalRecord<AccountDocument>;
  presence: Presence;
  clock: Clock;
  /** A random name of this process. */
  runId: string;
  /** @default which runs go on is seen by `presence` */
  signs?: SignsOfLife | undefined;
}

/**
 * The turn on an account, as a part of the account's document. It is taken, turned into "sending" (by `openPurchases`,
 * with the purchase) and given back, each by compare-and-set. So a process that others took for dead finds that out
 * before it sends.
 */
export function openAccountTurn({
  store,
  account,
  presence,
  clock,
  runId,
  signs,
}: TurnParts): Locks {
  const oneAtATime = pLimit(1);

  const leftOf = ({ until }: TurnHolder) => Date.parse(until) - store.latest().getTime();

  /**
   * By the newest answer, also where a write has failed since: no write of the one who has the turn makes it shorter.
   *
   * Asked right before a purchase leaves: throws if the turn was taken by somebody else meanwhile, or may be. What leaves must
   * be over by the time that was written down for it, also where others see that this process lives.
   */
  function lastsMs(): number {
    const turn = account.told()?.turn;
    if (turn?.runId !== runId || !presence.isShown(turn, store.latest())) throw lostTurn();
    return leftOf(turn);
  }

  /**
   * Where heartbeats are seen, others may take it at any time, so the document is looked at. That somebody has found the heartbeat
   * old, and has not taken the turn, forbids to send, and not to watch.
   */
  async function keep(holdMs: number): Promise<void> {
    const turn = account.told()?.turn;
    if (turn?.runId !== runId) throw lostTurn();
    if (presence.isByTime && leftOf(turn) > holdMs / 2) return;
    const prolong = (state: AccountDocument, now: Date) => {
      const until = new Date(now.getTime() + holdMs);
      const half = new Date(now.getTime() + holdMs / 2);
      return { state: prolongTurn(state, { runId, until }, half), result: undefined };
    };
    await account.update(prolong).catch((error: unknown) => {
      const isStillHeld = presence.isByTime && leftOf(turn) > 0 && !isLostTurn(error);
      if (!isStillHeld) throw error;
    });
  }

  /** Gives whether somebody else had it, or has bought something since this process last looked. */
  async function take({ holdMs, waitMs, assertWanted, onBusy }: TurnTimes): Promise<boolean> {
    await presence.show(runId);
    const beganMs = clock.elapsedMs();
    let patientSinceMs = beganMs;
    let last: HeldTurn | undefined;
    let isBusyTold = false;
    const sequence = account.peek()?.sequence;
    const gone = new Set<string>();
    for (let pauseMs = FIRST_WAIT_MS, isBusy = false; ; isBusy = true) {
      const holder = await account.update((state, now) => {
        const until = new Date(now.getTime() + holdMs);
        const taken = takeTurn(state, { runId, until }, (turn) => gone.has(nameOf(turn)));
        return taken === undefined
          ? { state, result: state.turn }
          : { state: taken, result: undefined };
      });
      if (holder === undefined) return isBusy || account.peek()?.sequence !== sequence;
      // What it has sent, and could not watch to the end, is over then, also if its run goes on with something else.
      const isLeftOver = holder.givenBack && store.now().getTime() > Date.parse(holder.until);
      if (isLeftOver || (await presence.isGone(holder, store.now()))) {
        gone.add(nameOf(holder));
        continue;
      }
      // Whoever watches what it has sent keeps its turn, and that comes to an end. Further purchases of a run may not.
      const isWatching = holder.intent !== undefined && holder.intent === last?.intent;
      if (isWatching && last?.until !== holder.until) patientSinceMs = clock.elapsedMs();
      last = holder;
      if (clock.elapsedMs() - patientSinceMs > waitMs) {
        throw new JournalError("busy", "another run keeps buying from the same account");
      }
      if (clock.elapsedMs() - beganMs > UNREMARKABLE_MS && !isBusyTold) {
        isBusyTold = true;
        onBusy?.();
      }
      await clock.sleep(pauseMs);
      assertWanted?.();
      pauseMs = Math.min(LONGEST_WAIT_MS, pauseMs * 2);
    }
  }

  /**
   * What can't be given back now is taken over by the next one, once this run has ended. If a write has failed, only the store
   * knows whether this process has the turn.
   */
  async function giveBack(urgency: Urgency): Promise<void> {
    const seen = account.peek();
    if (seen !== undefined && seen.turn?.runId !== runId) return;
    const release = (state: AccountDocument) => ({
      state: releaseTurn(state, runId),
      result: undefined,
    });
    await account.update(release, urgency).catch(() => undefined);
  }

  const withAccount: Locks["withAccount"] = (times, work) =>
    oneAtATime(async () => {
      let urgency: Urgency = "hasty";
      try {
        times.assertWanted?.();
        const contended = await take(times);
        urgency = "insistent";
        return await work({
          contended,
          assertHeld: () => void lastsMs(),
          lastsMs,
          keep: () => keep(times.holdMs),
        });
      } finally {
        // If the next one waits in this process, it takes the turn over, which saves a write.
        if (oneAtATime.pendingCount === 0) await giveBack(urgency);
      }
    });

  return {
    async holdRun(name) {
      signs?.begin();
      await presence.show(name);
    },
    async letRunGo() {
      await Promise.all([presence.hide(), signs?.end()]);
    },
    isRunAlive: (other) => presence.isAlive(other),
    async isUnderWay(intent) {
      if (!(await presence.isAlive(intent.runId))) return false;
      if (isPlaced(intent) || store.now() <= settledAt(intent)) return true;
      const { turn } = await account.read();
      return turn !== undefined && turn.runId === intent.runId && !turn.givenBack;
    },
    async turnEndOf(other) {
      if (!presence.isByTime) return undefined;
      const { turn } = await account.read();
      return turn?.runId === other ? turn.until : undefined;
    },
    doesRunGoOn: async (other) =>
      (await presence.isAlive(other)) || (signs !== undefined && (await signs.goesOn(other))),

    async stopRun(other) {
      const { turn } = await account.read();
      if (turn?.runId !== other) return;
      await withAccount({ holdMs: STOPPING_MS, waitMs: 0 }, async () => undefined);
    },

    withAccount,
  };
}

/** The same run may have the turn again later. */
function nameOf({ runId, until }: { runId: string; until: string }): string {
  return `${runId} ${until}`;
}
