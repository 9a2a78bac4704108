import type { EndpointName } from "../request-log.ts";
import { scatter } from "../scatter.ts";
import type { Fault, FaultHandle, FaultRule } from "./fault.ts";
import { checkFaultRule } from "./fault-check.ts";

interface Entry {
  readonly rule: FaultRule;
  /** Its place among all rules ever added: with the seed, what its draws come from. */
  readonly index: number;
  callsSeen: number;
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
  #entries: Entry[] = [];
  #added = 0;
  #hits = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Throws a TypeError that names the field when the rule makes no sense. */
  add(rule: FaultRule): FaultHandle {
    checkFaultRule(rule);
    const entry: Entry = { rule, index: this.#added, callsSeen: 0, hits: 0 };
    this.#added += 1;
    this.#entries.push(entry);
    return {
      hits: () => entry.hits,
      remove: () => {
        this.#entries = this.#entries.filter((other) => other !== entry);
      },
    };
  }

  clear(): void {
    this.#entries = [];
  }

  /** How often any fault has struck since the start. */
  hits(): number {
    return this.#hits;
  }

  /** The faults that a call meets, in the order in which they were added. Has to be asked once for each call. */
  meet(endpoint: EndpointName): MetFault[] {
    return this.#entries
      .filter((entry) => this.#decide(entry, endpoint))
      .map((entry) => ({
        phase: entry.rule.phase,
        fault: entry.rule.fault,
        count: () => {
          entry.hits += 1;
          this.#hits += 1;
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
