import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Account } from "../../account/account.ts";
import type { PricedItem } from "../../account/pricing.ts";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type AccountView, type ApiEnv, answer, viewAccount } from "../call.ts";
import { checkAuthorization, checkItem, checkRoom } from "../order-rules.ts";
import { Rejection, type ServiceError, serviceErrors } from "../rejection.ts";
import { describeAnswer, describeBody, KeyParams } from "../schema/envelope.ts";
import {
  CalculationAnswer,
  OrderAnswer,
  OrderBody,
  OrderCalculationBody,
} from "../schema/order.ts";

export function addOrderRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "calculateOrder",
      tags: ["orders"],
      summary: "What an order would cost. Spends nothing; too little money is a warning",
      method: "post",
      path: "/client/api/v1/{apiKey}/calculate/order",
      middleware: admit(service, "calculateOrder", emptyCalculation),
      request: { params: KeyParams, body: describeBody(OrderCalculationBody) },
      responses: describeAnswer(CalculationAnswer),
    }),
    (c) => answer(c, calculateOrder(c.get("account"), c.req.valid("json"))),
  );

  app.openapi(
    createRoute({
      operationId: "createOrder",
      tags: ["orders"],
      summary:
        "Places an order and charges for it. Must not be repeated blindly: there is no way to take it back",
      method: "post",
      path: "/client/api/v1/{apiKey}/order",
      middleware: admit(service, "createOrder", emptyOrder),
      request: { params: KeyParams, body: describeBody(OrderBody) },
      responses: describeAnswer(OrderAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return answer(
        c,
        c.get("commit")(() => createOrder(c.get("account"), request)),
      );
    },
  );
}

function calculateOrder(
  account: Account,
  request: z.infer<typeof OrderCalculationBody>,
): z.infer<typeof CalculationAnswer> {
  checkItem(request, account.settings);
  checkRoom(account, request.quantity);
  const { promoCodeStatus, discount } = account.promoBook.judge(request.promoCode, account.nowMs());
  const price = account.prices.price(request, discount);
  return {
    success: true,
    proxyType: request.proxyType,
    ...viewAccount(account),
    price: price.toNumber(),
    discount,
    promoCodeStatus,
    warnings: account.ledger.covers(price) ? null : [serviceErrors.funds],
    error: null,
  };
}

function createOrder(
  account: Account,
  request: z.infer<typeof OrderBody>,
): z.infer<typeof OrderAnswer> {
  checkAuthorization(request);
  checkItem(request, account.settings);
  checkRoom(account, request.quantity);
  const { proxyType, country, quantity, rentPeriodDays, ...details } = request;
  const item: PricedItem = { proxyType, country, quantity, rentPeriodDays };
  // A promo code that is not valid does not stop an order. It is bought at the full price.
  const verdict = account.promoBook.judge(request.promoCode, account.nowMs());
  const price = account.prices.price(item, verdict.discount);
  if (!account.ledger.covers(price)) throw new Rejection("funds");
  account.promoBook.redeem(request.promoCode, verdict);
  const { orderNumber } = account.placeOrder(item, price, "api", details);
  return {
    success: true,
    proxyType,
    orderNumber,
    ...viewAccount(account),
    error: null,
    promoCodeStatus: verdict.promoCodeStatus,
  };
}

/** For calculations of orders and of extensions. */
export function emptyCalculation(
  error: ServiceError,
  account: AccountView,
): z.infer<typeof CalculationAnswer> {
  return {
    success: false,
    proxyType: null,
    ...account,
    price: null,
    discount: null,
    promoCodeStatus: null,
    warnings: null,
    error,
  };
}

function emptyOrder(error: ServiceError, account: AccountView): z.infer<typeof OrderAnswer> {
  return {
    success: false,
    proxyType: null,
    orderNumber: null,
    ...account,
    error,
    promoCodeStatus: null,
  };
}
