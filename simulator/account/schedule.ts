import type { Clock } from "../clock.ts";
import { Agenda } from "./agenda.ts";

/** What will happen to an account. Each thing happens at its own moment, even if somebody looks much later. */
export class Schedule {
  readonly #clock: Clock;
  readonly #agenda = new Agenda<() => void>();
  /** The next appointment of each thing. */
  readonly #plannedMs = new Map<object, number>();
  /** Set while something is done that was due earlier than now. */
  #dueAtMs: number | undefined;
  #putOff = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many calls are still to be carried out. */
  get putOffCount(): number {
    return this.#putOff;
  }

  /** The service's time. While `settle` catches up, the time at which something was due. */
  nowMs(): number {
    return this.#dueAtMs ?? this.#clock.now().getTime();
  }

  /** Does what has become due since the last call. */
  settle(): void {
    const nowMs = this.nowMs();
    for (let due = this.#agenda.takeDue(nowMs); due; due = this.#agenda.takeDue(nowMs)) {
      this.#dueAtMs = due.atMs;
      try {
        due.what();
      } finally {
        this.#dueAtMs = undefined;
      }
    }
  }

  /** Puts a call off. The first `settle` after that time carries it out, as if it had come at that time. */
  putOff(byMs: number, work: () => void): void {
    this.#putOff += 1;
    this.#agenda.plan(this.nowMs() + byMs, () => {
      this.#putOff -= 1;
      work();
    });
  }

  /**
   * Keeps one appointment for each thing, the earliest. It must do no harm if a later change has made it pointless,
   * because it is kept then too.
   */
  plan(thing: object, atMs: number, work: () => void): void {
    if (atMs >= (this.#plannedMs.get(thing) ?? Infinity)) return;
    this.#plannedMs.set(thing, atMs);
    this.#agenda.plan(atMs, () => {
      this.#plannedMs.delete(thing);
      work();
    });
  }
}
