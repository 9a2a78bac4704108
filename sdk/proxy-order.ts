import * as pulumi from "@pulumi/pulumi";
import type { Credential, ProxyType, RentedProxy } from "../provider/client/records.ts";
import { assertConfiguration } from "./configuration.ts";
import { DynamicResource, dynamicType } from "./dynamic-resource.ts";
import { outputsOfAbsent } from "./outputs-of-absent.ts";
import { ownerOf } from "./owner.ts";

/** Arguments that every order has. */
export interface ProxyOrderCommonArgs {
  /**
   * Where the proxies are: an ISO 3166-1 alpha-3 code in capitals, such as `USA`, from `getCountries`. Changing it means
   * buying again.
   */
  country: pulumi.Input<string>;
  /**
   * Number of proxies. More: those that were let go and are still paid come back free of charge, and the rest
   * is bought as a further order, at the price in the preview. Fewer: those that end first are let go for
   * nothing; they stay paid until they end. IPv6 proxies are let go and come back by whole orders.
   */
  quantity: pulumi.Input<number>;
  /**
   * For how many days the proxies are rented: one of `getRentPeriods`. The price is for all of them. A change is recorded
   * for the next purchase.
   */
  rentPeriodDays: pulumi.Input<number>;
  /** What the proxies are for, in your words. A change is recorded for the next purchase. */
  goal: pulumi.Input<string>;
  /**
   * A promo code, from `getPromoCodes`. One that is not valid is refused at preview (`PROMO_CODE_NOT_VALID`), because the
   * service would take the order and charge it in full. A change is recorded for the next purchase.
   */
  promoCode?: pulumi.Input<string>;
  /**
   * The most that one purchase may cost in total, in account currency. A higher price is refused (`PRICE_ABOVE_CAP`), at
   * preview and right before the purchase.
   * @default no cap but the balance and `proxyrental:maxSpend`
   */
  maxPrice?: pulumi.Input<number>;
  /**
   * Whether an edit that can't be made to a paid order may buy a new one and let the old one run out. Without it such an
   * edit is refused (`EDIT_REFUSED`).
   * @default false
   */
  allowReplacement?: pulumi.Input<boolean>;
  /**
   * Take over an order that the account holds already, by its order id in the listing or its number in the
   * journal; never buys. `proxyType`, `country` and `quantity` must be the order's. Taking the argument out
   * later changes nothing; naming another order releases this one and takes over that one. @default buy
   */
  adoptOrderNumber?: pulumi.Input<string>;
  /**
   * How long to wait, in seconds, until the proxies of a paid order are listed. The next `pulumi up` waits for what
   * is missing then; nothing is bought again. @default 120
   */
  deliveryTimeoutSeconds?: pulumi.Input<number>;
}

/** How proxies know their user. */
export type AuthType = "LOGIN" | "IP";

/** Arguments that only orders of some proxy types have. Changing any of them means buying again. */
export interface ProxyOrderTypeArgs {
  /** Which protocol the proxies speak; for `IPv6` only. Changing it means buying again. */
  protocol?: pulumi.Input<"HTTP" | "SOCKS">;
  /**
   * The tag of a mobile operator in the country, from `getMobileOperators`; for `MOBILE` only. Changing it means buying
   * again.
   */
  mobileOperator?: pulumi.Input<string>;
  /**
   * After how many seconds a proxy changes its address: one of the operator's `rotationTimes`; for `MOBILE` only.
   * Changing it means buying again.
   */
  rotationTime?: pulumi.Input<number>;
}

/** Which of these an order of each type needs. It must have none of the others. */
interface NeededByType {
  IPv4: never;
  IPv6: "protocol";
  MOBILE: "mobileOperator" | "rotationTime";
  ISP: never;
}

/** Arguments that only some ways to know the user need. */
export interface ProxyOrderAuthArgs {
  /** The address that the user comes from, with authType `IP`. Changing it means buying again. */
  authIp?: pulumi.Input<string>;
}

/** As `NeededByType`. */
interface NeededByAuth {
  LOGIN: never;
  IP: "authIp";
}

/** The proxy type, and what depends on it: all that a program may say, or exactly what fits if `Type` is one type. */
export type ProxyOrderKind<Type extends ProxyType = ProxyType> = {
  /** The type of the proxies. Changing it means buying again. */
  proxyType: pulumi.Input<Type>;
} & (IsOne<Type> extends true
  ? Exactly<ProxyOrderTypeArgs, NeededByType[Type]>
  : ProxyOrderTypeArgs);

/** How the proxies know their user, as `ProxyOrderKind`. */
export type ProxyOrderAuthentication<Auth extends AuthType = AuthType> = {
  /**
   * How the proxies know their user: `LOGIN` by login and password, `IP` by the address that the user
   * comes from. Changing it means buying again. @default "LOGIN"
   */
  authType?: pulumi.Input<Auth>;
} & (IsOne<Auth> extends true
  ? Exactly<ProxyOrderAuthArgs, NeededByAuth[Auth]>
  : ProxyOrderAuthArgs);

