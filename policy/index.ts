export type { AllowListConfig } from "./allow-list.ts";
export { allowedCountries } from "./allowed-countries.ts";
export { allowedGoals } from "./allowed-goals.ts";
export { allowedProxyTypes } from "./allowed-proxy-types.ts";
export { allowedRentPeriods } from "./allowed-rent-periods.ts";
export {
  type AutoExtensionNeedsApprovalConfig,
  autoExtensionNeedsApproval,
} from "./auto-extension-needs-approval.ts";
export { type BalanceCoversSpendConfig, balanceCoversSpend } from "./balance-covers-spend.ts";
export type { ExceptionsConfig } from "./exceptions.ts";
export { type ExpectedCurrencyConfig, expectedCurrency } from "./expected-currency.ts";
export { type ExpiringSoonConfig, expiringSoon } from "./expiring-soon.ts";
export { type MaxOrderPriceConfig, maxOrderPrice } from "./max-order-price.ts";
export { type MaxPricePerProxyDayConfig, maxPricePerProxyDay } from "./max-price-per-proxy-day.ts";
export { type MaxQuantityConfig, maxQuantity } from "./max-quantity.ts";
export { type MonthlyBudgetConfig, monthlyBudget } from "./monthly-budget.ts";
export { type MonthlyRunRateConfig, monthlyRunRate } from "./monthly-run-rate.ts";
export { noReplacement } from "./no-replacement.ts";
export { type PolicyLevel, type SpendPolicyConfig, spendPolicies } from "./pack.ts";
export { pricedBeforeBuying } from "./priced-before-buying.ts";
export { protectPaidOrders } from "./protect-paid-orders.ts";
export { publicAuthIp } from "./public-auth-ip.ts";
export type { SpendPolicy } from "./spend-policy.ts";
export { type StackBudgetConfig, stackBudget } from "./stack-budget.ts";
export { validPromoCode } from "./valid-promo-code.ts";
