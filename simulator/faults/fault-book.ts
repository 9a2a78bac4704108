import type { EndpointName } from "../api/endpoint-name.ts";
import { scatter } from "../scatter.ts";
import type { Fault, FaultHandle, FaultRule } from "./fault.ts";
import { checkFaultRule } from "./fault-check.ts";

interface Entry extends FaultStanding {
  /** Its place among all rules ever added: with the seed, what its draws come from. */
  readonly index: number;
  callsSeen: number;
}

/** A rule and what has come of it. */
export interface FaultStanding {
  /** Unlike that of any other rule since the start. */
  readonly id: string;
  readonly rule: FaultRule;
  /** How often the fault has struck. */
  hits: number;
}

/** A rule that meets a call; `count` is for the moment at which the fault strikes. */
export interface MetFault {
  readonly phase: "before" | "after";
  readonly fault: Fault;
  count(): void;
}

/** Which calls meet which faults. Decides only: what a fault does is elsewhere. */
export class FaultBook {
  readonly #seed: number;
  readonly #standing: readonly FaultRule[];
  #entries: Entry[] = [];
  #added = 0;
  #hits = 0;

  /** `standing` are there from the start, and again after a reset. */
  constructor(seed: number, standing: readonly FaultRule[] = []) {
    this.#seed = seed;
    this.#standing = standing;
    this.reset();
  }

  /** Throws a TypeError that names the field when the rule makes no sense. */
  add(rule: FaultRule): FaultHandle {
    checkFaultRule(rule);
    const index = this.#added;
    const entry: Entry = { id: `fault-${index + 1}`, rule, index, callsSeen: 0, hits: 0 };
    this.#added += 1;
    this.#entries.push(entry);
    return { id: entry.id, hits: () => entry.hits, remove: () => void this.remove(entry.id) };
  }

  /** The rules that stand, oldest first. */
  list(): FaultStanding[] {
    return this.#entries.map(({ id, rule, hits }) => ({ id, rule, hits }));
  }

  /** False when there is no such rule. */
  remove(id: string): boolean {
    const rest = this.#entries.filter((entry) => entry.id !== id);
    const isFound = rest.length < this.#entries.length;
    this.#entries = rest;
    return isFound;
  }

  clear(): void {
    this.#entries = [];
  }

  /** As at the start: the rules that come are numbered, and draw, as the first ones did. */
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
   * The faults that a call meets, in the order in which they were added; `onStrike` hears of each that strikes. Has to be asked
   * once for each call.
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
    // A draw of its own for each rule and call: what other rules draw, and when, changes nothing.
    const draw = scatter(this.#seed, `fault ${index}`, entry.callsSeen) / 2 ** 32;
    return draw < (rule.probability ?? 1);
  }
}