/** Whether a union has one member only. */
type IsOne<Value, All = Value> = Value extends All ? ([All] extends [Value] ? true : false) : never;

/** `Needed` of these arguments, and none of the others. */
type Exactly<Args, Needed extends keyof Args> = Required<Pick<Args, Needed>> & {
  [Other in Exclude<keyof Args, Needed>]?: never;
};

/**
 * The arguments of a `ProxyOrder`. Creating one **spends money**; the price is in the preview. By itself this is a plain
 * set of arguments, to build others of: what a proxy type needs is checked where the compiler knows the type
 * (`new ProxyOrder`, `ProxyOrderArgs<"MOBILE">`), and by the preview for every order.
 */
export type ProxyOrderArgs<
  Type extends ProxyType = ProxyType,
  Auth extends AuthType = AuthType,
> = ProxyOrderCommonArgs & ProxyOrderAuthentication<Auth> & ProxyOrderKind<Type>;

/** The price in the plan. All amounts are in `currency`. */
export interface ProxyOrderQuote {
  /**
   * `buy`, `topUp` (a further order, to hold more) and `replace` spend `price`; `recover` takes over an order
   * that an earlier run has paid, `adopt` one that the program names, and `none` leaves all as it is: these
   * spend nothing; `unknown` is not known before `up`.
   */
  effect: "buy" | "topUp" | "replace" | "recover" | "adopt" | "none" | "unknown";
  /** How many proxies are bought. */
  quantity?: number;
  /** Total in `currency`. */
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
  /** What is held before this plan, and its part of what was paid for it. */
  owned?: OwnedProxies;
}

/** `proxyrental:monthlyBudget`, and what is gone of it. */
export interface MonthlyBudget {
  /** The most that the account may spend in a calendar month (UTC), in its currency. */
  monthly: number;
  /**
   * What was spent in this month before anything of the run was bought; absent where `showBalance` is `false`.
   */
  spent?: number;
  /**
   * Whether it holds for every machine that shares the journal. `false` where the journal is a folder of one machine, and counts
   * what that one buys.
   */
  isShared?: boolean;
}

/** What is held before a plan, and what was paid for it. */
export interface OwnedProxies {
  /** Their part of what was paid, in `currency`. */
  price: number;
  /** How many proxies are held. */
  quantity: number;
  /** For how many days that price is. */
  rentPeriodDays: number;
  /** ISO currency code. */
  currency: string;
}

/** A proxy that was let go and is still paid. */
export type ReleasedProxy = Pick<
  RentedProxy,
  "ipAddressId" | "ipAddressIp" | "httpsPort" | "orderId" | "dateEnd" | "extendInfo"
>;

