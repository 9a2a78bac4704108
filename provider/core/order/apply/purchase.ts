import type { AcceptedOrder } from "../../../client/index.ts";
import { readBalance } from "../../account/balance.ts";
import { serviceTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import type { LostOutcome } from "../../journal/write-ahead.ts";
import {
  type IntentDraft,
  nextSequence,
  type OrderIntent,
  type OrderSpec,
} from "../../records/intent.ts";
import { assertNotDearer, findGateFailures } from "../../spending/gates.ts";
import { assertPreviewed } from "../../spending/previewed-price.ts";
import type { PricedQuote } from "../../spending/quote.ts";
import { sendPurchase } from "../../spending/send-purchase.ts";
import type { Receipt, Turn } from "../../spending/spending.ts";
import { ProxyRentalError, reasonOf } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { DEFAULT_DELIVERY_TIMEOUT_SECONDS, describeOrder, toOrderRequest } from "../model/args.ts";
import type { PaidOrder } from "../model/receipt.ts";
import type { CheckedOrder } from "../model/state.ts";
import { assertNotPaidBefore } from "../recover/paid-before.ts";
import { watchOrders } from "../recover/watch.ts";

/** What the answer to an order tells, or the account in its place. */
interface AnswerTold {
  orderNumber: string;
  orderIds?: string[];
}

/** How old the listing may be that says which orders were there before. */
const BASELINE_MAX_AGE_MS = 30_000;

/**
 * Buys an order that the plan showed, **exactly once**: asks for the price again, passes every gate again,
 * writes the intent down, sends it, and finds out what became of it where the answer is lost. Asked again
 * with the same requestId in this process, it gives the same answer.
 */
export function purchaseOrder(
  account: Account,
  checked: CheckedOrder,
  shown: PricedQuote,
): Promise<PaidOrder> {
  return account.spending.once(checked, {
    confirm: () => confirmPrice(account, checked, shown),
    usesPromoCode: checked.promoCode !== undefined,
    buy: (price, turn) => buyOrder(account, checked, price, turn),
  });
}

async function confirmPrice(
  { service, clock, balance, listing }: Account,
  checked: CheckedOrder,
  shown: PricedQuote,
): Promise<PricedQuote> {
  // The listing that an order will be held against is read meanwhile, not while others wait for their turn.
  const baseline = listing.within(checked.proxyType, BASELINE_MAX_AGE_MS);
  baseline.catch(() => undefined);
  const askedAtMs = clock.elapsedMs();
  const calculation = await service.calculateOrder(toOrderRequest(checked));
  balance.saw(calculation.balance, askedAtMs);
  const [failure] = findGateFailures(checked, calculation);
  if (failure) {
    throw new ProxyRentalError(
      failure.code,
      `${failure.property} ${failure.reason}. Nothing was bought for this resource.`,
    );
  }
  const { price, currency, discount } = calculation;
  assertNotDearer(shown, price, currency);
  return { ...shown, price, discount };
}

async function buyOrder(
  account: Account,
  checked: CheckedOrder,
  price: PricedQuote,
  turn: Turn,
): Promise<Receipt<PaidOrder>> {
  const draft = await draftIntent(account, checked, price, turn);
  return sendPurchase<OrderSpec, AcceptedOrder, AnswerTold>(account, turn, {
    draft,
    send: (options) => account.service.createOrder(toOrderRequest(checked), options),
    read: ({ orderNumber }) => ({ orderNumber }),
    settle: (intent, error) => watchLostAnswer(account, checked, intent, error),
    describe: ({ orderNumber }) => `order ${orderNumber}`,
  });
}

/** What a later look at the account will be compared with. */
async function draftIntent(
  account: Account,
  checked: CheckedOrder,
  quote: PricedQuote,
  { quietSinceMs }: Turn,
): Promise<IntentDraft<OrderSpec>> {
  const { listing, clock, settings, journal } = account;
  const { price, currency, discount } = quote;
  const { proxyType, country, quantity, owner, requestId } = checked;
  const isTopUp = quote.effect === "topUp";
  // Read once, under the turn: until it is over nobody else writes a purchase down.
  const known = await journal.readAll();
  const { previewed, runId } = journal;
  const wanted = { owner, requestId, quantity, price, currency };
  await assertPreviewed({ previewed, runId, readAll: async () => known }, wanted);
  await assertNotPaidBefore(account, { owner, request: toOrderRequest(checked), isTopUp }, known);
  const [sighting, balanceBefore] = await Promise.all([
    listing.within(proxyType, BASELINE_MAX_AGE_MS),
    readBalance(account, quietSinceMs),
  ]);
  const baseline =
    sighting.contradiction === undefined ? sighting : await listing.recent(proxyType);
  const sentAt = serviceTime(baseline, clock);
  const answerBy = new Date(sentAt.getTime() + settings.timeoutMs + settings.settlingMs);
  return {
    owner,
    requestId,
    purchase: {
      kind: "order",
      request: { ...toOrderRequest(checked) },
      ordersBefore: groupOrders(baseline.records)
        .filter((order) => order.country === country && order.count <= quantity)
        .map((order) => order.orderId),
    },
    price,
    currency,
    discount: discount ?? 0,
    balanceBefore,
    sentAt: sentAt.toISOString(),
    answerBy: answerBy.toISOString(),
    sequence: nextSequence(known),
  };
}

/** Looks at the account instead of asking again: a second order would be charged a second time. */
async function watchLostAnswer(
  account: Account,
  checked: CheckedOrder,
  intent: OrderIntent,
  error: unknown,
): Promise<LostOutcome<AnswerTold>> {
  const { settings, log } = account;
  const what = `the order for ${describeOrder(checked)}`;
  const settlingSeconds = settings.settlingMs / 1000;
  log.warn(
    `${reasonOf(error)}; looking for up to ${settlingSeconds} s whether ${what} was placed. It is not sent again.`,
  );
  const timeoutSeconds = checked.deliveryTimeoutSeconds ?? DEFAULT_DELIVERY_TIMEOUT_SECONDS;
  const verdict = await watchOrders(account, [intent], {
    settlingMs: settings.settlingMs,
    deliveryMs: timeoutSeconds * 1000,
  });
  switch (verdict.kind) {
    case "placed": {
      const [orderNumber = ""] = verdict.orderIds;
      log.info(`${what} was placed: it is order ${orderNumber}`);
      return { kind: "placed", known: { orderNumber, orderIds: [orderNumber] } };
    }
    case "notPlaced":
      return {
        kind: "notPlaced",
        error: new ProxyRentalError(
          "ORDER_NOT_PLACED",
          `${reasonOf(error)}. The account shows that ${what} was not placed: for ${settlingSeconds} s no such order was listed, and the balance did not change. Nothing was bought for this resource. Run again.`,
        ),
      };
    case "unknown":
      return {
        kind: "unknown",
        candidates: verdict.candidates,
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
    `${lost}. The order for ${what} (${formatMoney(price, currency)}, sent at ${sentAt}) may have been placed and charged, and the account does not show which: ${reason}.${orders} It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and settle it: \`${resolveCommand(id)}\`.`,
  );
}

/** What a person runs who has looked at the account. */
function resolveCommand(id: string): string {
  return `npx proxyrental journal resolve ${id}`;
}
