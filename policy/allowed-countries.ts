import { type AllowListConfig, defineAllowList } from "./allow-list.ts";
import { countryCode } from "./config-values.ts";

/** ISO 3166-1 alpha-3 codes; without a list nothing is held. */
export type AllowedCountriesConfig = AllowListConfig<string>;

/**
 * Holds the country of each order that costs money. An extension is left alone: its plan does not say the
 * country, and it brings no new one.
 */
export const allowedCountries = defineAllowList({
  name: "allowed-countries",
  description: "Proxies of only some countries may be bought.",
  input: "country",
  noun: "country",
  item: countryCode,
  kinds: ["ProxyOrder"],
});
