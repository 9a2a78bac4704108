import type { ProxyRecord } from "../../../client/index.ts";
import { DAY_MS } from "../../values/dates.ts";
import { type ExtensionArgs, throughMs } from "./args.ts";

/** A proxy whose end the listing tells. */
export type DatedProxy = ProxyRecord & { dateEnd: string };

/** Whether the listing tells until when a proxy is paid. */
export function isDated(record: ProxyRecord): record is DatedProxy {
  return record.dateEnd !== undefined;
}

/**
 * The calls that must be paid, one after the other: round n extends the proxies that still fall short after n - 1
 * periods. None if all are paid through that moment already.
 */
export function planRounds(
  args: Pick<ExtensionArgs, "proxyType" | "rentPeriodDays" | "paidThrough">,
  proxies: readonly DatedProxy[],
): DatedProxy[][] {
  const needed = countPeriods(args, proxies);
  const rounds = Math.max(0, ...needed.values());
  return Array.from({ length: rounds }, (_, done) =>
    proxies.filter((proxy) => (needed.get(proxy) ?? 0) > done),
  );
}

/**
 * How many periods each proxy lacks. IPv6 is extended by whole orders, so the proxy that lacks most decides for its
 * order.
 */
function countPeriods(
  {
    proxyType,
    rentPeriodDays,
    paidThrough,
  }: Pick<ExtensionArgs, "proxyType" | "rentPeriodDays" | "paidThrough">,
  proxies: readonly DatedProxy[],
): Map<DatedProxy, number> {
  const lacks = ({ dateEnd }: DatedProxy) => {
    const missingMs = throughMs(paidThrough) - Date.parse(dateEnd);
    return Math.max(0, Math.ceil(missingMs / (rentPeriodDays * DAY_MS)));
  };
  if (proxyType !== "IPv6") return new Map(proxies.map((proxy) => [proxy, lacks(proxy)]));
  const byOrder = Map.groupBy(proxies, (proxy) => proxy.orderId);
  return new Map(
    [...byOrder.values()].flatMap((order) => {
      const most = Math.max(...order.map(lacks));
      return order.map((proxy): [DatedProxy, number] => [proxy, most]);
    }),
  );
}
