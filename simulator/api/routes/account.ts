import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Service } from "../../service.ts";
import { admit } from "../admission.ts";
import { type ApiEnv, answer, viewAccount } from "../call.ts";
import type { ServiceError } from "../rejection.ts";
import { BalanceAnswer, PromoCodesAnswer } from "../schema/account.ts";
import { describeAnswer, KeyParams } from "../schema/envelope.ts";

export function addAccountRoutes(app: OpenAPIHono<ApiEnv>, service: Service): void {
  app.openapi(
    createRoute({
      operationId: "getBalance",
      tags: ["account"],
      summary: "What the account holds. Spends nothing",
      method: "get",
      path: "/client/api/v1/{apiKey}/balance",
      middleware: admit(service, "getBalance", emptyBalance),
      request: { params: KeyParams },
      responses: describeAnswer(BalanceAnswer),
    }),
    (c) => {
      const { balance, currency } = viewAccount(c.get("account"));
      return answer(c, { success: true, balance, currencyCode: currency, error: null });
    },
  );

  app.openapi(
    createRoute({
      operationId: "listPromoCodes",
      tags: ["account"],
      summary: "The account's promo codes",
      method: "get",
      path: "/client/api/v1/{apiKey}/promoCode",
      middleware: admit(service, "listPromoCodes", emptyPromoCodes),
      request: { params: KeyParams },
      responses: describeAnswer(PromoCodesAnswer),
    }),
    (c) => {
      const promoCodes = c.get("account").promoBook.list();
      return answer(c, { success: true, promoCodes, error: null });
    },
  );
}

function emptyBalance(error: ServiceError): z.infer<typeof BalanceAnswer> {
  return { success: false, balance: null, currencyCode: null, error };
}

function emptyPromoCodes(error: ServiceError): z.infer<typeof PromoCodesAnswer> {
  return { success: false, promoCodes: [], error };
}
