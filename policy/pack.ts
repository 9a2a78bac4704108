import type { EnforcementLevel, ResourceValidationPolicy } from "@pulumi/policy";
import { type MaxOrderPriceConfig, maxOrderPrice } from "./max-order-price.ts";
import { pricedBeforeBuying } from "./priced-before-buying.ts";

/** What a violation does. `remediate` is left out: no policy here can make an order cheaper. */
export type PolicyLevel = Exclude<EnforcementLevel, "remediate">;

/**
 * What the policies may be told: as JSON in the file of `--policy-pack-config`, or in a program as the third
 * argument of a `PolicyPack`. The file wins.
 */
export type SpendPolicyConfig = {
  /** The level of every policy that is given none of its own. @default "mandatory" */
  all?: PolicyLevel;
  /** Cap on the price of one purchase. */
  "max-order-price"?: PolicyLevel | (MaxOrderPriceConfig & { enforcementLevel?: PolicyLevel });
  /** Nothing is bought at an unknown price. */
  "priced-before-buying"?: PolicyLevel | { enforcementLevel?: PolicyLevel };
};

/**
 * All policies of this package, for the ready pack or one of your own:
 * `new PolicyPack("ours", { policies: [...spendPolicies(), ...more] }, { "max-order-price": { max: 50 } })`.
 */
export function spendPolicies(): ResourceValidationPolicy[] {
  return [maxOrderPrice, pricedBeforeBuying];
}
