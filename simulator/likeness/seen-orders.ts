import { type AccountRecord, beginAccount, type OrderRecord } from "../account/account-record.ts";
import { dayMs, formatTimestamp } from "../account/order.ts";
import type { Service } from "../service.ts";
import { loadSnapshot } from "../snapshot.ts";
import type { Recording } from "./recording-file.ts";

/**
 * Gives the first account the orders that were listed. All times move by as much as the recording is old, so that what had
 * a week to go has one.
 */
export function loadSeenOrders(service: Service, recording: Recording): void {
  const { accounts, clock, settings } = service;
  const { name } = accounts.first;
  const now = clock.now();
  const movedMs = now.getTime() - Date.parse(recording.recordedAt);
  const orders = recording.orders
    .map((order) =>
      recordSeen(order, {
        now,
        movedMs,
        periods: settings.catalogue.rentPeriodDays[order.proxyType],
      }),
    )
    .filter(({ proxies }) => proxies.length > 0);
  const balance = settings.balance.toFixed(2);
  const account = { ...beginAccount(settings.seed, balance), orders };
  account.money.entries = orders.map((order) => chargeNothing(order, balance));
  loadSnapshot(service, { version: 1, at: now.toISOString(), accounts: { [name]: account } });
}

interface Passing {
  now: Date;
  movedMs: number;
  /** The rent periods of the type. */
  periods: readonly number[];
}

function recordSeen(
  { orderId, proxyType, country, proxies }: Recording["orders"][number],
  { now, movedMs, periods }: Passing,
): OrderRecord {
  const nowMs = now.getTime();
  const shortest = periods[0] ?? 30;
  const living = proxies
    .map((proxy, index): OrderRecord["proxies"][number] => {
      const { ipAddressId, ip, login, password, autoExtend, extendDays } = proxy;
      const startMs = moved(proxy.dateStart, movedMs) ?? nowMs;
      const endMs = moved(proxy.dateEnd, movedMs) ?? startMs + shortest * dayMs;
      // A port that was not told is one that no other proxy of the order has.
      const { httpsPort = String(40_000 + 2 * index), socks5Port = String(40_001 + 2 * index) } =
        proxy;
      return {
        ipAddressId,
        ip,
        httpsPort,
        socks5Port,
        login,
        password,
        deliverAtMs: startMs,
        startMs,
        endMs,
        autoExtend,
        extendDays,
        state: "listed",
      };
    })
    .filter(({ endMs }) => endMs > nowMs);
  const [first] = living;
  const days = first === undefined ? 0 : Math.round((first.endMs - first.startMs) / dayMs);
  return {
    proxyType,
    country,
    quantity: living.length,
    rentPeriodDays: periods.includes(days) ? days : shortest,
    orderId,
    orderNumber: orderId,
    placedAtMs: first?.startMs ?? nowMs,
    origin: "foreign",
    details: { goal: "seen", authType: "LOGIN" },
    proxies: living,
  };
}

function moved(date: string | undefined, movedMs: number): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? undefined : ms + movedMs;
}

/** Nobody knows what it cost. Each order has a charge. */
function chargeNothing(
  { proxyType, country, quantity, rentPeriodDays, orderNumber, placedAtMs }: OrderRecord,
  balance: string,
): AccountRecord["money"]["entries"][number] {
  const item = { proxyType, country, quantity, rentPeriodDays };
  const at = formatTimestamp(placedAtMs);
  return {
    ...item,
    at,
    kind: "order",
    origin: "foreign",
    orderNumber,
    price: "0.00",
    balanceAfter: balance,
  };
}
