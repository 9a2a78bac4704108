import * as pulumi from "@pulumi/pulumi";
import type { Credential, ProxyType, RentedProxy } from "../provider/client/records.ts";
import { findFleetFailures } from "../provider/core/order/model/fleet-args.ts";
import { ProxyRentalError } from "./errors.ts";
import { IpAutoExtend } from "./ip-auto-extend.ts";
import { ownerOf } from "./owner.ts";
import {
  type AuthType,
  ProxyOrder,
  type ProxyOrderAuthentication,
  type ProxyOrderCommonArgs,
  type ProxyOrderKind,
} from "./proxy-order.ts";

/** Arguments that every fleet has. The order of each country gets those of an order. */
export interface ProxyFleetCommonArgs<Country extends string = string>
  extends Omit<ProxyOrderCommonArgs, "country" | "quantity" | "adoptOrderNumber" | "maxPrice"> {
  /**
   * Number of proxies by ISO 3166-1 alpha-3 code, from `getCountries`. The codes must be known when the program runs;
   * the numbers may be outputs. A country that you add is bought, and one that you take out is let go. The orders of
   * the others are not touched.
   */
  countries: Readonly<Record<Country, pulumi.Input<number>>>;
  /**
   * Whether the proxies are extended automatically: with `true` by `rentPeriodDays` each time, or by the days that
   * you give here. Costs nothing now. From then on the service charges the balance each time.
   * @default false
   */
  autoExtend?: boolean | { rentPeriodDays: pulumi.Input<number> };
  /**
   * Refuse to buy the order **of a country** above this total, in account currency. For the sum of all countries, set
   * `maxSpend`. @default no cap but `maxSpend`, the balance and `proxyrental:maxSpend`
   */
  maxPrice?: pulumi.Input<number>;
  /**
   * The most that one run may spend on the orders of **all countries together**, in account currency. What is paid
   * already does not count. A plan above it is refused at preview, and an order that would exceed it is not sent. The
   * extensions of `autoExtend` are charged later, by the service, and don't count.
   * @default no cap but the balance and `proxyrental:maxSpend`
   */
  maxSpend?: pulumi.Input<number>;
}

/**
 * The arguments of a `ProxyFleet`. Creating one **spends money**: each country is an order, whose price is in the
 * preview. After the last of them, the preview shows the balance that all would leave. MOBILE proxies have the same
 * operator and rotation time in all countries. If operators differ by country, declare a fleet or an order for each.
 */
export type ProxyFleetArgs<
  Country extends string = string,
  Type extends ProxyType = ProxyType,
  Auth extends AuthType = AuthType,
> = ProxyFleetCommonArgs<Country> & ProxyOrderAuthentication<Auth> & ProxyOrderKind<Type>;

/** A value of each country's order. */
export type ByCountry<Country extends string, Value> = Readonly<Record<Country, Value>>;

const TYPE = "proxyrental:index:ProxyFleet";

/**
 * An order of proxies in each of several countries, with automatic extension if you ask for it.
 *
 * @example
 * const fleet = new ProxyFleet("prices", {
 *   proxyType: "ISP",
 *   countries: { USA: 3, DEU: 2 },
 *   rentPeriodDays: 30,
 *   goal: "price comparison",
 *   autoExtend: true,
 *   maxPrice: 20,
 * });
 * export const german = fleet.urlsByCountry.DEU;
 */
export class ProxyFleet<
  Country extends string = string,
  Type extends ProxyType = ProxyType,
  Auth extends AuthType = AuthType,
