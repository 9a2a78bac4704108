export type { Chance, ClientOptions } from "./caller.ts";
export { type Client, createClient, type SpendingOptions } from "./client.ts";
export { type EndpointName, endpoints } from "./endpoints.ts";
export {
  isServiceError,
  type Outcome,
  ServiceError,
  type ServiceErrorCode,
  serviceErrorCodes,
} from "./errors.ts";
export type { CallObserver, CallResult, ObservedCall } from "./observed-call.ts";
export {
  type Balance,
  type Country,
  type Credential,
  type MobileOperator,
  type MobileOperators,
  type PromoCode,
  type ProxyType,
  proxyTypes,
  type RentedProxy,
  type ServiceProblem,
} from "./records.ts";
export { LEAST_KEY_LENGTH, REDACTED_KEY, redactKey } from "./redact.ts";
export type {
  AcceptedExtension,
  AutoExtensionRequest,
  ExtensionRequest,
  SwitchedAutoExtension,
} from "./schema/extension.ts";
export type { AcceptedOrder, Calculation, OrderRequest } from "./schema/order.ts";
export type { ProxyPage, ProxyPageRequest, ProxyRecord } from "./schema/proxy.ts";
