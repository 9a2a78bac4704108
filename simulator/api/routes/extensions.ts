import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import { type AccountView, type Service, type ServiceEnv, viewAccount } from "../../service.ts";
import { admit } from "../admission.ts";
import {
  checkRentPeriod,
  findProxies,
  priceExtension,
  readIpAddressIds,
  sumPrices,
} from "../extension-rules.ts";
import { Rejection, type ServiceError, serviceErrors } from "../rejection.ts";
import { describeAnswer, describeBody, KeyParams } from "../schema/envelope.ts";
import {
  AutoExtensionAnswer,
  AutoExtensionBody,
  ExtensionAnswer,
  ExtensionBody,
  ExtensionCalculationBody,
} from "../schema/extension.ts";
import { CalculationAnswer } from "../schema/order.ts";
import { emptyCalculation } from "./orders.ts";

export function addExtensionRoutes(app: OpenAPIHono<ServiceEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "calculateExtension",
      method: "post",
      path: "/client/api/v1/{apiKey}/calculate/extend",
      middleware: admit(service, "calculateExtension", emptyCalculation),
      request: { params: KeyParams, body: describeBody(ExtensionCalculationBody) },
      responses: describeAnswer(CalculationAnswer),
    }),
    (c) => c.json(calculateExtension(service, c.req.valid("json")), 200),
  );

  app.openapi(
    createRoute({
      operationId: "extend",
      method: "post",
      path: "/client/api/v1/{apiKey}/extend",
      middleware: admit(service, "extend", emptyExtension),
      request: { params: KeyParams, body: describeBody(ExtensionBody) },
      responses: describeAnswer(ExtensionAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return c.json(
        c.get("commit")(() => extend(service, request)),
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      operationId: "setAutoExtension",
      method: "post",
      path: "/client/api/v1/{apiKey}/extend/auto",
      middleware: admit(service, "setAutoExtension", emptyAutoExtension),
      request: { params: KeyParams, body: describeBody(AutoExtensionBody) },
      responses: describeAnswer(AutoExtensionAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return c.json(
        c.get("commit")(() => setAutoExtension(service, request)),
        200,
      );
    },
  );
}

function calculateExtension(
  service: Service,
  request: z.infer<typeof ExtensionCalculationBody>,
): z.infer<typeof CalculationAnswer> {
  const { store, settings } = service;
  const { proxyType, rentPeriodDays } = request;
  checkRentPeriod(settings, proxyType, rentPeriodDays);
  const ids = readIpAddressIds(proxyType, request.IpAddressIds, settings.ipv6IdsAs);
  const proxies = findProxies(store, proxyType, ids);
  const verdict = store.promoBook.judge(request.promoCode, store.nowMs());
  const price = sumPrices(priceExtension(store, proxies, rentPeriodDays, verdict));
  return {
    success: true,
    proxyType,
    ...viewAccount(service),
    price: price.toNumber(),
    discount: verdict.discount,
    promoCodeStatus: verdict.promoCodeStatus,
    warnings: store.ledger.covers(price) ? null : [serviceErrors.funds],
    error: null,
  };
}

function extend(
  service: Service,
  request: z.infer<typeof ExtensionBody>,
): z.infer<typeof ExtensionAnswer> {
  const { store, settings } = service;
  const { proxyType, rentPeriodDays, ipAddressIds } = request;
  checkRentPeriod(settings, proxyType, rentPeriodDays);
  const proxies = findProxies(store, proxyType, ipAddressIds);
  const verdict = store.promoBook.judge(request.promoCode, store.nowMs());
  const extensions = priceExtension(store, proxies, rentPeriodDays, verdict);
  if (!store.ledger.covers(sumPrices(extensions))) throw new Rejection("funds");
  store.promoBook.redeem(request.promoCode, verdict);
  for (const extension of extensions) {
    store.extend(extension.order, extension.proxies, rentPeriodDays, extension.price);
  }
  return {
    success: true,
    proxyType,
    rentPeriodDays,
    quantity: ipAddressIds.length,
    ipAddressIds,
    ...viewAccount(service),
    error: null,
    promoCodeStatus: verdict.promoCodeStatus,
  };
}

function setAutoExtension(
  service: Service,
  request: z.infer<typeof AutoExtensionBody>,
): z.infer<typeof AutoExtensionAnswer> {
  const { store, settings } = service;
  const { proxyType, rentPeriodDays, ipAddressIds, autoExtend } = request;
  checkRentPeriod(settings, proxyType, rentPeriodDays);
  const proxies = findProxies(store, proxyType, ipAddressIds);
  store.setAutoExtension(proxies, autoExtend, rentPeriodDays);
  return {
    success: true,
    proxyType,
    rentPeriodDays,
    quantity: ipAddressIds.length,
    ipAddressIds,
    ...viewAccount(service),
    error: null,
  };
}

function emptyAutoExtension(
  error: ServiceError,
  account: AccountView,
): z.infer<typeof AutoExtensionAnswer> {
  return {
    success: false,
    proxyType: null,
    rentPeriodDays: 0,
    quantity: 0,
    ipAddressIds: [],
    ...account,
    error,
  };
}

function emptyExtension(
  error: ServiceError,
  account: AccountView,
): z.infer<typeof ExtensionAnswer> {
  return { ...emptyAutoExtension(error, account), promoCodeStatus: null };
}
