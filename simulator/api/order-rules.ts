import type { z } from "@hono/zod-openapi";
import type { Account } from "../account/account.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Settings } from "../settings.ts";
import { Rejection } from "./rejection.ts";
import type { OrderBody, OrderCalculationBody } from "./schema/order.ts";

type OrderCalculation = z.infer<typeof OrderCalculationBody>;
type OrderRequest = z.infer<typeof OrderBody>;

/** Checks what a calculation and an order have in common against the catalogue. */
export function checkItem(request: OrderCalculation, settings: Settings): void {
  const { catalogue, minimumQuantity } = settings;
  const { proxyType, country, quantity, rentPeriodDays } = request;
  if (!catalogue.countries[proxyType].some(({ alpha3code }) => alpha3code === country)) {
    throw new Rejection("country");
  }
  if (quantity < (minimumQuantity[proxyType] ?? 1)) throw new Rejection("quantity");
  if (!catalogue.rentPeriodDays[proxyType].includes(rentPeriodDays)) {
    throw new Rejection("rentPeriodDays");
  }
  if (request.proxyType === "MOBILE") checkOperator(request, catalogue);
}

/** Checks what this machine can hold. That is no rule of the service. */
export function checkRoom(account: Account, quantity: number): void {
  if (!account.hasRoomFor(quantity)) throw new Rejection("liveRoom");
}

/** The service documents no format for the address, so any text is accepted. */
export function checkAuthorization({ authType, authIp }: OrderRequest): void {
  if (authType === "IP" && !authIp?.trim()) throw new Rejection("authIp");
}

function checkOperator(
  { country, mobileOperator, rotationTime }: Extract<OrderCalculation, { proxyType: "MOBILE" }>,
  catalogue: Catalogue,
): void {
  const operators = catalogue.mobileOperators[country] ?? [];
  const operator = operators.find((candidate) => candidate.mobileOperator === mobileOperator);
  if (!operator?.rotationTimes.includes(rotationTime)) throw new Rejection("mobileOperator");
}
