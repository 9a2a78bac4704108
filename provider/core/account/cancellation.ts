import type { Clock } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";

/** What a wait needs that a cancellation may cut short. */
interface Waiting {
  clock: Clock;
  cancelled: AbortSignal;
}

/** For a process that nobody can cancel. */
export const neverCancelled: AbortSignal = new AbortController().signal;

/** Sleeps; wakes up at once when the run is cancelled. */
export async function pause({ clock, cancelled }: Waiting, ms: number): Promise<void> {
  if (cancelled.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const wake = () => resolve();
    cancelled.addEventListener("abort", wake, { once: true });
    clock
      .sleep(ms)
      .then(resolve, reject)
      .finally(() => cancelled.removeEventListener("abort", wake));
  });
}

/** Throws if a person has cancelled the run: then nothing is bought. */
export function assertNotCancelled(cancelled: AbortSignal): void {
  if (!cancelled.aborted) return;
  throw new ProxyRentalError(
    "RUN_CANCELLED",
    "the run was cancelled. This purchase was not sent. Run again.",
  );
}
