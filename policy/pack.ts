import type { EnforcementLevel, ResourceValidationPolicy } from "@pulumi/policy";
import { findUnknownNames, setDefaults } from "./config.ts";
import { type MaxOrderPriceConfig, maxOrderPrice } from "./max-order-price.ts";
import { pricedBeforeBuying } from "./priced-before-buying.ts";

/** What a violation does. `remediate` is left out: no policy here can make an order cheaper. */
export type PolicyLevel = Exclude<EnforcementLevel, "remediate">;

/** What the policies may be told: to `spendPolicies`, or as JSON in the file of `--policy-pack-config`. */
export type SpendPolicyConfig = {
  /** The level of every policy that is given none of its own. @default "mandatory" */
  all?: PolicyLevel;
  /** Cap on the price of one purchase. */
  "max-order-price"?: PolicyLevel | (MaxOrderPriceConfig & { enforcementLevel?: PolicyLevel });
  /** Nothing is bought at an unknown price. */
  "priced-before-buying"?: PolicyLevel | { enforcementLevel?: PolicyLevel };
};

/**
 * All policies of this package, for a pack of your own:
 * `new PolicyPack("ours", { policies: [...spendPolicies({ "max-order-price": { max: 50 } }), ...more] })`.
 * A config file still wins, key by key. Do not give the limits to `PolicyPack` instead, as its third argument:
 * the SDK makes every policy that is named there without a level advisory, so that it holds nothing.
 */
export function spendPolicies(config: SpendPolicyConfig = {}): ResourceValidationPolicy[] {
  const policies = [maxOrderPrice, pricedBeforeBuying];
  const fault = findUnknownNames(Object.keys(config), policies);
  if (fault) throw fault;
  const { all, ...perPolicy } = config;
  const given = new Map(Object.entries(perPolicy));
  return policies.map((policy) => setDefaults(policy, all, given.get(policy.name)));
}
