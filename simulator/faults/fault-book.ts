import type { EndpointName } from "../api/endpoint-name.ts";
import { scatter } from "../scatter.ts";
import type { Fault, FaultHandle, FaultRule } from "./fault.ts";
import { checkFaultRule } from "./fault-check.ts";

interface Entry extends Omit<FaultStanding, "usedUp"> {
  /** Its number among all rules ever added. Its draws come from this and the seed. */
  readonly index: number;
  callsSeen: number;
}

/** A rule, and how often it has struck. */
export interface FaultStanding {
  /** No other rule since the start has the same id. */
  readonly id: string;
  readonly rule: FaultRule;
  /** How often the fault has struck. */
  hits: number;
  /** Whether all calls that it is for have come. */
  readonly usedUp: boolean;
}

/** A rule that meets a call. Call `count` when the fault strikes. */
export interface MetFault {
  readonly phase: "before" | "after";
  readonly fault: Fault;
  count(): void;
}

/** Decides which calls meet which faults. What a fault does is elsewhere. */
export class FaultBook {
  readonly #seed: number;
  readonly #standing: readonly FaultRule[];
  #entries: Entry[] = [];
  #added = 0;
  #hits = 0;

  /** `standing` rules are there from the start, and again after a reset. */
  constructor(seed: number, standing: readonly FaultRule[] = []) {
    this.#seed = seed;
    this.#standing = standing;
    this.reset();
  }

  /** Throws a TypeError that names the wrong field of a rule. */
  add(rule: FaultRule): FaultHandle {
    checkFaultRule(rule);
    const index = this.#added;
    const entry: Entry = { id: `fault-${index + 1}`, rule, index, callsSeen: 0, hits: 0 };
    this.#added += 1;
    this.#entries.push(entry);
    return { id: entry.id, hits: () => entry.hits, remove: () => void this.remove(entry.id) };
  }

  /** The rules that are in force, oldest first. */
  list(): FaultStanding[] {
    return this.#entries.map(({ id, rule, hits, callsSeen }) => ({
      ...{ id, rule, hits },
      usedUp: rule.calls !== undefined && callsSeen >= Math.max(...rule.calls),
    }));
  }

  /** False if there is no such rule. */
  remove(id: string): boolean {
    const rest = this.#entries.filter((entry) => entry.id !== id);
    const isFound = rest.length < this.#entries.length;
    this.#entries = rest;
    return isFound;
  }

  clear(): void {
    this.#entries = [];
  }

  /** Resets to the start: new rules get the numbers and draws that the first ones had. */
  reset(): void {
    this.#entries = [];
    this.#added = 0;
    this.#hits = 0;
    for (const rule of this.#standing) this.add(rule);
  }

  /** How often any fault has struck since the start. */
  hits(): number {
    return this.#hits;
  }

  /**
   * The faults that a call meets, in the order in which they were added. `onStrike` is called for each that strikes.
   * Ask this exactly once for each call.
   */
  meet(endpoint: EndpointName, onStrike: (fault: Fault) => void = () => {}): MetFault[] {
    return this.#entries
      .filter((entry) => this.#decide(entry, endpoint))
      .map((entry) => ({
        phase: entry.rule.phase,
        fault: entry.rule.fault,
        count: () => {
          entry.hits += 1;
          this.#hits += 1;
          onStrike(entry.rule.fault);
        },
      }));
  }

  #decide(entry: Entry, endpoint: EndpointName): boolean {
    const { rule, index } = entry;
    if (rule.endpoint !== "any" && rule.endpoint !== endpoint) return false;
    entry.callsSeen += 1;
    if (rule.calls !== undefined && !rule.calls.includes(entry.callsSeen)) return false;
    // Each rule and call has its own draw, which other rules do not change.
    const draw = scatter(this.#seed, `fault ${index}`, entry.callsSeen) / 2 ** 32;
    return draw < (rule.probability ?? 1);
  }
}
