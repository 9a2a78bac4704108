import { type AllowListConfig, defineAllowList } from "./allow-list.ts";
import { countryCode } from "./config-values.ts";

/** ISO 3166-1 alpha-3 codes. Without a list every country is allowed. */
export type AllowedCountriesConfig = AllowListConfig<string>;

/**
 * Judges the country of each order that costs money. An extension always passes: its plan does not say the country,
 * and it brings no new one.
 */
export const allowedCountries = defineAllowList({
  name: "allowed-countries",
  description: "Proxies of only some countries may be bought.",
  input: "country",
  noun: "country",
  item: countryCode,
  kinds: ["ProxyOrder"],
});
