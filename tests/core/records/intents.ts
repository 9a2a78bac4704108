import type { ListedOrder } from "../../../provider/core/evidence/listed-orders.ts";
import {
  type ExtensionIntent,
  type OrderIntent,
  openIntent,
} from "../../../provider/core/records/intent.ts";

/** The time at which the orders of these tests are sent. */
const SENT_AT = "2026-03-01T12:00:00.000Z";

/** Until this time the answer may come. */
const ANSWER_BY = "2026-03-01T12:01:30.000Z";

/** The moment that is so many seconds after the sending. */
export function afterSending(seconds: number): Date {
  return new Date(Date.parse(SENT_AT) + seconds * 1000);
}

/** An intent to buy five proxies for 7 USD from an account with 100 USD. No answer has come yet. */
export function orderIntent({
  quantity = 5,
  ordersBefore = [] as string[],
  ...more
}: Partial<OrderIntent> & { quantity?: number; ordersBefore?: string[] } = {}): OrderIntent {
  const request = { proxyType: "IPv4", country: "USA", quantity, rentPeriodDays: 30 } as const;
  const intent = openIntent(
    {
      owner: "org/urn:pulumi:dev::fleet::proxyrental:ProxyOrder::fleet",
      requestId: "0123456789abcdef0123456789abcdef",
      purchase: { kind: "order", request, ordersBefore },
      price: 7,
      currency: "USD",
      discount: 0,
      balanceBefore: 100,
      sentAt: SENT_AT,
      answerBy: ANSWER_BY,
    },
    { id: "0123456789ab-1", project: "/project", runId: "run-1" },
    new Date(SENT_AT),
  );
  return { ...intent, ...more };
}

/** What the buyer knows of `orderIntent` before it is written down. */
export function orderDraft() {
  const { id: _id, version: _v, revision: _r, phase: _p, history: _h, ...rest } = orderIntent();
  const { project: _project, runId: _runId, ...draft } = rest;
  return draft;
}

/** An order of five proxies that began a second after it was sent. */
export function listedOrder(orderId: string, more: Partial<ListedOrder> = {}): ListedOrder {
  const endsAt = new Date("2026-03-31T12:00:00Z");
  return { orderId, country: "USA", count: 5, startedAt: afterSending(1), endsAt, ...more };
}

/** An intent to extend two proxies by thirty days. */
export function extensionIntent(
  proxiesBefore: ExtensionIntent["purchase"]["proxiesBefore"],
): ExtensionIntent {
  const ipAddressIds = proxiesBefore.map(({ ipAddressId }) => ipAddressId);
  const request = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 } as const;
  return { ...orderIntent(), purchase: { kind: "extension", request, proxiesBefore } };
}
