import type { Presence } from "../ports.ts";
import type { AccountDocument, HeldTurn } from "./account-document.ts";
import type { JournalRecord, TimedStore } from "./record.ts";

/**
 * For a journal that many machines share: nobody can see whether a process of another machine lives. So a turn is over
 * when its time is, by the store's clock, and a run counts as alive while a purchase of it may be on its way.
 */
export function presenceByTime(
  store: TimedStore,
  account: JournalRecord<AccountDocument>,
): Presence {
  return {
    isByTime: true,
    show: async () => undefined,
    hide: async () => undefined,
    isShown: ({ until }, now) => now.getTime() < Date.parse(until),
    isGone: async ({ until }, now) => now.getTime() > Date.parse(until),
    async isAlive(runId) {
      const isLasting = (turn: HeldTurn | undefined) =>
        turn !== undefined && store.now().getTime() <= Date.parse(turn.until);
      // While somebody else has the turn, for instance this run, nobody needs to look anew.
      const { turn: seen } = await account.seen();
      if (seen !== undefined && seen.runId !== runId && isLasting(seen)) return false;
      const { turn } = await account.read();
      return turn?.runId === runId && isLasting(turn);
    },
  };
}
