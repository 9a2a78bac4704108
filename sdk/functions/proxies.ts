import * as pulumi from "@pulumi/pulumi";
import type { ProxyType, RentedProxy } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** Which proxies are looked for: those that fit all that is given. */
export interface GetProxiesArgs {
  proxyType: ProxyType;
  /** The id under which the listing has an order; `ProxyOrder.orderIds` names those of an order. */
  orderNumber?: string | undefined;
  /** ISO 3166-1 alpha-3 code. */
  country?: string | undefined;
  /** Those with fewer days left than this, by the service's clock; also those that have ended. */
  daysLeftBelow?: number | undefined;
  /** Those with at least this many days left, by the service's clock. */
  daysLeftAtLeast?: number | undefined;
}

/** As `GetProxiesArgs`, for the output form. */
export type GetProxiesOutputArgs = {
  [Name in keyof GetProxiesArgs]: pulumi.Input<GetProxiesArgs[Name]>;
};

/** What `getProxies` gives. */
export interface GetProxiesResult {
  /** Without logins: those are secret, and only `ProxyOrder.credentials` and `.urls` give them. */
  proxies: RentedProxy[];
}

/**
 * The proxies of a type that the account holds, whoever ordered them (source: endpoint 12). Spends nothing. A proxy
 * whose end the service has not told fits no number of days.
 */
export function getProxies(args: GetProxiesArgs): Promise<GetProxiesResult> {
  return ask("getProxies", args);
}

/** As `getProxies`, as an output. */
export function getProxiesOutput(args: GetProxiesOutputArgs): pulumi.Output<GetProxiesResult> {
  return pulumi.output(args).apply(getProxies);
}
