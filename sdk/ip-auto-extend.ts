import type * as pulumi from "@pulumi/pulumi";
import type { ProxyType } from "../provider/client/records.ts";
import { assertConfiguration } from "./configuration.ts";
import { DynamicResource, dynamicType } from "./dynamic-resource.ts";
import { ownerOf } from "./owner.ts";

/** The arguments of an `IpAutoExtend`. */
export interface IpAutoExtendArgs {
  /** The type of all these proxies. */
  proxyType: pulumi.Input<ProxyType>;
  /** Which proxies, for instance `ProxyOrder.ipAddressIds`. Ids taken out are switched off, added ones on. */
  ipAddressIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Length of each automatic extension, in days, from `getRentPeriods`. After a refresh, what the service
   * says.
   */
  rentPeriodDays: pulumi.Input<number>;
  /** Whether the proxies are extended. After a refresh, what the service says. @default true */
  autoExtend?: pulumi.Input<boolean>;
}

/** What the next automatic extensions will cost. */
export interface IpAutoExtendQuote {
  /** `autoExtend` costs `pricePerCycle` each time; `none` costs nothing. */
  effect: "autoExtend" | "none";
  /** One extension of all proxies together, in `currency`, at the price of the day it was asked. */
  pricePerCycle?: number;
  /** ISO currency code. */
  currency?: string;
}

/** A proxy and its flag as they were last seen. */
export interface ExtendedProxy {
  /** Names the proxy in extensions and auto-extensions. */
  ipAddressId: string;
  /** The proxy's IP address. */
  ipAddressIp: string;
  /** Port for HTTP and HTTPS. */
  httpsPort?: string;
  /** The order it belongs to, as the listing names it; absent where release 0.1.0 has recorded the proxy. */
  orderId?: string;
  /** Whether the proxy is extended automatically, and charged for, before it ends. */
  autoExtend: boolean;
  /** Length of each automatic extension, in days. */
  extendDays: number;
}

const TYPE = dynamicType("IpAutoExtend");

/**
 * Automatic extension of proxies. Switching it on spends nothing now; from then on the service charges the
 * balance each time the proxies are about to end. Destroying it switches it off.
 *
 * @example
 * const keep = new IpAutoExtend("keep", {
 *   proxyType: "IPv4",
 *   ipAddressIds: fleet.ipAddressIds,
 *   rentPeriodDays: 30,
 * });
 * export const each30Days = keep.quote.pricePerCycle;
 */
export class IpAutoExtend extends DynamicResource {
  /** Lets policies recognise the resource. */
  static readonly __pulumiType: string = TYPE;

  /** The type of all these proxies. */
  declare readonly proxyType: pulumi.Output<ProxyType>;
  /** Which proxies, for instance `ProxyOrder.ipAddressIds`. Ids taken out are switched off, added ones on. */
  declare readonly ipAddressIds: pulumi.Output<string[]>;
  /** Whether the proxies are extended. After a refresh, what the service says. */
  declare readonly autoExtend: pulumi.Output<boolean>;
  /**
   * Length of each automatic extension, in days, from `getRentPeriods`. After a refresh, what the service
   * says.
   */
  declare readonly rentPeriodDays: pulumi.Output<number>;
  /** Each proxy and its flag. */
  declare readonly proxies: pulumi.Output<ExtendedProxy[]>;
  /** What one extension of all of them costs. */
  declare readonly quote: pulumi.Output<IpAutoExtendQuote>;

  constructor(name: string, args: IpAutoExtendArgs, opts?: pulumi.CustomResourceOptions) {
    assertConfiguration();
    super(
      "IpAutoExtend",
      name,
      {
        ...{ proxies: undefined, quote: undefined, autoExtend: undefined },
        ...{ ...args, owner: ownerOf(name, TYPE, opts?.parent) },
      },
      opts,
    );
  }
}
