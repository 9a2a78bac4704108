export { type MaxOrderPriceConfig, maxOrderPrice } from "./max-order-price.ts";
export { type PolicyLevel, type SpendPolicyConfig, spendPolicies } from "./pack.ts";
export { pricedBeforeBuying } from "./priced-before-buying.ts";
