import type { ProxyType } from "../../provider/client/index.ts";
import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";
import type { Asked, Failure } from "./asked.ts";
import { isSameAddress } from "./exit-address.ts";

/** Whether a proxy works over a protocol, or what is wrong. */
export type Verdict = "works" | "wrongExit" | Failure;

/** A proxy and a protocol. It never holds a login. */
export interface AskedProxy {
  ipAddressId: string;
  /** Where it listens for this protocol, `ip:port`. */
  proxy: string;
  orderId: string;
  /** The name of its resource, where a given state has the order. */
  resource?: string | undefined;
  proxyType: ProxyType;
  country: string;
  protocol: ProxyScheme;
}

/** What came of asking through one proxy over one protocol. Also what `--json` prints. */
export interface Result extends AskedProxy {
  verdict: Verdict;
  /** What is wrong, in words; absent where it works. */
  why?: string;
  /** The HTTP status of the URL's answer; absent if there was none. */
  status?: number;
  /** Until the answer was there, or until it was clear that none comes, from connecting on. */
  ms: number;
  /** The address that the service lists. */
  listedAddress: string;
  /** The address that the URL has seen; absent if its answer tells none. */
  exitAddress?: string;
}

/** Judges what came of asking. */
export function judge(asked: AskedProxy, listedAddress: string, outcome: Asked): Result {
  const { ms } = outcome;
  const base = { ...asked, ms, listedAddress };
  if (outcome.kind === "failed") {
    return { ...base, verdict: outcome.failure, why: outcome.why };
  }
  const { status, told } = outcome;
  const answered = { ...base, status, ...(told !== undefined && { exitAddress: told }) };
  if (told === undefined || mayExitAt(told, asked.proxyType, listedAddress)) {
    return { ...answered, verdict: "works" };
  }
  return { ...answered, verdict: "wrongExit", why: `it comes out at ${told}` };
}

/** Mobile proxies change their address by design: what is listed is where they are reached. */
function mayExitAt(told: string, proxyType: ProxyType, listedAddress: string): boolean {
  return proxyType === "MOBILE" || isSameAddress(told, listedAddress);
}

/** How a group of results did. */
export interface Tally {
  /** How often its proxies were asked. */
  asked: number;
  working: number;
  /** The time within which half of the answers came, in milliseconds; absent without any answer. */
  p50Ms?: number;
  /** The same for 95 of 100. */
  p95Ms?: number;
}

/** Adds up results by what a key says, in the order of the keys. */
export function tallyBy(
  results: readonly Result[],
  key: (result: Result) => string,
): Map<string, Tally> {
  const groups = [...Map.groupBy(results, key)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(groups.map(([name, members]) => [name, tally(members)]));
}

function tally(results: readonly Result[]): Tally {
  const times = results
    .filter(({ status }) => status !== undefined)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const [p50Ms, p95Ms] = [findPercentile(times, 50), findPercentile(times, 95)];
  return {
    asked: results.length,
    working: results.filter(({ verdict }) => verdict === "works").length,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  };
}

/** The nearest rank: a time that was measured, within which that many of a hundred came. */
export function findPercentile(sorted: readonly number[], percent: number): number | undefined {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}
