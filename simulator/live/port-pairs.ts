import { scatter } from "../scatter.ts";

const firstPort = 10_000;

/**
 * A prime, so that steps of any width lead through all of them. The last one is below 32,768: systems use the ports
 * above for outgoing connections, and any of those may be in use for a moment.
 */
const pairCount = 11_383;

/** Gives pairs of neighbouring ports to proxies. No pair is given twice before each was given once. */
export class PortPairs {
  #given = new Set<number>();
  readonly #held = new Set<number>();

  /** The lower port of a pair: the wanted one, or one on a walk from there. The same calls give the same pairs. */
  take(wantedPort: number): number {
    if (this.#given.size === pairCount) this.#given = new Set(this.#held);
    const wanted = Math.floor((wantedPort - firstPort) / 2) % pairCount;
    // Each start has its own width, so that simulators of the same seed avoid each other in few steps.
    const step = 1 + (scatter(0, "step", wanted) % (pairCount - 1));
    let pair = wanted;
    while (this.#given.has(pair)) pair = (pair + step) % pairCount;
    this.#given.add(pair);
    this.#held.add(pair);
    return firstPort + 2 * pair;
  }

  /** Takes back the port of a proxy that has ended, or could not use it. */
  release(port: number): void {
    this.#held.delete((port - firstPort) / 2);
  }

  /** Forgets all pairs. */
  clear(): void {
    this.#given.clear();
    this.#held.clear();
  }
}
