import type { ProxyRecord } from "../../client/index.ts";
import { findProxy } from "../proxies/address.ts";
import type { ExtensionIntent } from "../records/intent.ts";
import { DAY_MS, type Ending, isSameEnd } from "../values/dates.ts";
import {
  hasChanged,
  type Seen,
  type Traces,
  type Wait,
  type Window,
  weighBalance,
} from "./weigh-balance.ts";

/** What became of an extension whose answer is not known. The evidence is the ends of its proxies, and the balance. */
export type ExtensionFinding =
  | { kind: "placed" }
  | { kind: "notPlaced" }
  | ({ kind: "unknown"; reason: string } & Traces);

export type ExtensionVerdict = ExtensionFinding | (Wait & Traces);

/**
 * Judges an extension by its evidence: every end has moved, no end has, or something else. A listing may lag behind a
 * charge. So if the balance has fallen, ends that have not moved prove nothing. That all have moved is believed only at the end
 * of the window: somebody else, or an automatic extension, may have moved them, and this one be carried out later.
 */
export function judgeExtension(
  intent: ExtensionIntent,
  seen: Seen<ProxyRecord>,
  window: Window,
): ExtensionVerdict {
  const { listed } = seen;
  const money = weighBalance([intent], seen);
  const isPaid = money === "spent";
  const { proxiesBefore, request } = intent.purchase;
  const moved = proxiesBefore.map((before) =>
    hasMoved(before, findProxy(listed ?? [], before), request.rentPeriodDays),
  );
  const hasTraces = seen.hadTraces || moved.includes(true) || hasChanged([intent], seen);
  const waitOrStop = (reason: string): ExtensionVerdict =>
    window === "open" || (isPaid && window === "settled")
      ? { kind: "wait", hasTraces }
      : { kind: "unknown", reason: isPaid ? `it was charged, and ${reason}` : reason, hasTraces };
  if (listed === undefined) return waitOrStop("the listing could not be read");
  if (moved.every((one) => one === true)) {
    return window === "open" ? { kind: "wait", hasTraces } : { kind: "placed" };
  }
  if (!moved.includes(false)) {
    return waitOrStop(
      "the ends of its proxies have moved by another time than its period, as where somebody else, or an automatic extension, has moved them too",
    );
  }
  if (!moved.every((one) => one === false)) {
    return waitOrStop("the ends of some of its proxies have moved, and of others not");
  }
  if (money === "untouched" && hasTraces) {
    return waitOrStop(
      "an earlier look has seen its charge or another change of the balance, or a moved end, and this one sees none of them",
    );
  }
  if (money === "untouched") {
    return window === "open" ? { kind: "wait", hasTraces } : { kind: "notPlaced" };
  }
  return waitOrStop(
    isPaid
      ? "no end of its proxies has moved"
      : "no end of its proxies has moved, but the balance has changed otherwise, or could not be read, or the extension was free",
  );
}

/** Undefined if the listing does not tell, or if something else than this extension has moved the end. */
function hasMoved(before: Ending, now: ProxyRecord | undefined, days: number): boolean | undefined {
  if (now?.dateEnd === undefined || before.dateEnd === undefined) return undefined;
  if (isSameEnd(now, before)) return false;
  const movedMs = Date.parse(now.dateEnd) - Date.parse(before.dateEnd);
  // A period may be in calendar days. The end of a month or summer time may shift it.
  return Math.abs(movedMs - days * DAY_MS) <= 2 * DAY_MS ? true : undefined;
}
