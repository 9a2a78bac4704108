import type { Presence } from "../ports.ts";
import type { AccountDocument } from "./account-document.ts";
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
    show: async () => undefined,
    hide: async () => undefined,
    isShown: ({ until }, now) => now.getTime() < Date.parse(until),
    isGone: async ({ until }, now) => now.getTime() > Date.parse(until),
    async isAlive(runId) {
      const { turn } = await account.read();
      return turn?.runId === runId && store.now().getTime() <= Date.parse(turn.until);
    },
  };
}
