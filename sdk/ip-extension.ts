import type * as pulumi from "@pulumi/pulumi";
import type { ProxyType } from "../provider/client/records.ts";
import { assertConfiguration } from "./configuration.ts";
import { DynamicResource, dynamicType } from "./dynamic-resource.ts";
import { outputsOfAbsent } from "./outputs-of-absent.ts";
import { ownerOf } from "./owner.ts";
import type { MonthlyBudget } from "./proxy-order.ts";

/**
 * The arguments of an `IpExtension`. Proxies that end before `paidThrough` are extended, which **spends money**; the
 * price is in the preview.
 */
export interface IpExtensionArgs {
  /** The type of all these proxies. Changing it replaces the resource, which by itself costs nothing. */
  proxyType: pulumi.Input<ProxyType>;
  /**
   * Which proxies, for instance `ProxyOrder.ipAddressIds`. Of IPv6, all proxies of an order or none. Ids
   * that the service changes when it extends a proxy are followed by ip, port and order; the output has them as
   * they are now. While they are not known (their order is bought in the same run), the plan counts `maxPrice`.
   */
  ipAddressIds: pulumi.Input<pulumi.Input<string>[]>;
  /** Length of one extension, in days, from `getRentPeriods`. As many are paid as `paidThrough` needs. */
  rentPeriodDays: pulumi.Input<number>;
  /**
   * Until when each of the proxies must be paid at least: a date like `2026-12-31`, which means through the end of
   * that day in UTC (an end from 23:59:59 on), or a moment like `2026-12-31T12:00:00Z`. A proxy that is paid that
   * long already costs nothing, whoever has paid.
   */
  paidThrough: pulumi.Input<string>;
  /**
   * A promo code, from `getPromoCodes`. One that is not valid is refused (`PROMO_CODE_NOT_VALID`): the service would
   * charge the full price.
   */
  promoCode?: pulumi.Input<string>;
  /**
   * The most that all extensions of one plan may cost together, in account currency. Refused above it, at
   * preview and again before each payment. @default no cap but the balance and `proxyrental:maxSpend`
   */
  maxPrice?: pulumi.Input<number>;
}

/** The price in the plan. All amounts are in `currency`. */
export interface IpExtensionQuote {
  /** `extend` spends `price`; `none` spends nothing; `unknown` is not known before `up`. */
  effect: "extend" | "none" | "unknown";
  /** How many proxies are extended, each once or more often. */
  quantity?: number;
  /** All extensions together, in `currency`. */
  price?: number;
  /** ISO currency code. */
  currency?: string;
  /** Percentage that the promo code took off. */
  discount?: number;
  /** What the service says of the promo code, for instance `VALID`. */
  promoCodeStatus?: string;
  /** The account's balance before anything of the run was bought, in `currency`. */
  balance?: number;
  /** What an unknown price can't exceed, in account currency: `maxPrice`. */
  priceAtMost?: number;
  /** The account's monthly budget; absent where none is set, or nothing may be bought. */
  budget?: MonthlyBudget;
}

/** A proxy as it was last seen. */
export interface PaidProxy {
  /** Names the proxy in extensions and auto-extensions. */
  ipAddressId: string;
  /** The proxy's IP address. */
  ipAddressIp: string;
  /** Port for HTTP and HTTPS. */
  httpsPort?: string;
  /** Until when it is paid, ISO 8601 with offset; absent while the service does not say. */
  dateEnd?: string;
  /** The order it belongs to, as the listing names it; absent where release 0.1.0 has recorded the proxy. */
  orderId?: string;
}

/** One extension that was paid: one call, one more rent period for `quantity` proxies. */
export interface ExtensionPayment {
  /** The provider's own id of the payment, as in its journal. */
  requestId: string;
  /** How many proxies were paid for. */
  quantity: number;
  /** For how many more days they were paid. */
  rentPeriodDays: number;
  /** Total in `currency`, as it was confirmed right before. */
  price: number;
  /** What the balance fell by, in `currency`; absent where that is `price`, or was not told. */
  charged?: number;
  /** ISO currency code. */
  currency: string;
  /** Percentage that the promo code took off. */
  discount: number;
  /** What the service said of the promo code, for instance `VALID`. */
  promoCodeStatus?: string;
  /** When it was sent, ISO 8601, by the clock of the machine that ran. */
  at: string;
}

