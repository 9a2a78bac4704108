import { z } from "zod";
import type { ProxyType, ServiceProblem } from "../records.ts";
import { currency, promoCodeStatus, text, warnings } from "./wire.ts";

/** What an order asks for, as `order` takes it; `undefined` fields are not sent (source: endpoint 8). */
export interface OrderRequest {
  proxyType: ProxyType;
  country: string;
  quantity: number;
  rentPeriodDays: number;
  goal: string;
  promoCode?: string | undefined;
  authType: "LOGIN" | "IP";
  authIp?: string | undefined;
  protocol?: "HTTP" | "SOCKS" | undefined;
  mobileOperator?: string | undefined;
  rotationTime?: number | undefined;
}

/** The fields that `calculate/order` documents: it takes neither authentication nor protocol. */
export function toCalculateOrderWire(request: OrderRequest): Record<string, unknown> {
  const { authType: _authType, authIp: _authIp, protocol: _protocol, ...calculated } = request;
  return calculated;
}

/** Answer of endpoint 7. */
export const calculationWire = z
  .object({
    price: z.number().nullish(),
    currency,
    discount: z.number().nullish(),
    promoCodeStatus,
    balance: z.number(),
    warnings,
  })
  .transform(
    (answer): Calculation => ({
      price: answer.price ?? null,
      currency: answer.currency,
      discount: answer.discount ?? 0,
      promoCodeStatus: answer.promoCodeStatus ?? null,
      balance: answer.balance,
      warnings: answer.warnings,
    }),
  );

/**
 * Answer of endpoint 8. Only the order number is required. The order is paid by now, and a missing or malformed
 * balance must not make its answer unreadable.
 */
export const acceptedOrderWire = z
  .object({
    orderNumber: text.pipe(z.string().min(1)),
    promoCodeStatus: z.string().nullish().catch(null),
    balance: z.number().optional().catch(undefined),
  })
  .transform(
    (answer): AcceptedOrder => ({
      orderNumber: answer.orderNumber,
      promoCodeStatus: answer.promoCodeStatus ?? null,
      balance: answer.balance,
    }),
  );

/** The price of an order or extension that has not been placed. */
export interface Calculation {
  /** Total in `currency`; null when the service gave none. */
  price: number | null;
  /** ISO currency code. */
  currency: string;
  /** Percentage applied; 0 without a promo code. */
  discount: number;
  /** `VALID`, `NO_VALID`, or null when no promo code was sent. */
  promoCodeStatus: string | null;
  /** The account's balance before the purchase. */
  balance: number;
  /** If there are any, the purchase does not go through. */
  warnings: ServiceProblem[];
}

/** An order that the service took and charged. */
export interface AcceptedOrder {
  orderNumber: string;
  /** `NO_VALID` means that the order was charged without the discount (source: endpoint 8, rule 1). */
  promoCodeStatus: string | null;
  /** The balance after the purchase, where the service said so. */
  balance: number | undefined;
}
