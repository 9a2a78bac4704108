import type { Journal } from "../journal/journal.ts";
import type { Clock, Log } from "../ports.ts";
import { assertNotCancelled } from "./cancellation.ts";
import type { Listing } from "./listing.ts";

interface Waiting {
  journal: Pick<Journal, "isShared">;
  clock: Pick<Clock, "elapsedMs" | "sleep">;
  log: Pick<Log, "progress">;
  cancelled: AbortSignal;
  listing: Pick<Listing, "invalidate">;
  settings: { timeoutMs: number; settlingMs: number };
}

const PAUSE_MS = 1_000;

/** The clock of a store may tell whole seconds. */
const ROUNDING_MS = 2_000;

/**
 * Looks for a purchase that another run is making. On a journal of this machine, that is known at once. On a shared one
 * nobody can see whether a run was killed, so this waits until its answer can't come any more. What was listed before that
 * may lack what the other one has bought. Throws if a person cancels the run meanwhile.
 * @returns what is still being made after that; undefined for nothing
 */
export async function awaitOtherRun<Found>(
  { journal, clock, log, cancelled, listing, settings }: Waiting,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const longestMs = settings.timeoutMs + settings.settlingMs + ROUNDING_MS;
  const giveUpMs = clock.elapsedMs() + longestMs;
  let found = await look();
  if (found === undefined || !journal.isShared) return found;
  log.progress(
    `another run may be buying for this resource; waiting until its answer can't come any more, at most ${Math.ceil(longestMs / 1000)} s`,
  );
  while (found !== undefined && clock.elapsedMs() < giveUpMs) {
    await clock.sleep(PAUSE_MS);
    assertNotCancelled(cancelled);
    found = await look();
  }
  listing.invalidate();
  return found;
}
