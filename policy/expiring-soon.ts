import type { PolicyResource } from "@pulumi/policy";
import { z } from "zod";
import { notKnown, parseInput } from "./inputs.ts";
import { kindOf } from "./resource-kind.ts";
import { definePolicy, type SpendPolicy, type StackFault } from "./spend-policy.ts";

const days = z.number().min(0);

const config = z
  .strictObject({
    low: days.default(7).describe("Days before an end from which it is told, severity low."),
    medium: days.default(3).describe("Days before an end from which the severity is medium."),
    high: days.default(1).describe("Days before an end from which the severity is high."),
  })
  .refine(({ low, medium, high }) => low >= medium && medium >= high, {
    message: "low must be at least medium, and medium at least high",
  });

/** How many days before an end each severity begins; each at least 0. */
export type ExpiringSoonConfig = z.input<typeof config>;

const proxiesSchema = z.array(
  z.object({
    dateEnd: z.iso.datetime({ offset: true }).optional(),
    extendInfo: z.object({ autoExtend: z.boolean() }).optional(),
  }),
);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes `expiringSoon` with a clock. */
export function defineExpiringSoon(now: () => Date): SpendPolicy {
  return definePolicy({
    name: "expiring-soon",
    description: "Proxies that end soon are told of, unless they extend themselves.",
    level: "advisory",
    config,
    judgeStack: ({ resources }, limits) =>
      resources
        .filter(({ type }) => kindOf(type) === "ProxyOrder")
        .flatMap((order) => findEnding(order, limits, now())),
  });
}

/**
 * Tells which orders have proxies that end soon and do not extend themselves, with a rising severity. It reads the
 * recorded stack, as the last refresh found it. What is not recorded yet, or changes in this plan, is skipped. Ends
 * are compared with this machine's clock.
 */
export const expiringSoon = defineExpiringSoon(() => new Date());

function findEnding(
  { props, urn, name }: PolicyResource,
  { low, medium, high }: z.output<typeof config>,
  now: Date,
): StackFault[] {
  const proxies = parseInput(props, "proxies", proxiesSchema);
  if (proxies === undefined || proxies === notKnown) return [];
  const ending = proxies.flatMap(({ dateEnd, extendInfo }) => {
    if (dateEnd === undefined || extendInfo?.autoExtend) return [];
    const left = (Date.parse(dateEnd) - now.getTime()) / DAY_MS;
    return left <= low ? [{ dateEnd, left }] : [];
  });
  const [first] = ending.toSorted((a, b) => a.left - b.left);
  if (first === undefined) return [];
  const { left, dateEnd } = first;
  const severity = left <= high ? "high" : left <= medium ? "medium" : "low";
  const verb = left <= 0 ? "have ended" : `end within ${Math.ceil(left)} days`;
  const message = `${name}: ${ending.length} of ${proxies.length} proxies ${verb}, the first at ${dateEnd}; severity ${severity}. Extend them with an IpExtension or an IpAutoExtend, or let them run out.`;
  return [{ message, urn }];
}
