import { z } from "zod";
import { type AllowListConfig, defineAllowList } from "./allow-list.ts";

/** Days. Without a list every period is allowed. */
export type AllowedRentPeriodsConfig = AllowListConfig<number>;

/** Judges the rent period of each order and extension that costs money. */
export const allowedRentPeriods = defineAllowList({
  name: "allowed-rent-periods",
  description: "Proxies may be rented for some periods only.",
  input: "rentPeriodDays",
  noun: "rent period in days",
  item: z.int().min(1),
  kinds: ["ProxyOrder", "IpExtension"],
});