const TYPE = dynamicType("IpExtension");

/**
 * Says that proxies are paid at least through a date. Each run looks at their ends first, so running it again pays
 * nothing, and what an automatic extension has paid meanwhile is not paid again. The preview shows the price of all that is missing; `pulumi up` pays it, one rent period a call, and stops if more is
 * needed than was shown (`NOT_PLANNED`, `PRICE_ROSE`). If it stops half way (`EXTENSION_INCOMPLETE`), what is paid is
 * saved, and the next `up` pays for the rest. An earlier date, or a later one that is met already, costs nothing.
 * Destroying it undoes nothing and refunds nothing.
 *
 * @example
 * new IpExtension("through-2026", {
 *   proxyType: "IPv4",
 *   ipAddressIds: fleet.ipAddressIds,
 *   rentPeriodDays: 30,
 *   paidThrough: "2026-12-31",
 *   maxPrice: 60,
 * });
 */
export class IpExtension extends DynamicResource {
  /** Lets policies recognise the resource. */
  static readonly __pulumiType: string = TYPE;

  /** The type of all these proxies. Changing it replaces the resource, which by itself costs nothing. */
  declare readonly proxyType: pulumi.Output<ProxyType>;
  /**
   * Which proxies, for instance `ProxyOrder.ipAddressIds`. Of IPv6, all proxies of an order or none. Ids
   * that the service changes when it extends a proxy are followed by ip, port and order; the output has them as
   * they are now. While they are not known (their order is bought in the same run), the plan counts `maxPrice`.
   */
  declare readonly ipAddressIds: pulumi.Output<string[]>;
  /** Length of one extension, in days, from `getRentPeriods`. As many are paid as `paidThrough` needs. */
  declare readonly rentPeriodDays: pulumi.Output<number>;
  /**
   * Until when each of the proxies must be paid at least: a date like `2026-12-31`, which means through the end of
   * that day in UTC (an end from 23:59:59 on), or a moment like `2026-12-31T12:00:00Z`. A proxy that is paid that
   * long already costs nothing, whoever has paid.
   */
  declare readonly paidThrough: pulumi.Output<string>;
  /**
   * A promo code, from `getPromoCodes`. One that is not valid is refused (`PROMO_CODE_NOT_VALID`): the service would
   * charge the full price.
   */
  declare readonly promoCode: pulumi.Output<string | undefined>;
  /**
   * The most that all extensions of one plan may cost together, in account currency. Refused above it, at
   * preview and again before each payment. @default no cap but the balance and `proxyrental:maxSpend`
   */
  declare readonly maxPrice: pulumi.Output<number | undefined>;
  /** Each proxy and until when it is paid; those that have ended are left out. */
  declare readonly proxies: pulumi.Output<PaidProxy[]>;
  /** When the first of the proxies ends, ISO 8601; absent when all have ended. */
  declare readonly paidUntil: pulumi.Output<string | undefined>;
  /** The price of the last purchase. */
  declare readonly quote: pulumi.Output<IpExtensionQuote>;
  /** What was paid, and when, oldest first. */
  declare readonly purchases: pulumi.Output<ExtensionPayment[]>;

  constructor(name: string, args: IpExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    assertConfiguration();
    const outputs = {
      proxies: undefined,
      paidUntil: undefined,
      quote: undefined,
      purchases: undefined,
    };
    super(
      "IpExtension",
      name,
      { ...outputs, ...args, owner: ownerOf(name, TYPE, opts?.parent) },
      opts,
    );
    Object.assign(this, outputsOfAbsent(["promoCode", "maxPrice"], args));
  }
}
