import type { EnforcementLevel } from "@pulumi/policy";
import { type AllowedCountriesConfig, allowedCountries } from "./allowed-countries.ts";
import { type AllowedGoalsConfig, allowedGoals } from "./allowed-goals.ts";
import { type AllowedProxyTypesConfig, allowedProxyTypes } from "./allowed-proxy-types.ts";
import { type AllowedRentPeriodsConfig, allowedRentPeriods } from "./allowed-rent-periods.ts";
import {
  type AutoExtensionNeedsApprovalConfig,
  autoExtensionNeedsApproval,
} from "./auto-extension-needs-approval.ts";
import { type BalanceCoversSpendConfig, balanceCoversSpend } from "./balance-covers-spend.ts";
import { findUnknownNames, setDefaults } from "./config.ts";
import { type ExceptionsConfig, withExceptions } from "./exceptions.ts";
import { type ExpectedCurrencyConfig, expectedCurrency } from "./expected-currency.ts";
import { type ExpiringSoonConfig, expiringSoon } from "./expiring-soon.ts";
import { type MaxOrderPriceConfig, maxOrderPrice } from "./max-order-price.ts";
import { type MaxPricePerProxyDayConfig, maxPricePerProxyDay } from "./max-price-per-proxy-day.ts";
import { type MaxQuantityConfig, maxQuantity } from "./max-quantity.ts";
import { type MonthlyBudgetConfig, monthlyBudget } from "./monthly-budget.ts";
import { type MonthlyRunRateConfig, monthlyRunRate } from "./monthly-run-rate.ts";
import { noReplacement } from "./no-replacement.ts";
import { pricedBeforeBuying } from "./priced-before-buying.ts";
import { protectPaidOrders } from "./protect-paid-orders.ts";
import { publicAuthIp } from "./public-auth-ip.ts";
import type { SpendPolicy } from "./spend-policy.ts";
import { type StackBudgetConfig, stackBudget } from "./stack-budget.ts";
import { validPromoCode } from "./valid-promo-code.ts";

/** What a violation does. `remediate` is left out: no policy here can make an order cheaper. */
export type PolicyLevel = Exclude<EnforcementLevel, "remediate">;

/** A level alone, or limits with a level or without. */
type Setting<Config = object> = PolicyLevel | (Config & { enforcementLevel?: PolicyLevel });

/**
 * The configuration of the policies: for `spendPolicies`, or as JSON in the file of `--policy-pack-config`. These
 * policies need none: a cap of 100 on one purchase, no purchase at an unknown price, no more than the balance, no
 * promo code that does not take effect, no proxies that nobody can reach. A replacement, and an end that is near, are
 * advice. All others wait for a limit, and `protect-paid-orders` for a level.
 */
export interface SpendPolicyConfig {
  /** The level of every policy that has no level of its own. Without it each has its default. */
  all?: PolicyLevel;
  /** What is exempt, why and until when. */
  exceptions?: Setting<ExceptionsConfig>;
  /** Cap on the price of one purchase. @default max 100, mandatory */
  "max-order-price"?: Setting<MaxOrderPriceConfig>;
  /** Cap on what one proxy costs a day. @default no limit, mandatory */
  "max-price-per-proxy-day"?: Setting<MaxPricePerProxyDayConfig>;
  /** Cap on what one run spends. @default no limit, mandatory */
  "stack-budget"?: Setting<StackBudgetConfig>;
  /** What one run leaves on the account. @default not in debt, mandatory */
  "balance-covers-spend"?: Setting<BalanceCoversSpendConfig>;
  /** Share of the account's monthly budget that a run may leave spent. @default no limit, mandatory */
  "monthly-budget"?: Setting<MonthlyBudgetConfig>;
  /** Cap on what the stack comes to in 30 days. @default no limit, mandatory */
  "monthly-run-rate"?: Setting<MonthlyRunRateConfig>;
  /** Nothing is bought at an unknown price. @default mandatory */
  "priced-before-buying"?: Setting;
  /** @default all, mandatory */
  "allowed-proxy-types"?: Setting<AllowedProxyTypesConfig>;
  /** @default all, mandatory */
  "allowed-countries"?: Setting<AllowedCountriesConfig>;
  /** @default all, mandatory */
  "allowed-rent-periods"?: Setting<AllowedRentPeriodsConfig>;
  /** @default all, mandatory */
  "allowed-goals"?: Setting<AllowedGoalsConfig>;
  /** Caps on how many proxies are held. @default no limit, mandatory */
  "max-quantity"?: Setting<MaxQuantityConfig>;
  /** What is paid is not bought again. @default advisory */
  "no-replacement"?: Setting;
  /** A promo code takes effect. @default mandatory */
  "valid-promo-code"?: Setting;
  /** @default any currency, mandatory */
  "expected-currency"?: Setting<ExpectedCurrencyConfig>;
  /** Orders have the resource option `protect`. @default disabled */
  "protect-paid-orders"?: Setting;
  /** What extends itself has an owner and a cover. @default not held, mandatory */
  "auto-extension-needs-approval"?: Setting<AutoExtensionNeedsApprovalConfig>;
  /** Ends that are near. @default 7, 3 and 1 days, advisory */
  "expiring-soon"?: Setting<ExpiringSoonConfig>;
  /** `authIp` is a public address. @default mandatory */
  "public-auth-ip"?: Setting;
}

const policies: readonly SpendPolicy[] = [
  ...[maxOrderPrice, maxPricePerProxyDay, stackBudget, balanceCoversSpend, monthlyBudget],
  monthlyRunRate,
  ...[pricedBeforeBuying, allowedProxyTypes, allowedCountries, allowedRentPeriods, allowedGoals],
  ...[maxQuantity, noReplacement, validPromoCode, expectedCurrency, protectPaidOrders],
  ...[autoExtensionNeedsApproval, expiringSoon, publicAuthIp],
];

/**
 * All policies of this package, for a pack of your own: `new PolicyPack("ours", { policies: [...spendPolicies({
 * "max-order-price": { max: 50 } }), ...more] })`. A config file still wins, key by key. Do not give the limits to
 * `PolicyPack` as its third argument: the SDK makes every policy that is named there without a level advisory, so it
 * stops nothing. The policy `exceptions` comes first; its exceptions hold for all that follow.
 */
export function spendPolicies(config: SpendPolicyConfig = {}): SpendPolicy[] {
  const all = withExceptions(policies, () => new Date());
  const fault = findUnknownNames(Object.keys(config), all);
  if (fault) throw fault;
  const { all: level, ...perPolicy } = config;
  const given = new Map(Object.entries(perPolicy));
  return all.map((policy) => setDefaults(policy, level, given.get(policy.name)));
}