/** One order that was paid. */
export interface ProxyOrderPurchase {
  /** The provider's own id of the purchase, as in its journal. */
  requestId: string;
  /** The service's number of the order. */
  orderNumber: string;
  /** Under which ids it is listed: its number, until it is found under another. */
  orderIds: string[];
  /** How many proxies were bought. */
  quantity: number;
  /** For how many days they were bought. */
  rentPeriodDays: number;
  /**
   * Which adoption, import or recovery gave the order to this resource, as in the journal; absent if it bought the order.
   */
  handOver?: string;
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

const TYPE = dynamicType("ProxyOrder");

/** What a program may leave out, and no check fills in. */
const optionalArgs = [
  "promoCode",
  "authIp",
  "protocol",
  "mobileOperator",
  "rotationTime",
  "maxPrice",
  "allowReplacement",
  "adoptOrderNumber",
  "deliveryTimeoutSeconds",
] as const satisfies (keyof ProxyOrderArgs)[];

/**
 * An order of proxies. The preview shows its price; `pulumi up` buys it once, which **spends money**;
 * `pulumi destroy` can't cancel it, but ends its auto-extension and says until when it is paid.
 *
 * @example
 * const fleet = new ProxyOrder("fleet", {
 *   proxyType: "IPv4",
 *   country: "USA",
 *   quantity: 5,
 *   rentPeriodDays: 30,
 *   goal: "price comparison",
 *   maxPrice: 20,
 * });
 * export const urls = fleet.urls;
 */
export class ProxyOrder<
  Type extends ProxyType = ProxyType,
  Auth extends AuthType = AuthType,
> extends DynamicResource {
  /** Lets policies recognise the resource. */
  static readonly __pulumiType: string = TYPE;

  /** The service's number of the first order; also the resource's id. `purchases` has the further ones. */
  declare readonly orderNumber: pulumi.Output<string>;
  /** The order ids under which the proxies are listed. */
  declare readonly orderIds: pulumi.Output<string[]>;
  /** The service's records of the proxies, without their logins. */
  declare readonly proxies: pulumi.Output<RentedProxy[]>;
  /** Proxies that were let go and are still paid: a larger `quantity` takes them back free of charge. */
  declare readonly released: pulumi.Output<ReleasedProxy[]>;
  /** The proxies' ids, as `IpAutoExtend` takes them. */
  declare readonly ipAddressIds: pulumi.Output<string[]>;
  /** Login and password by ipAddressId. Secret. */
  declare readonly credentials: pulumi.Output<Record<string, Credential>>;
  /** `scheme://login:password@ip:port`, percent-encoded: http, or socks5 with protocol SOCKS. Secret. */
  declare readonly urls: pulumi.Output<string[]>;
  /** When the first of the proxies ends, ISO 8601; absent while the service has not said. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** `pendingDelivery` while a paid order's proxies are not all listed; the next `up` waits for them. */
  declare readonly status: pulumi.Output<"active" | "pendingDelivery">;
  /** The price of the last purchase. */
  declare readonly quote: pulumi.Output<ProxyOrderQuote>;
  /** What was paid, when, and for which order number, oldest first. */
  declare readonly purchases: pulumi.Output<ProxyOrderPurchase[]>;

  /** The type of the proxies. Changing it means buying again. */
  declare readonly proxyType: pulumi.Output<Type>;
  /**
   * Where the proxies are: an ISO 3166-1 alpha-3 code in capitals, such as `USA`, from `getCountries`. Changing it means
   * buying again.
   */
  declare readonly country: pulumi.Output<string>;
  /**
   * Number of proxies. More: those that were let go and are still paid come back free of charge, and the rest
   * is bought as a further order, at the price in the preview. Fewer: those that end first are let go for
   * nothing; they stay paid until they end. IPv6 proxies are let go and come back by whole orders.
   */
  declare readonly quantity: pulumi.Output<number>;
  /**
   * For how many days the proxies are rented: one of `getRentPeriods`. The price is for all of them. A change is recorded
   * for the next purchase.
   */
  declare readonly rentPeriodDays: pulumi.Output<number>;
  /** What the proxies are for, in your words. A change is recorded for the next purchase. */
  declare readonly goal: pulumi.Output<string>;
  /**
   * A promo code, from `getPromoCodes`. One that is not valid is refused at preview (`PROMO_CODE_NOT_VALID`), because the
   * service would take the order and charge it in full. A change is recorded for the next purchase.
   */
  declare readonly promoCode: pulumi.Output<string | undefined>;
  /**
   * How the proxies know their user: `LOGIN` by login and password, `IP` by the address that the user
   * comes from. Changing it means buying again.
   */
  declare readonly authType: pulumi.Output<Auth>;
  /** The address that the user comes from, with authType `IP`. Changing it means buying again. */
  declare readonly authIp: pulumi.Output<string | undefined>;
  /** Which protocol the proxies speak; for `IPv6` only. Changing it means buying again. */
  declare readonly protocol: pulumi.Output<"HTTP" | "SOCKS" | undefined>;
  /**
   * The tag of a mobile operator in the country, from `getMobileOperators`; for `MOBILE` only. Changing it means buying
   * again.
   */
  declare readonly mobileOperator: pulumi.Output<string | undefined>;
  /**
   * After how many seconds a proxy changes its address: one of the operator's `rotationTimes`; for `MOBILE` only.
   * Changing it means buying again.
   */
  declare readonly rotationTime: pulumi.Output<number | undefined>;
  /**
   * The most that one purchase may cost in total, in account currency. A higher price is refused (`PRICE_ABOVE_CAP`), at
   * preview and right before the purchase.
   * @default no cap but the balance and `proxyrental:maxSpend`
   */
  declare readonly maxPrice: pulumi.Output<number | undefined>;
  /**
   * Whether an edit that can't be made to a paid order may buy a new one and let the old one run out. Without it such an
   * edit is refused (`EDIT_REFUSED`).
   * @default false
   */
  declare readonly allowReplacement: pulumi.Output<boolean | undefined>;
  /**
   * Take over an order that the account holds already, by its order id in the listing or its number in the
   * journal; never buys. `proxyType`, `country` and `quantity` must be the order's. Taking the argument out
   * later changes nothing; naming another order releases this one and takes over that one. @default buy
   */
  declare readonly adoptOrderNumber: pulumi.Output<string | undefined>;
  /**
   * How long to wait, in seconds, until the proxies of a paid order are listed. The next `pulumi up` waits for what
   * is missing then; nothing is bought again. @default 120
   */
  declare readonly deliveryTimeoutSeconds: pulumi.Output<number | undefined>;

  constructor(name: string, args: ProxyOrderArgs<Type, Auth>, opts?: pulumi.CustomResourceOptions) {
    assertConfiguration();
    const outputs = {
      orderNumber: undefined,
      orderIds: undefined,
      proxies: undefined,
      released: undefined,
      ipAddressIds: undefined,
      credentials: undefined,
      urls: undefined,
      expiresAt: undefined,
      status: undefined,
      quote: undefined,
      purchases: undefined,
      authType: undefined,
    };
    super(
      "ProxyOrder",
      name,
      { ...outputs, ...args, owner: ownerOf(name, TYPE, opts?.parent) },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials", "urls"] }),
    );
    Object.assign(this, outputsOfAbsent(optionalArgs, args));
  }
}
