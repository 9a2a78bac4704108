import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Account } from "../../account/account.ts";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type AccountView, type ApiEnv, answer, viewAccount } from "../call.ts";
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

export function addExtensionRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "calculateExtension",
      tags: ["extensions"],
      summary: "What an extension would cost. Spends nothing; too little money is a warning",
      method: "post",
      path: "/client/api/v1/{apiKey}/calculate/extend",
      middleware: admit(service, "calculateExtension", emptyCalculation),
      request: { params: KeyParams, body: describeBody(ExtensionCalculationBody) },
      responses: describeAnswer(CalculationAnswer),
    }),
    (c) => answer(c, calculateExtension(c.get("account"), c.req.valid("json"))),
  );

  app.openapi(
    createRoute({
      operationId: "extend",
      tags: ["extensions"],
      summary:
        "Extends proxies and charges for it. Must not be repeated blindly: there is no way to take it back",
      method: "post",
      path: "/client/api/v1/{apiKey}/extend",
      middleware: admit(service, "extend", emptyExtension),
      request: { params: KeyParams, body: describeBody(ExtensionBody) },
      responses: describeAnswer(ExtensionAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return answer(
        c,
        c.get("commit")(() => extend(c.get("account"), request)),
      );
    },
  );

  app.openapi(
    createRoute({
      operationId: "setAutoExtension",
      tags: ["extensions"],
      summary: "Switches automatic extension on or off. Spends nothing by itself",
      method: "post",
      path: "/client/api/v1/{apiKey}/extend/auto",
      middleware: admit(service, "setAutoExtension", emptyAutoExtension),
      request: { params: KeyParams, body: describeBody(AutoExtensionBody) },
      responses: describeAnswer(AutoExtensionAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return answer(
        c,
        c.get("commit")(() => setAutoExtension(c.get("account"), request)),
      );
    },
  );
}

function calculateExtension(
  account: Account,
  request: z.infer<typeof ExtensionCalculationBody>,
): z.infer<typeof CalculationAnswer> {
  const { proxyType, rentPeriodDays } = request;
  checkRentPeriod(account.settings, proxyType, rentPeriodDays);
  const ids = readIpAddressIds(proxyType, request.IpAddressIds, account.settings.ipv6IdsAs);
  const proxies = findProxies(account, proxyType, ids);
  const verdict = account.promoBook.judge(request.promoCode, account.nowMs());
  const price = sumPrices(priceExtension(account, proxies, rentPeriodDays, verdict));
  return {
    success: true,
    proxyType,
    ...viewAccount(account),
    price: price.toNumber(),
    discount: verdict.discount,
    promoCodeStatus: verdict.promoCodeStatus,
    warnings: account.ledger.covers(price) ? null : [serviceErrors.funds],
    error: null,
  };
}

function extend(
  account: Account,
  request: z.infer<typeof ExtensionBody>,
): z.infer<typeof ExtensionAnswer> {
  const { proxyType, rentPeriodDays, ipAddressIds } = request;
  checkRentPeriod(account.settings, proxyType, rentPeriodDays);
  const proxies = findProxies(account, proxyType, ipAddressIds);
  const verdict = account.promoBook.judge(request.promoCode, account.nowMs());
  const extensions = priceExtension(account, proxies, rentPeriodDays, verdict);
  if (!account.ledger.covers(sumPrices(extensions))) throw new Rejection("funds");
  account.promoBook.redeem(request.promoCode, verdict);
  for (const extension of extensions) {
    account.extend(extension.order, extension.proxies, rentPeriodDays, extension.price);
  }
  return {
    success: true,
    proxyType,
    rentPeriodDays,
    quantity: ipAddressIds.length,
    ipAddressIds,
    ...viewAccount(account),
    error: null,
    promoCodeStatus: verdict.promoCodeStatus,
  };
}

function setAutoExtension(
  account: Account,
  request: z.infer<typeof AutoExtensionBody>,
): z.infer<typeof AutoExtensionAnswer> {
  const { proxyType, rentPeriodDays, ipAddressIds, autoExtend } = request;
  checkRentPeriod(account.settings, proxyType, rentPeriodDays);
  const proxies = findProxies(account, proxyType, ipAddressIds);
  account.setAutoExtension(proxies, autoExtend, rentPeriodDays);
  return {
    success: true,
    proxyType,
    rentPeriodDays,
    quantity: ipAddressIds.length,
    ipAddressIds,
    ...viewAccount(account),
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
