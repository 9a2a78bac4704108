/** When a call must be over. */
export interface Deadline {
  /** Is aborted then, with a `TimeoutError`. */
  signal: AbortSignal;
  /** From now on only so much is left. What is left already is never made more. */
  bringForward(leftMs: number): void;
  /** Call this when the call is over. */
  end(): void;
}

/** Begins a deadline. `AbortSignal.timeout` can't be brought forward. */
export function beginDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const abortIn = (ms: number) =>
    setTimeout(
      () => controller.abort(new DOMException("the deadline is over", "TimeoutError")),
      ms,
    );
  const timers = [abortIn(timeoutMs)];
  return {
    signal: controller.signal,
    bringForward: (leftMs) => void timers.push(abortIn(leftMs)),
    end: () => timers.forEach(clearTimeout),
  };
}
