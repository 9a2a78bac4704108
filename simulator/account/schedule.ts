import type { Clock } from "../clock.ts";
import { Agenda } from "./agenda.ts";

/** What an account has before it. Each thing happens at its own moment, also where somebody looks much later. */
export class Schedule {
  readonly #clock: Clock;
  readonly #agenda = new Agenda<() => void>();
  /** When each thing has its next appointment. */
  readonly #plannedMs = new Map<object, number>();
  /** Set while something happens that was due earlier than now. */
  #dueAtMs: number | undefined;
  #putOff = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many calls are still to be carried out. */
  get putOffCount(): number {
    return this.#putOff;
  }

  /** The service's time; of what `settle` catches up on, the time at which it was due. */
  nowMs(): number {
    return this.#dueAtMs ?? this.#clock.now().getTime();
  }

  /** Lets happen what the clock has made due since the last call. */
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

  /** Has a call carried out by the first `settle` after that time, as if it had come at that time. */
  putOff(byMs: number, work: () => void): void {
    this.#putOff += 1;
    this.#agenda.plan(this.nowMs() + byMs, () => {
      this.#putOff -= 1;
      work();
    });
  }

  /**
   * One appointment a thing, the earliest that was planned. One that a later change made pointless must do no harm: it is kept
   * all the same.
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
