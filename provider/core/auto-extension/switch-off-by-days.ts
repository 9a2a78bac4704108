import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { isProxyRentalError } from "../values/errors.ts";
import type { AutoExtensionArgs } from "./args.ts";
import { isRefusal, switchAutoExtension } from "./switch.ts";

/** A proxy that is to be switched off, and the days of its extensions. One that is off may have none. */
export interface Going {
  ipAddressId: string;
  extendDays: number;
}

/** A listed one. */
export function toGoing(row: ProxyRecord): ProxyRecord & Going {
  return { ...row, extendDays: row.extendInfo.extendDays };
}

/** One that was not switched off, and why. */
export interface LeftOn<One extends Going> {
  one: One;
  error: unknown;
}

type Asker = Pick<Account, "service" | "listing">;

type Call = Pick<AutoExtensionArgs, "proxyType" | "rentPeriodDays">;

/**
 * Switches off with one call for each length of extension, and gives those that may still be on. One that the service refuses
 * to switch keeps no other on: what it refuses together is repeated one by one.
 */
export async function switchOffByDays<One extends Going>(
  account: Asker,
  call: Call,
  going: readonly One[],
): Promise<LeftOn<One>[]> {
  const left: LeftOn<One>[] = [];
  for (const [days, alike] of Map.groupBy(going, (one) => daysOf(one, call))) {
    left.push(...(await switchTogether(account, { ...call, rentPeriodDays: days }, alike)));
  }
  return left;
}

/** Whether the service has refused a call, or has left some proxies out. */
export function isAnswer(error: unknown): boolean {
  const isLeftOut = isProxyRentalError(error) && error.code === "AUTO_EXTENSION_FAILED";
  return isLeftOut || isRefusal(error);
}

/** A flag goes off with any length, so one that tells none goes off with that of the call. */
export function daysOf({ extendDays }: Going, { rentPeriodDays }: Call): number {
  return extendDays > 0 ? extendDays : rentPeriodDays;
}

async function switchTogether<One extends Going>(
  account: Asker,
  call: Call,
  alike: readonly One[],
): Promise<LeftOn<One>[]> {
  try {
    await switchAutoExtension(account, {
      proxyType: call.proxyType,
      ipAddressIds: alike.map(({ ipAddressId }) => ipAddressId),
      rentPeriodDays: call.rentPeriodDays,
      autoExtend: false,
    });
    return [];
  } catch (error) {
    if (alike.length === 1 || !isAnswer(error)) return alike.map((one) => ({ one, error }));
    const left: LeftOn<One>[] = [];
    for (const one of alike) left.push(...(await switchTogether(account, call, [one])));
    return left;
  }
}
