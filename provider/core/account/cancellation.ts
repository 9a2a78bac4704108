import type { Clock } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";

/** A wait that may be cut short. */
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

/** Nothing is bought in a run that a person has cancelled. */
export function assertNotCancelled(cancelled: AbortSignal): void {
  if (!cancelled.aborted) return;
  throw new ProxyRentalError(
    "RUN_CANCELLED",
    "the run was cancelled before this purchase was sent. Nothing was bought for this resource. Run again.",
  );
}
