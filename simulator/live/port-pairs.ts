import { scatter } from "../scatter.ts";

const firstPort = 10_000;

/**
 * A prime, so that a step of any width leads through all of them. The last one ends below 32,768: from there on systems take the
 * ports of connections that go out, and any of those may be in use for a moment.
 */
const pairCount = 11_383;

/** Which pairs of neighbouring ports proxies have. None is given twice before each was given once. */
export class PortPairs {
  #given = new Set<number>();
  readonly #held = new Set<number>();

  /** The lower port of a pair: the wanted one, or where a walk from there leads. The same calls give the same pairs. */
  take(wantedPort: number): number {
    if (this.#given.size === pairCount) this.#given = new Set(this.#held);
    const wanted = Math.floor((wantedPort - firstPort) / 2) % pairCount;
    // Another width for each beginning: simulators of the same seed get out of each other's way in few steps.
    const step = 1 + (scatter(0, "step", wanted) % (pairCount - 1));
    let pair = wanted;
    while (this.#given.has(pair)) pair = (pair + step) % pairCount;
    this.#given.add(pair);
    this.#held.add(pair);
    return firstPort + 2 * pair;
  }

  /** Of a proxy that has ended, or that could not use it. */
  release(port: number): void {
    this.#held.delete((port - firstPort) / 2);
  }

  /** As at the start. */
  clear(): void {
    this.#given.clear();
    this.#held.clear();
  }
}
