import type { AcceptedOrder } from "../../../client/index.ts";
import { readBalance } from "../../account/balance.ts";
import { readConsistent } from "../../account/listing.ts";
import type { Account, SpendingAccount } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { watchOrders } from "../../evidence/watch-orders.ts";
import type { OrderIntent, OrderSpec } from "../../records/intent.ts";
import type { Baseline, InTurn } from "../../spending/buy.ts";
import type { LostOutcome } from "../../spending/lost-answer.ts";
import { assertPreviewed } from "../../spending/previewed-price.ts";
import type { PricedQuote } from "../../spending/quote.ts";
import type { Turn } from "../../spending/turn.ts";
import { ProxyRentalError, RECORD_CALLS, reasonOf } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { DEFAULT_DELIVERY_TIMEOUT_SECONDS, describeOrder, toOrderRequest } from "../model/args.ts";
import type { PaidOrder } from "../model/receipt.ts";
import type { CheckedOrder } from "../model/state.ts";
import { assertNotPaidBefore, findDoubtful } from "../recover/paid-before.ts";

/** What the answer to an order tells, or the account if the answer was lost. */
interface AnswerTold {
  orderNumber: string;
  orderIds?: string[];
  isNumberTaken?: boolean;
}

/** How old the listing of the orders before the purchase may be. */
const BASELINE_MAX_AGE_MS = 30_000;

/**
 * Buys an order that the plan showed, **exactly once**. Asked again with the same requestId in this process, it gives
 * the same answer.
 */
export function purchaseOrder(
  account: SpendingAccount,
  checked: CheckedOrder,
  planned: PricedQuote,
): Promise<PaidOrder> {
  const { owner, requestId, promoCode, maxPrice, fleet } = checked;
  const request = toOrderRequest(checked);
  let listedBefore: ReadonlySet<string> = new Set();
  return account.buyOnce<OrderSpec, AcceptedOrder, AnswerTold>({
    ...{ owner, requestId, planned, promoCode, maxPrice, fleet },
    askPrice() {
      // The listing is read in advance, so that it is not read in the turn, for which others wait.
      account.listing
        .partial(request.proxyType, { maxAgeMs: BASELINE_MAX_AGE_MS })
        .catch(() => undefined);
      return account.service.calculateOrder(request);
    },
    findDoubtful: (known) => findDoubtful(account, { owner, request }, known),
    async inspect(price, inTurn) {
      const baseline = await inspect(account, checked, price, inTurn);
      listedBefore = new Set(baseline.listed.records.map(({ orderId }) => orderId));
      return baseline;
    },
    send: (options) => account.service.createOrder(request, options),
    read: ({ orderNumber }) => ({
      orderNumber,
      ...(listedBefore.has(orderNumber) && { isNumberTaken: true }),
    }),
    watch: (intent, error, turn) => watchLostAnswer(account, checked, intent, error, turn),
    describe: ({ orderNumber }) => `order ${orderNumber}`,
  });
}

/** Throws if the newest preview did not show the purchase, or if it is paid already. */
async function inspect(
  account: Account,
  checked: CheckedOrder,
  quote: PricedQuote,
  { turn, ...seen }: InTurn,
): Promise<Baseline<OrderSpec>> {
  const { listing } = account;
  const { price, currency } = quote;
  const { proxyType, country, quantity, owner, requestId } = checked;
  const request = toOrderRequest(checked);
  await assertPreviewed(account, { owner, requestId, quantity, price, currency }, seen.known);
  const wanted = { isTopUp: quote.effect === "topUp", isNew: quote.effect === "buy" };
  await assertNotPaidBefore(account, { owner, request, ...wanted }, seen);
  const [listed, balance] = await Promise.all([
    readConsistent(listing, proxyType, BASELINE_MAX_AGE_MS),
    readBalance(account, turn.quietSinceMs),
  ]);
  const ordersBefore = groupOrders(listed.records)
    .filter((order) => order.country === country)
    .map((order) => order.orderId);
  return { spec: { kind: "order", request: { ...request }, ordersBefore }, listed, balance };
}

/** Watches the account. The order is not sent again: it would be charged twice. */
async function watchLostAnswer(
  account: Account,
  checked: CheckedOrder,
  intent: OrderIntent,
  error: unknown,
  turn: Pick<Turn, "keep">,
): Promise<LostOutcome<AnswerTold>> {
  const { settings, log } = account;
  const what = `the order for ${describeOrder(checked)}`;
  const settlingSeconds = settings.settlingMs / 1000;
  log.warn(
    `${reasonOf(error)}; looking for up to ${settlingSeconds} s whether ${what} was placed. It is not sent again.`,
  );
  const timeoutSeconds = checked.deliveryTimeoutSeconds ?? DEFAULT_DELIVERY_TIMEOUT_SECONDS;
  const patience = { settlingMs: settings.settlingMs, deliveryMs: timeoutSeconds * 1000 };
  const verdict = await watchOrders(account, [intent], patience, turn);
  switch (verdict.kind) {
    case "placed": {
      const [orderNumber = ""] = verdict.orderIds;
      log.progress(`${what} was placed: it is order ${orderNumber}`);
      return { kind: "placed", known: { orderNumber, orderIds: [orderNumber] } };
    }
    case "notPlaced":
      return {
        kind: "notPlaced",
        error: new ProxyRentalError(
          "ORDER_NOT_PLACED",
          `${reasonOf(error)}. The account shows that ${what} was not placed: for ${settlingSeconds} s no such order was listed, and the balance did not change. Nothing was bought for this resource. Run again. ${RECORD_CALLS}`,
        ),
      };
    case "unknown":
      return {
        kind: "unknown",
        seen: { candidates: verdict.candidates, hasTraces: verdict.hasTraces },
        error: outcomeUnknown(intent, verdict, reasonOf(error)),
      };
  }
}

function outcomeUnknown(
  intent: OrderIntent,
  { candidates, reason }: { candidates: string[]; reason: string },
  lost: string,
): ProxyRentalError {
  const { price, currency, sentAt, id } = intent;
  const orders = candidates.length === 0 ? "" : ` Orders that may be it: ${candidates.join(", ")}.`;
  const what = describeOrder(intent.purchase.request);
  return new ProxyRentalError(
    "ORDER_OUTCOME_UNKNOWN",
    `${lost}. The order for ${what} (${formatMoney(price, currency)}, sent at ${sentAt}) may have been placed and charged, and the account does not show which: ${reason}.${orders} It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and resolve it: \`${resolveCommand(id)}\`. ${RECORD_CALLS}`,
  );
}

/** The command for a person who has looked at the account. */
function resolveCommand(id: string): string {
  return `npx pulumi-proxyrental journal resolve ${id}`;
}
