import type { AcceptedExtension, ExtensionRequest, ProxyRecord } from "../../../client/index.ts";
import { readBalance } from "../../account/balance.ts";
import { serviceTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import type { LostOutcome } from "../../journal/write-ahead.ts";
import { addressOf } from "../../proxies/address.ts";
import { describeProxies } from "../../proxies/proxy-args.ts";
import {
  type ExtensionIntent,
  type ExtensionSpec,
  type IntentDraft,
  isDone,
  isExtensionIntent,
  nextSequence,
} from "../../records/intent.ts";
import { assertNotDearer, findGateFailures } from "../../spending/gates.ts";
import type { PricedQuote } from "../../spending/quote.ts";
import { sendPurchase } from "../../spending/send-purchase.ts";
import type { Receipt, Turn } from "../../spending/spending.ts";
import { ProxyRentalError, reasonOf } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { isUnchanged, touches } from "../model/moved-ends.ts";
import { assertWholeOrders } from "../model/proxies.ts";
import { assertShown } from "../recover/recover.ts";
import { watchExtension } from "../recover/watch.ts";

/** How many times the settling time a listing is given to show an extension that was charged. */
const LISTING_PATIENCE = 2;

/** Proxies to be paid for longer by one rent period, and on what terms. */
export interface ExtensionOrder {
  /** The resource that asks, and its purchase. */
  owner: string;
  requestId: string;
  terms: Omit<ExtensionRequest, "ipAddressIds">;
  /** As they were listed when it was decided to pay for them: a proxy whose end has moved since is not. */
  proxies: readonly ProxyRecord[];
  maxPrice?: number | undefined;
}

/** An end moved after it was decided to pay: somebody else, or an automatic extension, was first. */
export class EndsMovedError extends ProxyRentalError {
  constructor({ terms, proxies }: ExtensionOrder) {
    super(
      "NOT_PLANNED",
      `somebody else, or an automatic extension, has just extended some of ${describeProxies(proxies.length, terms.proxyType)}. This extension was not sent. Run again.`,
    );
  }
}

/**
 * Pays for proxies for one more rent period, **exactly once**: asks for the price again, passes every gate,
 * writes the intent down, sends it, and looks at the ends of the proxies where the answer is lost. Asked
 * again with the same requestId in this process, it gives the same answer.
 */
export function extendProxies(
  account: Account,
  order: ExtensionOrder,
  shown: PricedQuote,
): Promise<ExtensionIntent> {
  return account.spending.once(order, {
    confirm: () => confirmPrice(account, order, shown),
    usesPromoCode: order.terms.promoCode !== undefined,
    buy: (price, turn) => buyExtension(account, order, price, turn),
  });
}

/** What the service is asked for. */
function requestOf({ terms, proxies }: ExtensionOrder): ExtensionRequest {
  const { proxyType, rentPeriodDays, promoCode } = terms;
  const ipAddressIds = proxies.map((proxy) => proxy.ipAddressId);
  return { proxyType, ipAddressIds, rentPeriodDays, promoCode };
}

async function confirmPrice(
  { service, clock, balance, listing }: Account,
  order: ExtensionOrder,
  shown: PricedQuote,
): Promise<PricedQuote> {
  const { terms, maxPrice } = order;
  const { records } = await listing.recent(terms.proxyType);
  assertWholeOrders(terms.proxyType, order.proxies, records);
  const askedAtMs = clock.elapsedMs();
  const calculation = await service.calculateExtension(requestOf(order));
  balance.saw(calculation.balance, askedAtMs);
  const [failure] = findGateFailures({ maxPrice, promoCode: terms.promoCode }, calculation);
  if (failure) {
    throw new ProxyRentalError(
      failure.code,
      `${failure.property} ${failure.reason}. This extension was not sent.`,
    );
  }
  const { price, currency, discount } = calculation;
  assertNotDearer(shown, price, currency);
  return { ...shown, price, discount };
}

async function buyExtension(
  account: Account,
  order: ExtensionOrder,
  price: PricedQuote,
  turn: Turn,
): Promise<Receipt<ExtensionIntent>> {
  const draft = await draftIntent(account, order, price);
  return sendPurchase<ExtensionSpec, AcceptedExtension, object>(account, turn, {
    draft,
    send: (options) => account.service.extend(requestOf(order), options),
    read: () => ({}),
    settle: (intent, error) => watchLostAnswer(account, intent, error),
    describe: ({ id }) => `extension ${id}`,
  });
}

/** What a later look at the account will be compared with: the end of each proxy. */
async function draftIntent(
  account: Account,
  order: ExtensionOrder,
  { price, currency, discount }: PricedQuote,
): Promise<IntentDraft<ExtensionSpec>> {
  const { listing, clock, settings, journal } = account;
  const { owner, requestId, proxies } = order;
  const request = requestOf(order);
  // Another process may have had its turn since the last look: with its extension on top these would be
  // paid twice.
  listing.invalidate();
  const [baseline, balanceBefore] = await Promise.all([
    listing.recent(request.proxyType),
    readBalance(account),
  ]);
  // Read once, under the turn: until it is over nobody else writes a purchase down.
  const known = await journal.readAll();
  const open = known.filter(isExtensionIntent).filter((intent) => !isDone(intent));
  assertShown(
    open.filter((intent) => touches(intent, proxies)),
    baseline.records,
  );
  if (!proxies.every((proxy) => isUnchanged(proxy, baseline.records))) {
    throw new EndsMovedError(order);
  }
  const sentAt = serviceTime(baseline, clock);
  const answerBy = new Date(sentAt.getTime() + settings.timeoutMs + settings.settlingMs);
  return {
    owner,
    requestId,
    purchase: {
      kind: "extension",
      request: { ...request },
      proxiesBefore: proxies.map((record) => ({
        ipAddressId: record.ipAddressId,
        address: addressOf(record),
        dateEnd: record.dateEnd,
      })),
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

async function watchLostAnswer(
  account: Account,
  intent: ExtensionIntent,
  error: unknown,
): Promise<LostOutcome<object>> {
  const { settings, log } = account;
  const { request } = intent.purchase;
  const what = `the extension of ${describeProxies(request.ipAddressIds.length, request.proxyType)} by ${request.rentPeriodDays} days`;
  const lost = reasonOf(error);
  log.warn(`${lost}; looking whether ${what} was carried out. It is not sent again.`);
  const { settlingMs } = settings;
  const finding = await watchExtension(account, intent, {
    settlingMs,
    deliveryMs: LISTING_PATIENCE * settlingMs,
  });
  switch (finding.kind) {
    case "placed":
      log.info(`${what} was carried out`);
      return { kind: "placed", known: {} };
    case "notPlaced":
      return {
        kind: "notPlaced",
        error: new ProxyRentalError(
          "ORDER_NOT_PLACED",
          `${lost}. The account shows that ${what} was not carried out: for ${settlingMs / 1000} s no end has moved, and the balance did not change. Nothing was bought for this resource. Run again.`,
        ),
      };
    case "unknown": {
      const { price, currency, sentAt, id } = intent;
      return {
        kind: "unknown",
        candidates: [],
        error: new ProxyRentalError(
          "ORDER_OUTCOME_UNKNOWN",
          `${lost}. Whether ${what} (${formatMoney(price, currency)}, sent at ${sentAt}) was carried out and charged can't be told: ${finding.reason}. It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and settle it: \`npx proxyrental journal resolve ${id}\`.`,
        ),
      };
    }
  }
}
