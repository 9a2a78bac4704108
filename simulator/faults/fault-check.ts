import type { PricedItem } from "../account/pricing.ts";
import { endpointNames } from "../api/endpoint-name.ts";
import { documentedCodes } from "../api/rejection.ts";
import { proxyTypes } from "../catalogue/catalogue.ts";
import type { Fault, FaultRule } from "./fault.ts";
import { faultConditions } from "./fault-conditions.ts";

/** The longest wait that Node's timers know. */
const longestWaitMs = 2 ** 31 - 1;

/** Ten years. A later date may have another form. */
const mostAheadMs = 10 * 365 * 86_400_000;

/** Endpoints with something to carry out later. */
const changingEndpoints: readonly string[] = ["createOrder", "extend", "setAutoExtension"];

/** Throws a TypeError that names the first wrong field and what it accepts. */
export function checkFaultRule(rule: FaultRule): void {
  const { endpoint, calls, probability = 1, phase, fault } = rule;
  requireOneOf("endpoint", endpoint, [...endpointNames, "any"]);
  for (const call of calls ?? []) requireWhole("calls", call, 1);
  if (!(probability >= 0 && probability <= 1)) {
    throw new TypeError(`probability must be a number from 0 to 1, not ${probability}`);
  }
  requireOneOf("phase", phase, ["before", "after"]);
  checkFault(fault);
  if (phase === "before" && faultConditions[fault.kind].phase === "after") {
    throw new TypeError(`phase must be "after" with a fault of kind "${fault.kind}"`);
  }
  if (fault.kind === "lateCommit") requireOneOf("endpoint", endpoint, changingEndpoints);
}

const checks: { [Kind in Fault["kind"]]: (fault: Extract<Fault, { kind: Kind }>) => void } = {
  reset: () => {},
  hang: () => {},
  truncate: () => {},
  garbage: () => {},
  redirect: () => {},
  closeConnectionAfter: () => {},
  status: ({ status, retryAfterSeconds = 0 }) => {
    requireWhole("fault.status", status, 400, 599);
    requireWhole("fault.retryAfterSeconds", retryAfterSeconds, 0);
  },
  refuse: ({ code }) => requireOneOf("fault.code", code, documentedCodes),
  delay: ({ ms }) => requireWhole("fault.ms", ms, 0, longestWaitMs),
  drip: ({ everyMs = 0 }) => requireWhole("fault.everyMs", everyMs, 0, longestWaitMs),
  date: ({ aheadMs }) => requireWhole("fault.aheadMs", aheadMs, -mostAheadMs, mostAheadMs),
  lateCommit: ({ afterMs }) => requireWhole("fault.afterMs", afterMs, 0),
  act: ({ run }) => requireFunction("fault.run", run),
  answer: ({ patch }) => {
    if (typeof patch !== "function") requireObject("fault.patch", patch, "a function or an object");
  },
  foreignOrder: ({ item }) => {
    requireObject("fault.item", item);
    checkItem(item);
  },
};

function checkFault<Kind extends Fault["kind"]>(fault: Extract<Fault, { kind: Kind }>): void {
  requireOneOf("fault.kind", fault.kind, Object.keys(checks));
  checks[fault.kind as Kind](fault);
}

function checkItem({ proxyType, country, quantity, rentPeriodDays }: PricedItem): void {
  requireOneOf("fault.item.proxyType", proxyType, proxyTypes);
  if (typeof country !== "string") throw new TypeError("fault.item.country must be a text");
  requireWhole("fault.item.quantity", quantity, 1);
  requireWhole("fault.item.rentPeriodDays", rentPeriodDays, 1);
}

function requireOneOf(name: string, value: unknown, accepted: readonly unknown[]): void {
  if (accepted.includes(value)) return;
  throw new TypeError(`${name} must be one of ${accepted.join(", ")}, not ${String(value)}`);
}

function requireObject(name: string, value: unknown, accepted = "an object"): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`${name} must be ${accepted}`);
}

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function`);
}

function requireWhole(name: string, value: number, least: number, most?: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= (most ?? value)) return;
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new TypeError(`${name} must be a whole number ${range}, not ${value}`);
}
