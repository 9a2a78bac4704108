import type { ExtensionRequest, ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { ProxyRentalError, reasonOf } from "../errors.ts";
import {
  addressOf,
  type ExtensionFinding,
  findProxy,
  settleExtension,
} from "../journal/evidence.ts";
import type { ExtensionIntent, ExtensionPurchase, IntentDraft } from "../journal/intent.ts";
import type { HeldLock } from "../journal/locks.ts";
import { lookAtAccount, settle } from "../journal/settling.ts";
import { type Settled, sendWrittenAhead } from "../journal/write-ahead.ts";
import { serviceTime } from "../listing.ts";
import { formatMoney } from "../money.ts";
import { assertNotDearer, findGateFailures, type PricedQuote } from "../quote.ts";
import { assertWholeOrders, pickProxies } from "./proxies.ts";

/** Proxies to be paid for longer, and on what terms. */
export interface ExtensionOrder {
  /** The resource that asks, and its purchase. */
  owner: string;
  requestId: string;
  request: ExtensionRequest;
  maxPrice?: number | undefined;
}

/** A paid extension, and the proxies as they are listed after it: the service may have given new ids. */
export interface PaidExtension {
  intent: ExtensionIntent;
  proxies: ProxyRecord[];
}

/** What the answer to an extension tells, beside that it was taken. */
interface AnswerTold {
  promoCodeStatus?: string | undefined;
}

/**
 * Pays for proxies for one more rent period, **exactly once**: asks for the price again, passes every gate,
 * writes the intent down, sends it, and looks at the ends of the proxies where the answer is lost. Asked
 * again with the same requestId in this process, it gives the same answer.
 */
export async function extendProxies(
  account: Account,
  order: ExtensionOrder,
  shown: PricedQuote,
): Promise<PaidExtension> {
  const before = await account.listing.recent(order.request.proxyType);
  assertWholeOrders(order.request, before.records);
  const intent = await account.spending.once(order.requestId, {
    confirm: () => confirmPrice(account, order, shown),
    buy: (price, turn) => buyExtension(account, order, price, turn),
  });
  const after = await account.listing.recent(order.request.proxyType);
  const proxies = intent.purchase.proxiesBefore.flatMap(
    (proxy) => findProxy(after.records, proxy) ?? [],
  );
  return { intent, proxies };
}

async function confirmPrice(
  { service, clock, balance, journal }: Account,
  { requestId, request, maxPrice }: ExtensionOrder,
  shown: PricedQuote,
): Promise<PricedQuote> {
  const askedAtMs = clock.elapsedMs();
  const calculation = await service.calculateExtension(request);
  balance.saw(calculation.balance, askedAtMs);
  const [failure] = findGateFailures({ maxPrice, promoCode: request.promoCode }, calculation);
  if (failure) {
    throw new ProxyRentalError(
      failure.code,
      `${failure.property} ${failure.reason}. Nothing was extended.`,
    );
  }
  const { price, currency, discount } = calculation;
  assertNotDearer(shown, price, currency);
  const earlier = await journal.shown.shownBefore(requestId);
  if (earlier) assertNotDearer(earlier, price, currency);
  return { ...shown, price, discount };
}

async function buyExtension(
  account: Account,
  order: ExtensionOrder,
  price: PricedQuote,
  turn: HeldLock,
): Promise<ExtensionIntent> {
  const { service, balance, listing, journal } = account;
  return sendWrittenAhead<ExtensionPurchase, AnswerTold>(journal, {
    draft: await draftIntent(account, order, price),
    assertTurn: () => turn.assertHeld(),
    async send() {
      const told = await service.extend(order.request).finally(() => {
        balance.spent(undefined);
        listing.invalidate();
      });
      balance.spent(told.balance);
      return { promoCodeStatus: told.promoCodeStatus ?? undefined };
    },
    settle: (intent, error) => settleLostAnswer(account, intent, error),
  });
}

/** What a later look at the account will be compared with: the end of each proxy. */
async function draftIntent(
  { service, listing, balance, clock, settings }: Account,
  { owner, requestId, request }: ExtensionOrder,
  { price, currency, discount }: PricedQuote,
): Promise<IntentDraft<ExtensionPurchase>> {
  // An end that had moved already would be taken for this extension's doing.
  const baseline = await listing.recent(request.proxyType);
  const sentAt = serviceTime(baseline, clock);
  const answerBy = new Date(sentAt.getTime() + settings.timeoutMs + settings.settlingMs);
  return {
    owner,
    requestId,
    purchase: {
      kind: "extension",
      request: { ...request },
      proxiesBefore: pickProxies(request, baseline.records).map((record) => ({
        ipAddressId: record.ipAddressId,
        address: addressOf(record),
        dateEnd: record.dateEnd,
      })),
    },
    price,
    currency,
    discount: discount ?? 0,
    balanceBefore: balance.latest() ?? (await service.getBalance()).balance,
    sentAt: sentAt.toISOString(),
    answerBy: answerBy.toISOString(),
  };
}

type Sight = Awaited<ReturnType<typeof lookAtAccount>>;

async function settleLostAnswer(
  account: Account,
  intent: ExtensionIntent,
  error: unknown,
): Promise<Settled<AnswerTold>> {
  const { clock, settings, log } = account;
  const { request } = intent.purchase;
  const what = `the extension of ${request.ipAddressIds.length} proxies by ${request.rentPeriodDays} days`;
  const lost = reasonOf(error);
  log.warn(`${lost}; looking whether ${what} was carried out. It is not sent again.`);
  const { settlingMs } = settings;
  const verdict = await settle<Sight, ExtensionFinding>(
    clock,
    { settlingMs, deliveryMs: settlingMs },
    () => lookAtAccount(account, request.proxyType),
    (seen, window) => settleExtension(intent, { ...seen, explainedSpend: 0 }, window),
  );
  switch (verdict.kind) {
    case "extended":
      log.info(`${what} was carried out`);
      return { kind: "happened", known: {} };
    case "notSent":
      return {
        kind: "notSent",
        error: new ProxyRentalError(
          "ORDER_NOT_PLACED",
          `${lost}. The account shows that ${what} was not carried out: for ${settlingMs / 1000} s no end has moved. Nothing was extended. Run again.`,
        ),
      };
    case "unresolved": {
      const { price, currency, sentAt, id } = intent;
      return {
        kind: "unresolved",
        candidates: [],
        error: new ProxyRentalError(
          "ORDER_OUTCOME_UNKNOWN",
          `${lost}. Whether ${what} (${formatMoney(price, currency)}, sent at ${sentAt}) was carried out and charged can't be told: ${verdict.reason}. It was not sent again, and nothing more is bought in this run. Look at the account and settle it: \`npx proxyrental journal resolve ${id}\`.`,
        ),
      };
    }
  }
}
