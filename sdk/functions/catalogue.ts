import * as pulumi from "@pulumi/pulumi";
import type { Country, MobileOperators, ProxyType } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** The arguments of a function about one proxy type. */
export interface ProxyTypeArgs {
  proxyType: ProxyType;
}

/** As `ProxyTypeArgs`, for the output forms. */
export interface ProxyTypeOutputArgs {
  proxyType: pulumi.Input<ProxyType>;
}

/** What `getProxyTypes` gives. */
export interface GetProxyTypesResult {
  proxyTypes: string[];
}

/** What `getCountries` gives. */
export interface GetCountriesResult {
  countries: Country[];
}

/** What `getRentPeriods` gives. */
export interface GetRentPeriodsResult {
  /** Days. */
  rentPeriodDays: number[];
}

/** What `getMobileOperators` gives. */
export interface GetMobileOperatorsResult {
  /** Operators and their rotation times in seconds, by alpha-3 country code. */
  mobileOperators: MobileOperators;
}

/** The proxy types on offer (source: endpoint 2). Spends nothing. */
export function getProxyTypes(): Promise<GetProxyTypesResult> {
  return ask("getProxyTypes");
}

/** As `getProxyTypes`, as an output. */
export function getProxyTypesOutput(): pulumi.Output<GetProxyTypesResult> {
  return pulumi.output(getProxyTypes());
}

/** The countries in which a proxy type is on offer (source: endpoint 3). Spends nothing. */
export function getCountries(args: ProxyTypeArgs): Promise<GetCountriesResult> {
  return ask("getCountries", args);
}

/** As `getCountries`, as an output. */
export function getCountriesOutput(args: ProxyTypeOutputArgs): pulumi.Output<GetCountriesResult> {
  return pulumi.output(args).apply(getCountries);
}

/** The rent periods of a proxy type (source: endpoint 4). Spends nothing. */
export function getRentPeriods(args: ProxyTypeArgs): Promise<GetRentPeriodsResult> {
  return ask("getRentPeriods", args);
}

/** As `getRentPeriods`, as an output. */
export function getRentPeriodsOutput(
  args: ProxyTypeOutputArgs,
): pulumi.Output<GetRentPeriodsResult> {
  return pulumi.output(args).apply(getRentPeriods);
}

/** The mobile operators by country (source: endpoint 6). Spends nothing. */
export function getMobileOperators(): Promise<GetMobileOperatorsResult> {
  return ask("getMobileOperators");
}

/** As `getMobileOperators`, as an output. */
export function getMobileOperatorsOutput(): pulumi.Output<GetMobileOperatorsResult> {
  return pulumi.output(getMobileOperators());
}
