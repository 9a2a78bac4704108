import type { AccountSettings } from "../account.ts";
import type { Clock, HeldLock } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";

/**
 * Makes the last question before a purchase leaves: whether the turn is still held, and whether the answer
 * can still come in the time that was written down for it. To be made when the intent is drafted. It asks
 * both clocks, because one of them stands still while a machine sleeps.
 */
export function createSendCheck(
  { clock, settings }: { clock: Clock; settings: Pick<AccountSettings, "timeoutMs"> },
  turn: Pick<HeldLock, "assertHeld">,
): () => void {
  const draftedAtMs = clock.elapsedMs();
  const draftedAt = clock.now().getTime();
  return () => {
    turn.assertHeld();
    const heldUpMs = Math.max(clock.elapsedMs() - draftedAtMs, clock.now().getTime() - draftedAt);
    if (heldUpMs <= settings.timeoutMs) return;
    throw new ProxyRentalError(
      "SERVICE_TIMEOUT",
      `this purchase was held up for ${Math.round(heldUpMs / 1000)} s right before it would have been sent, by a slow connection or a machine that slept. That is longer than proxyrental:timeoutSeconds (${settings.timeoutMs / 1000} s). It was not sent. Run again.`,
    );
  };
}
