import { explainFailure } from "../failure.ts";
import type { Access } from "../settings.ts";
import type { Found } from "./findings.ts";
import type { Exchange, RawCaller } from "./raw-calls.ts";

/** What the first call has shown. */
export interface Reach {
  /** Undefined if the service can't be asked any more. */
  balance: { balance: number; currency: string } | undefined;
  found: Found[];
}

/** The service's clock tells whole seconds, and an answer takes its time. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Asks for the balance: whether the service is there, takes the key, and has the time that this machine has. */
export async function reachService(calls: RawCaller, access: Access): Promise<Reach> {
  const exchange = await calls.ask("getBalance");
  const clock = judgeClock(exchange.times);
  if (exchange.error === undefined) {
    const { answer } = exchange;
    const text = `The service answers at ${access.baseUrl} (${describeWire(access.baseUrl)}) and takes the key.`;
    return {
      balance: answer,
      found: [{ about: "service", mark: "well", text }, ...judgeWire(access), clock],
    };
  }
  const text = explainFailure(exchange.error).replace(/\.?$/, ".");
  return {
    balance: undefined,
    found: [
      { about: "service", mark: "wrong", text: text.charAt(0).toUpperCase() + text.slice(1) },
      ...(exchange.times ? [clock] : []),
    ],
  };
}

/** Whether this machine's clock and the service's agree. */
function judgeClock(times: Exchange["times"]): Found {
  const about = "clock";
  if (times === undefined) {
    return {
      about,
      mark: "look",
      text: "The service's answers tell no time (no `Date`), so what has ended is told by this machine's clock.",
    };
  }
  // Of a whole second, its middle.
  const aheadMs = times.machine.getTime() - times.service.getTime() - 500;
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) {
    return { about, mark: "well", text: "This machine's clock and the service's agree." };
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return {
    about,
    mark: "look",
    text: `This machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's.`,
    todo: "Set this machine's clock, for instance by NTP. What has ended is told by the service's clock, as long as it tells one.",
  };
}

function describeWire(baseUrl: string): string {
  return isTls(baseUrl) ? "TLS, its certificate is trusted" : "plain HTTP";
}

function judgeWire({ baseUrl }: Access): Found[] {
  if (isTls(baseUrl) || isLoopback(baseUrl)) return [];
  return [
    {
      about: "tls",
      mark: "look",
      text: `${baseUrl} is plain HTTP: the key and the logins of proxies travel unencrypted.`,
      todo: "Set PROXYRENTAL_BASE_URL to an https:// URL, if the service has one.",
    },
  ];
}

function isTls(baseUrl: string): boolean {
  return /^https:/i.test(baseUrl);
}

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
