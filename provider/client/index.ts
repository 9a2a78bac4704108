export type { Chance, ClientOptions } from "./caller.ts";
export { type Client, createClient } from "./client.ts";
export { type EndpointName, endpoints } from "./endpoints.ts";
export {
  isServiceError,
  type Outcome,
  ServiceError,
  type ServiceErrorCode,
} from "./errors.ts";
export { REDACTED_KEY, redactKey } from "./redact.ts";
export type { Balance } from "./schema/account.ts";
export type { Country, MobileOperator, MobileOperators, PromoCode } from "./schema/catalogue.ts";
export type {
  AcceptedExtension,
  AutoExtensionRequest,
  ExtensionRequest,
  SwitchedAutoExtension,
} from "./schema/extension.ts";
export type { AcceptedOrder, Calculation, OrderRequest } from "./schema/order.ts";
export type {
  Credential,
  ProxyPage,
  ProxyPageRequest,
  ProxyRecord,
  RentedProxy,
} from "./schema/proxy.ts";
export { type ProxyType, proxyTypes, type ServiceProblem } from "./schema/wire.ts";
