import type { Order, RentedProxy } from "./order.ts";

/** The document says that automatic extensions happen "before they expire", and not how long before. */
const renewalLeadMs = 3_600_000;

/** Lists the proxies that are due, and gives them. */
export function deliverDue(order: Order, atMs: number): RentedProxy[] {
  const due = order.proxies.filter(
    (proxy) => proxy.state === "undelivered" && proxy.deliverAtMs <= atMs,
  );
  for (const proxy of due) proxy.state = "listed";
  return due;
}

/** Takes proxies that have ended out of the listing, and gives them. */
export function expireDue(order: Order, atMs: number): RentedProxy[] {
  const due = order.proxies.filter((proxy) => proxy.state !== "expired" && proxy.endMs <= atMs);
  for (const proxy of due) proxy.state = "expired";
  return due;
}

/** The proxies that automatic extension must pay for now, by the days of the extension. */
export function groupRenewals(order: Order, atMs: number): Map<number, RentedProxy[]> {
  const groups = new Map<number, RentedProxy[]>();
  for (const proxy of order.proxies) {
    if (!proxy.autoExtend || proxy.state !== "listed" || proxy.endMs - renewalLeadMs > atMs)
      continue;
    const group = groups.get(proxy.extendDays) ?? [];
    group.push(proxy);
    groups.set(proxy.extendDays, group);
  }
  return groups;
}

/** When something happens to the order next, if ever. */
export function findNextMoment(order: Order, afterMs: number): number | undefined {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const proxy of order.proxies) {
    if (proxy.state === "expired") continue;
    const soonestMs =
      proxy.state === "undelivered" ? proxy.deliverAtMs : proxy.endMs - renewalLeadMs;
    if (soonestMs > afterMs) nextMs = Math.min(nextMs, soonestMs);
    if (proxy.endMs > afterMs) nextMs = Math.min(nextMs, proxy.endMs);
  }
  return Number.isFinite(nextMs) ? nextMs : undefined;
}
