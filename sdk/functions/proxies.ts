import * as pulumi from "@pulumi/pulumi";
import type { ProxyType, RentedProxy } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** Which proxies are looked for: those that fit all that is given. */
export interface GetProxiesArgs {
  /** The type of the proxies. */
  proxyType: ProxyType;
  /** The id under which the listing has an order; `orderIds` of a ProxyOrder names those of an order. @default any order */
  orderNumber?: string | undefined;
  /** ISO 3166-1 alpha-3 code. @default any country */
  country?: string | undefined;
  /**
   * Those with fewer days left than this, by the service's clock; also those that have ended.
   * @default whenever they end
   */
  daysLeftBelow?: number | undefined;
  /** Those with at least this many days left, by the service's clock. @default whenever they end */
  daysLeftAtLeast?: number | undefined;
}

/** As `GetProxiesArgs`, for the output form. */
export type GetProxiesOutputArgs = {
  [Name in keyof GetProxiesArgs]: pulumi.Input<GetProxiesArgs[Name]>;
};

/** What `getProxies` gives. */
export interface GetProxiesResult {
  /** The proxies, without logins: those are secret, and only `credentials` and `urls` of a ProxyOrder give them. */
  proxies: RentedProxy[];
}

/**
 * The proxies of a type that the account holds, whoever ordered them: those that fit all that is given. Spends nothing.
 * A proxy whose end the service has not told fits no number of days.
 *
 * @example
 * const { proxies } = await getProxies({ proxyType: "IPv4", country: "USA", daysLeftBelow: 7 });
 * const ending = proxies.map((proxy) => `${proxy.ipAddressIp} ends ${proxy.dateEnd}`);
 */
export function getProxies(args: GetProxiesArgs): Promise<GetProxiesResult> {
  return ask("getProxies", args);
}

/**
 * As `getProxies`, as an output.
 *
 * @example
 * const held = getProxiesOutput({ proxyType: "MOBILE" }).proxies;
 * export const count = held.apply((proxies) => proxies.length);
 */
export function getProxiesOutput(args: GetProxiesOutputArgs): pulumi.Output<GetProxiesResult> {
  return pulumi.output(args).apply(getProxies);
}
