import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { PricedItem } from "../../account/pricing.ts";
import { type AccountView, type Service, type ServiceEnv, viewAccount } from "../../service.ts";
import { admit } from "../admission.ts";
import { checkAuthorization, checkItem } from "../order-rules.ts";
import { Rejection, type ServiceError, serviceErrors } from "../rejection.ts";
import { describeAnswer, describeBody, KeyParams } from "../schema/envelope.ts";
import {
  CalculationAnswer,
  OrderAnswer,
  OrderBody,
  OrderCalculationBody,
} from "../schema/order.ts";

export function addOrderRoutes(app: OpenAPIHono<ServiceEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "calculateOrder",
      method: "post",
      path: "/client/api/v1/{apiKey}/calculate/order",
      middleware: admit(service, "calculateOrder", emptyCalculation),
      request: { params: KeyParams, body: describeBody(OrderCalculationBody) },
      responses: describeAnswer(CalculationAnswer),
    }),
    (c) => c.json(calculateOrder(service, c.req.valid("json")), 200),
  );

  app.openapi(
    createRoute({
      operationId: "createOrder",
      method: "post",
      path: "/client/api/v1/{apiKey}/order",
      middleware: admit(service, "createOrder", emptyOrder),
      request: { params: KeyParams, body: describeBody(OrderBody) },
      responses: describeAnswer(OrderAnswer),
    }),
    (c) => {
      const request = c.req.valid("json");
      return c.json(
        c.get("commit")(() => createOrder(service, request)),
        200,
      );
    },
  );
}

function calculateOrder(
  service: Service,
  request: z.infer<typeof OrderCalculationBody>,
): z.infer<typeof CalculationAnswer> {
  const { store, settings } = service;
  checkItem(request, settings);
  const { promoCodeStatus, discount } = store.promoBook.judge(request.promoCode, store.nowMs());
  const price = store.prices.price(request, discount);
  return {
    success: true,
    proxyType: request.proxyType,
    ...viewAccount(service),
    price: price.toNumber(),
    discount,
    promoCodeStatus,
    warnings: store.ledger.covers(price) ? null : [serviceErrors.funds],
    error: null,
  };
}

function createOrder(
  service: Service,
  request: z.infer<typeof OrderBody>,
): z.infer<typeof OrderAnswer> {
  const { store, settings } = service;
  checkAuthorization(request);
  checkItem(request, settings);
  const { proxyType, country, quantity, rentPeriodDays, ...details } = request;
  const item: PricedItem = { proxyType, country, quantity, rentPeriodDays };
  // A promo code that is not valid does not stop an order: it is bought at the full price.
  const verdict = store.promoBook.judge(request.promoCode, store.nowMs());
  const price = store.prices.price(item, verdict.discount);
  if (!store.ledger.covers(price)) throw new Rejection("funds");
  store.promoBook.redeem(request.promoCode, verdict);
  const { orderNumber } = store.placeOrder(item, price, "api", details);
  return {
    success: true,
    proxyType,
    orderNumber,
    ...viewAccount(service),
    error: null,
    promoCodeStatus: verdict.promoCodeStatus,
  };
}

/** Of calculations for orders and for extensions. */
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
