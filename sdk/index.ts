export type {
  AutoExtension,
  Country,
  Credential,
  MobileOperator,
  MobileOperators,
  PromoCode,
  ProxyType,
  RentedProxy,
  ServiceProblem,
} from "../provider/client/records.ts";
export type {
  PlaywrightProxy,
  ProxyFormat,
  ProxyForms,
  UndiciProxy,
} from "../provider/core/proxies/proxy-format.ts";
export { type ProxyScheme, toProxyUrl } from "../provider/core/proxies/proxy-url.ts";
export {
  type ErrorCode,
  isProxyRentalError,
  ProxyRentalError,
  /** @deprecated Use `ProxyRentalError`. It stays until release 0.3. */
  ProxyRentalError as ProgramError,
} from "./errors.ts";
export { type GetBalanceResult, getBalance, getBalanceOutput } from "./functions/balance.ts";
export {
  type GetCountriesResult,
  type GetMobileOperatorsResult,
  type GetProxyTypesResult,
  type GetRentPeriodsResult,
  getCountries,
  getCountriesOutput,
  getMobileOperators,
  getMobileOperatorsOutput,
  getProxyTypes,
  getProxyTypesOutput,
  getRentPeriods,
  getRentPeriodsOutput,
  type ProxyTypeArgs,
  type ProxyTypeOutputArgs,
} from "./functions/catalogue.ts";
export {
  type GetExtensionQuoteArgs,
  type GetExtensionQuoteOutputArgs,
  type GetExtensionQuoteResult,
  getExtensionQuote,
  getExtensionQuoteOutput,
} from "./functions/extension-quote.ts";
export {
  type GetOrderQuoteArgs,
  type GetOrderQuoteResult,
  getOrderQuote,
  getOrderQuoteOutput,
} from "./functions/order-quote.ts";
export {
  type GetPromoCodesResult,
  getPromoCodes,
  getPromoCodesOutput,
} from "./functions/promo-codes.ts";
export {
  type GetProxiesArgs,
  type GetProxiesOutputArgs,
  type GetProxiesResult,
  getProxies,
  getProxiesOutput,
} from "./functions/proxies.ts";
export {
  type ExtendedProxy,
  IpAutoExtend,
  type IpAutoExtendArgs,
  type IpAutoExtendQuote,
} from "./ip-auto-extend.ts";
export {
  type ExtensionPayment,
  IpExtension,
  type IpExtensionArgs,
  type IpExtensionQuote,
  type PaidProxy,
} from "./ip-extension.ts";
export {
  type ByCountry,
  ProxyFleet,
  type ProxyFleetArgs,
  type ProxyFleetCommonArgs,
} from "./proxy-fleet.ts";
export {
  type FormatProxiesOptions,
  formatProxies,
  formatProxy,
  type ProxySource,
} from "./proxy-format.ts";
export {
  type AuthType,
  type MonthlyBudget,
  type OwnedProxies,
  ProxyOrder,
  type ProxyOrderArgs,
  type ProxyOrderAuthArgs,
  type ProxyOrderAuthentication,
  type ProxyOrderCommonArgs,
  type ProxyOrderKind,
  type ProxyOrderPurchase,
  type ProxyOrderQuote,
  type ProxyOrderTypeArgs,
  type ReleasedProxy,
} from "./proxy-order.ts";
