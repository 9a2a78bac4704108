import type { z } from "zod";
import { balanceWire } from "./schema/account.ts";
import {
  countriesWire,
  mobileOperatorsWire,
  promoCodesWire,
  proxyTypesWire,
  rentPeriodsWire,
} from "./schema/catalogue.ts";
import { acceptedExtensionWire, autoExtensionWire } from "./schema/extension.ts";
import { acceptedOrderWire, calculationWire } from "./schema/order.ts";
import { proxyPageWire } from "./schema/proxy.ts";

/** What the client must know of an endpoint. Nothing else has an opinion on any of it. */
export interface Endpoint {
  method: "GET" | "POST";
  /** Below `/client/api/v1/{apiKey}/`. */
  path: string;
  /** Reads a successful answer. */
  answer: z.ZodType;
  /** False where asking twice may pay twice: such a call is sent once, whatever happens. */
  repeatable: boolean;
}

/** The service's endpoints, in the order of its document. */
export const endpoints = {
  getBalance: { method: "GET", path: "balance", answer: balanceWire, repeatable: true },
  listProxyTypes: { method: "GET", path: "proxyType", answer: proxyTypesWire, repeatable: true },
  listCountries: { method: "GET", path: "country", answer: countriesWire, repeatable: true },
  listRentPeriods: { method: "GET", path: "rentPeriod", answer: rentPeriodsWire, repeatable: true },
  listPromoCodes: { method: "GET", path: "promoCode", answer: promoCodesWire, repeatable: true },
  listMobileOperators: {
    method: "GET",
    path: "mobileOperator",
    answer: mobileOperatorsWire,
    repeatable: true,
  },
  calculateOrder: {
    method: "POST",
    path: "calculate/order",
    answer: calculationWire,
    repeatable: true,
  },
  createOrder: { method: "POST", path: "order", answer: acceptedOrderWire, repeatable: false },
  calculateExtension: {
    method: "POST",
    path: "calculate/extend",
    answer: calculationWire,
    repeatable: true,
  },
  extend: { method: "POST", path: "extend", answer: acceptedExtensionWire, repeatable: false },
  setAutoExtension: {
    method: "POST",
    path: "extend/auto",
    answer: autoExtensionWire,
    repeatable: true,
  },
  listProxies: { method: "POST", path: "ipAddress", answer: proxyPageWire, repeatable: true },
} as const satisfies Record<string, Endpoint>;

/** Names of the endpoints. */
export type EndpointName = keyof typeof endpoints;

/** What a successful answer of an endpoint is read into. */
export type Answer<Name extends EndpointName> = z.output<(typeof endpoints)[Name]["answer"]>;
