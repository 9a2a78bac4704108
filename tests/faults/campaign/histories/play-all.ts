import { explore } from "./explore.ts";
import { playHistory, type Scope } from "./history.ts";
import type { Bounds } from "./scheduler.ts";

/** What was played, and the first that went wrong. */
export interface Histories {
  count: number;
  wrong: { what: readonly string[]; told: readonly string[] } | undefined;
}

export const scopes: readonly Scope[] = ["two stacks", "one stack twice"];

/** Plays all histories within these bounds, or until one goes wrong. */
export async function playHistories(scope: Scope, bounds: Bounds): Promise<Histories> {
  let count = 0;
  for await (const { isNew, wrong: what, told } of explore((chooser) =>
    playHistory(chooser, scope, bounds),
  )) {
    if (isNew) count += 1;
    if (what.length > 0) return { count, wrong: { what, told } };
  }
  return { count, wrong: undefined };
}
