import type { Intent, IntentChange } from "../records/intent.ts";
import { isConflict, MOST_TRIES, type PurchaseChanges } from "./purchase-changes.ts";

/** What is to be changed of purchases. */
export type Changes = ReadonlyMap<Intent, IntentChange>;

/** Changes that follow from what the journal has. */
export interface FollowingChanges {
  /** Reads what is known already. */
  read(): Promise<readonly Intent[]>;
  /** Reads what the store has. */
  readAnew(): Promise<readonly Intent[]>;
  /** Finds out what follows. It may be asked again. */
  changesOf(intents: readonly Intent[]): Changes | Promise<Changes>;
}

/** Changes purchases, each by what follows from its newest revision. */
export interface FollowUp {
  /** Gives why a purchase could not be changed yet; undefined if all were. */
  change(following: FollowingChanges): Promise<unknown>;
  /** Does what could not be done before, as far as the journal can be read now. */
  catchUp(): Promise<void>;
}

/** Makes what follows up the states that one process is shown. */
export function createFollowUp(
  changes: Pick<PurchaseChanges, "changeThis" | "makeUpFor" | "newestOf">,
): FollowUp {
  /** What could not be done because the journal could not be read. */
  let postponed: (() => Promise<unknown>)[] = [];

  function postpone({ readAnew, changesOf }: FollowingChanges): void {
    // What this process closes until then stays closed.
    const isOpen = ({ phase }: Intent) => phase !== "closed";
    const later: FollowingChanges = {
      read: readAnew,
      readAnew,
      changesOf: (intents) => changesOf(intents.filter(isOpen)),
    };
    postponed.push(() => change(later));
  }

  async function change(following: FollowingChanges): Promise<unknown> {
    const { read, readAnew, changesOf } = following;
    try {
      let known = await read();
      const lookAnew = async (before: Intent): Promise<Changes> => {
        // What this process has written since, it knows. What another one has written is read.
        const isOwn = changes.newestOf(before) !== before;
        known = isOwn ? known.map(changes.newestOf) : await readAnew();
        return changesOf(known);
      };
      let failure: unknown;
      for (const first of await changesOf(known)) {
        failure = (await changeOne(first, lookAnew)) ?? failure;
      }
      return failure;
    } catch (error) {
      postpone(following);
      return error;
    }
  }

  /**
   * Gives why it could not be written down.
   * @param lookAnew finds out what follows now that the purchase was changed since.
   */
  async function changeOne(
    [intent, next]: readonly [Intent, IntentChange],
    lookAnew: (before: Intent) => Promise<Changes>,
    tries = 1,
  ): Promise<unknown> {
    if (Object.keys(next).length === 0) return undefined;
    try {
      await changes.changeThis(intent, next);
      return undefined;
    } catch (error) {
      if (!isConflict(error)) changes.makeUpFor(intent, next);
      if (!isConflict(error) || tries === MOST_TRIES) return error;
    }
    const anew = await lookAnew(intent);
    const now = [...anew].find(([{ id }]) => id === intent.id);
    return now && changeOne(now, lookAnew, tries + 1);
  }

  return {
    change,

    async catchUp() {
      const again = postponed;
      postponed = [];
      await Promise.allSettled(again.map((work) => work()));
    },
  };
}
