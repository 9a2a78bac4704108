interface Appointment<T> {
  atMs: number;
  /** Its number among all that was ever planned. */
  turn: number;
  what: T;
}

/**
 * Keeps what is due when. What is due at the same time comes in the order in which it was planned. It is a binary
 * heap, so "is anything due?" costs nothing, however much is planned.
 */
export class Agenda<T> {
  readonly #heap: Appointment<T>[] = [];
  #turns = 0;

  plan(atMs: number, what: T): void {
    const heap = this.#heap;
    const added = { atMs, turn: this.#turns, what };
    this.#turns += 1;
    let index = heap.length;
    heap.push(added);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || isBefore(parent, added)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = added;
  }

  /** Removes the earliest appointment that is due, and gives it; undefined if none is due. */
  takeDue(nowMs: number): Appointment<T> | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  #sink(sinking: Appointment<T>): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = heap[childIndex];
      const right = heap[childIndex + 1];
      if (child !== undefined && right !== undefined && isBefore(right, child)) {
        child = right;
        childIndex += 1;
      }
      if (child === undefined || isBefore(sinking, child)) break;
      heap[index] = child;
      index = childIndex;
    }
    heap[index] = sinking;
  }
}

function isBefore(a: Appointment<unknown>, b: Appointment<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);
}
