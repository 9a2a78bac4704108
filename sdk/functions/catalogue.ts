import * as pulumi from "@pulumi/pulumi";
import type { Country, MobileOperators, ProxyType } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** The arguments of a function about one proxy type. */
export interface ProxyTypeArgs {
  /** The proxy type that is looked at. */
  proxyType: ProxyType;
}

/** As `ProxyTypeArgs`, for the output forms. */
export interface ProxyTypeOutputArgs {
  /** The proxy type that is looked at. */
  proxyType: pulumi.Input<ProxyType>;
}

/** What `getProxyTypes` gives. */
export interface GetProxyTypesResult {
  /** The proxy types, as an order takes them. */
  proxyTypes: string[];
}

/** What `getCountries` gives. */
export interface GetCountriesResult {
  /** The countries in which it is on offer. */
  countries: Country[];
}

/** What `getRentPeriods` gives. */
export interface GetRentPeriodsResult {
  /** For how many days it can be rented. */
  rentPeriodDays: number[];
}

/** What `getMobileOperators` gives. */
export interface GetMobileOperatorsResult {
  /** Operators and their rotation times in seconds, by alpha-3 country code. */
  mobileOperators: MobileOperators;
}

/**
 * The proxy types on offer. Spends nothing.
 *
 * @example
 * const { proxyTypes } = await getProxyTypes(); // ["IPv4", "IPv6", "MOBILE", "ISP"]
 */
export function getProxyTypes(): Promise<GetProxyTypesResult> {
  return ask("getProxyTypes");
}

/**
 * As `getProxyTypes`, as an output.
 *
 * @example
 * export const offered = getProxyTypesOutput().proxyTypes;
 */
export function getProxyTypesOutput(): pulumi.Output<GetProxyTypesResult> {
  return pulumi.output(getProxyTypes());
}

/**
 * The countries in which a proxy type is on offer. Spends nothing.
 *
 * @example
 * const { countries } = await getCountries({ proxyType: "ISP" });
 * const codes = countries.map((country) => country.alpha3code); // ["USA", "DEU", …]
 */
export function getCountries(args: ProxyTypeArgs): Promise<GetCountriesResult> {
  return ask("getCountries", args);
}

/**
 * As `getCountries`, as an output.
 *
 * @example
 * const { countries } = getCountriesOutput({ proxyType: "ISP" });
 * export const names = countries.apply((found) => found.map((country) => country.name));
 */
export function getCountriesOutput(args: ProxyTypeOutputArgs): pulumi.Output<GetCountriesResult> {
  return pulumi.output(args).apply(getCountries);
}

/**
 * For how many days proxies of a type can be rented, and extended. Spends nothing.
 *
 * @example
 * const { rentPeriodDays } = await getRentPeriods({ proxyType: "MOBILE" });
 * const shortest = Math.min(...rentPeriodDays);
 */
export function getRentPeriods(args: ProxyTypeArgs): Promise<GetRentPeriodsResult> {
  return ask("getRentPeriods", args);
}

/**
 * As `getRentPeriods`, as an output.
 *
 * @example
 * export const periods = getRentPeriodsOutput({ proxyType: "IPv6" }).rentPeriodDays;
 */
export function getRentPeriodsOutput(
  args: ProxyTypeOutputArgs,
): pulumi.Output<GetRentPeriodsResult> {
  return pulumi.output(args).apply(getRentPeriods);
}

/**
 * The mobile operators by country, with the times after which a proxy changes its address. Spends nothing.
 *
 * @example
 * const { mobileOperators } = await getMobileOperators();
 * const tags = mobileOperators.DEU?.map((operator) => operator.mobileOperator);
 */
export function getMobileOperators(): Promise<GetMobileOperatorsResult> {
  return ask("getMobileOperators");
}

/**
 * As `getMobileOperators`, as an output.
 *
 * @example
 * export const countries = getMobileOperatorsOutput().mobileOperators.apply(Object.keys);
 */
export function getMobileOperatorsOutput(): pulumi.Output<GetMobileOperatorsResult> {
  return pulumi.output(getMobileOperators());
}