> extends pulumi.ComponentResource {
  /** The order of each country. */
  readonly orders: ByCountry<Country, ProxyOrder>;

  /** The service's records of all proxies, without their logins. */
  readonly proxies: pulumi.Output<RentedProxy[]>;
  /** As `proxies`, for each country. */
  readonly proxiesByCountry: ByCountry<Country, pulumi.Output<RentedProxy[]>>;
  /** The ids of all proxies. */
  readonly ipAddressIds: pulumi.Output<string[]>;
  /** As `ipAddressIds`, for each country. */
  readonly ipAddressIdsByCountry: ByCountry<Country, pulumi.Output<string[]>>;
  /** Login and password by ipAddressId. Secret. */
  readonly credentials: pulumi.Output<Record<string, Credential>>;
  /** As `credentials`, for each country. Secret. */
  readonly credentialsByCountry: ByCountry<Country, pulumi.Output<Record<string, Credential>>>;
  /** `scheme://login:password@ip:port`, percent-encoded: http, or socks5 with protocol SOCKS. Secret. */
  readonly urls: pulumi.Output<string[]>;
  /** As `urls`, for each country. Secret. */
  readonly urlsByCountry: ByCountry<Country, pulumi.Output<string[]>>;
  /** When the first of the proxies ends, ISO 8601; undefined while the service has told no end. */
  readonly expiresAt: pulumi.Output<string | undefined>;
  /** As `expiresAt`, for each country. */
  readonly expiresAtByCountry: ByCountry<Country, pulumi.Output<string | undefined>>;
  /** Which protocol IPv6 proxies speak. */
  readonly protocol: pulumi.Output<"HTTP" | "SOCKS" | undefined>;

  /** @throws ProxyRentalError INPUT_INVALID before anything is declared, for `countries`, `autoExtend` and names. */
  constructor(
    name: string,
    args: ProxyFleetArgs<Country, Type, Auth>,
    opts?: pulumi.ComponentResourceOptions,
  );
  // Inside, what a type needs does not matter: each order checks it.
  constructor(name: string, args: ProxyFleetArgs<Country>, opts?: pulumi.ComponentResourceOptions) {
    assertFleetArgs(name, args);
    super(TYPE, name, {}, opts);
    const { countries, autoExtend, maxSpend, ...orderArgs } = args;
    const child = { parent: this };
    const limited =
      maxSpend === undefined
        ? {}
        : { fleet: { owner: ownerOf(name, TYPE, opts?.parent), maxSpend } };
    this.orders = mapByCountry(countries, (quantity, country) => {
      const ofCountry = { ...orderArgs, country, quantity, ...limited };
      const order = new ProxyOrder(`${name}-${country}`, ofCountry, child);
      if (autoExtend) {
        const { proxyType } = args;
        const { rentPeriodDays } = autoExtend === true ? args : autoExtend;
        const { ipAddressIds } = order;
        const extended = { proxyType, ipAddressIds, rentPeriodDays };
        new IpAutoExtend(`${name}-${country}-auto-extend`, extended, child);
      }
      return order;
    });

    const ofEach = <Value>(pick: (order: ProxyOrder) => Value) => mapByCountry(this.orders, pick);
    this.proxiesByCountry = ofEach((order) => order.proxies);
    this.proxies = together(this.proxiesByCountry, (lists) => lists.flat());
    this.ipAddressIdsByCountry = ofEach((order) => order.ipAddressIds);
    this.ipAddressIds = together(this.ipAddressIdsByCountry, (lists) => lists.flat());
    this.credentialsByCountry = ofEach((order) => pulumi.secret(order.credentials));
    this.credentials = together(
      this.credentialsByCountry,
      (logins): Record<string, Credential> => Object.assign({}, ...logins),
    );
    this.urlsByCountry = ofEach((order) => pulumi.secret(order.urls));
    this.urls = together(this.urlsByCountry, (lists) => lists.flat());
    this.expiresAtByCountry = ofEach((order) => order.expiresAt);
    this.expiresAt = together(this.expiresAtByCountry, findEarliest);
    this.protocol = pulumi.output(args.protocol);
    this.registerOutputs({ ipAddressIds: this.ipAddressIds, expiresAt: this.expiresAt });
  }
}

/** Every argument by its name. The compiler compares this with the type. */
const argNames: Record<keyof ProxyFleetArgs, true> = {
  proxyType: true,
  countries: true,
  rentPeriodDays: true,
  goal: true,
  autoExtend: true,
  promoCode: true,
  authType: true,
  authIp: true,
  protocol: true,
  mobileOperator: true,
  rotationTime: true,
  maxPrice: true,
  maxSpend: true,
  allowReplacement: true,
  deliveryTimeoutSeconds: true,
};

function assertFleetArgs(name: string, args: object): void {
  const isLater = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;
  const accepted = Object.keys(argNames);
  const failures = findFleetFailures({ args: { ...args }, accepted, isLater });
  if (failures.length === 0) return;
  const problems = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  throw new ProxyRentalError("INPUT_INVALID", `INPUT_INVALID: ProxyFleet ${name}: ${problems}`);
}

function mapByCountry<Country extends string, From, To>(
  from: ByCountry<Country, From>,
  map: (value: From, country: Country) => To,
): ByCountry<Country, To> {
  const countries = Object.keys(from) as Country[];
  const entries = countries.map((country) => [country, map(from[country], country)]);
  return Object.fromEntries(entries);
}

function together<Country extends string, Value, Sum>(
  values: ByCountry<Country, pulumi.Output<Value>>,
  sum: (values: Value[]) => Sum,
): pulumi.Output<Sum> {
  const outputs: pulumi.Output<Value>[] = Object.values(values);
  return pulumi.output(outputs).apply((known) => sum(known as Value[])) as pulumi.Output<Sum>;
}

function findEarliest(ends: (string | undefined)[]): string | undefined {
  return ends.filter((end) => end !== undefined).sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
