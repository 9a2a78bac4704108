import type { AcceptedExtension, ExtensionRequest, ProxyRecord } from "../../../client/index.ts";
import { readBalance } from "../../account/balance.ts";
import type { Account, SpendingAccount } from "../../account.ts";
import { watchExtension } from "../../evidence/watch-extension.ts";
import { toKnown } from "../../proxies/address.ts";
import { describeProxies } from "../../proxies/proxy-args.ts";
import {
  type ExtensionIntent,
  type ExtensionSpec,
  type Intent,
  isDone,
  isExtensionIntent,
  isPlaced,
} from "../../records/intent.ts";
import type { Baseline } from "../../spending/buy.ts";
import type { LostOutcome } from "../../spending/lost-answer.ts";
import type { PricedQuote } from "../../spending/quote.ts";
import type { Turn } from "../../spending/turn.ts";
import { ProxyRentalError, RECORD_CALLS, reasonOf } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { findBehind, isUnchanged, touches } from "../model/moved-ends.ts";
import { assertWholeOrders } from "../model/proxies.ts";
import { assertMovesListed } from "../recover/recover.ts";

/** For how many settling times to wait until the listing shows an extension that was charged. */
const LISTING_PATIENCE = 2;

/** Proxies to pay for one more rent period, and the terms. */
export interface ExtensionOrder {
  /** The resource that asks, and its purchase. */
  owner: string;
  requestId: string;
  terms: Omit<ExtensionRequest, "ipAddressIds">;
  /** As they were listed when it was decided to pay for them. A proxy whose end has moved since is not paid. */
  proxies: readonly ProxyRecord[];
  maxPrice?: number | undefined;
}

/** An end has moved since it was decided to pay: somebody else, or an automatic extension, was first. */
export class EndsMovedError extends ProxyRentalError {
  constructor({ terms, proxies }: ExtensionOrder) {
    super(
      "NOT_PLANNED",
      `somebody else, or an automatic extension, has just extended some of ${describeProxies(proxies.length, terms.proxyType)}. This extension was not sent. Run again.`,
    );
  }
}

/**
 * Pays for proxies for one more rent period, **exactly once**. Asked again with the same requestId in this process, it
 * gives the same answer.
 */
export function extendProxies(
  account: SpendingAccount,
  order: ExtensionOrder,
  planned: PricedQuote,
): Promise<ExtensionIntent> {
  const { owner, requestId, maxPrice, terms } = order;
  const { proxyType, promoCode } = terms;
  const request = requestOf(order);
  return account.buyOnce<ExtensionSpec, AcceptedExtension, object>({
    ...{ owner, requestId, planned, promoCode, maxPrice },
    async askPrice() {
      const { records } = await account.listing.complete(proxyType);
      assertWholeOrders(proxyType, order.proxies, records);
      return account.service.calculateExtension(request);
    },
    findDoubtful: async () => [],
    inspect: (_price, { known }) => inspect(account, order, known),
    send: (options) => account.service.extend(request, options),
    read: () => ({}),
    watch: (intent, error, turn) => watchLostAnswer(account, intent, error, turn),
    describe: ({ id }) => `extension ${id}`,
  });
}

/** The request to the service. */
function requestOf({ terms, proxies }: ExtensionOrder): ExtensionRequest {
  const { proxyType, rentPeriodDays, promoCode } = terms;
  const ipAddressIds = proxies.map((proxy) => proxy.ipAddressId);
  return { proxyType, ipAddressIds, rentPeriodDays, promoCode };
}

/** Throws if an end has moved, or if an open extension may still move one. */
async function inspect(
  account: Pick<Account, "service" | "listing" | "clock" | "balance">,
  order: ExtensionOrder,
  known: readonly Intent[],
): Promise<Baseline<ExtensionSpec>> {
  const { listing } = account;
  const { proxies } = order;
  const request = requestOf(order);
  // Another process may have had its turn since the last look. After its extension, these would be paid twice.
  listing.invalidate();
  const [listed, balance] = await Promise.all([
    listing.complete(request.proxyType),
    readBalance(account),
  ]);
  const others = known.filter(isExtensionIntent).filter((intent) => touches(intent, proxies));
  const isOpen = (intent: ExtensionIntent) => !isDone(intent);
  assertMovesListed(others.filter(isOpen), listed.records);
  assertNoneBehind(others.filter(isPlaced), proxies, listed.records);
  if (!proxies.every((proxy) => isUnchanged(proxy, listed.records))) {
    throw new EndsMovedError(order);
  }
  const proxiesBefore = proxies.map((record) => ({
    ...toKnown(record),
    dateEnd: record.dateEnd,
  }));
  return { spec: { kind: "extension", request: { ...request }, proxiesBefore }, listed, balance };
}

/**
 * Throws if a proxy is listed with an end before one that is paid, however long ago: one answer may be older than this run's
 * turn, and to pay by it would be to pay twice.
 */
function assertNoneBehind(
  paid: readonly ExtensionIntent[],
  proxies: readonly ProxyRecord[],
  records: readonly ProxyRecord[],
): void {
  const wanted = records.filter(({ ipAddressId }) =>
    proxies.some((proxy) => proxy.ipAddressId === ipAddressId),
  );
  for (const intent of paid) {
    const behind = findBehind(intent, wanted);
    if (behind === undefined) continue;
    throw new ProxyRentalError(
      "LISTING_INCONSISTENT",
      `proxy ${behind.ipAddressId} is listed until ${behind.dateEnd}, and it was paid for longer (purchase ${intent.id}, sent at ${intent.sentAt}). The listing may be behind. This extension was not sent. Run again later.`,
    );
  }
}

async function watchLostAnswer(
  account: Account,
  intent: ExtensionIntent,
  error: unknown,
  turn: Pick<Turn, "keep">,
): Promise<LostOutcome<object>> {
  const { settings, log } = account;
  const { request } = intent.purchase;
  const what = `the extension of ${describeProxies(request.ipAddressIds.length, request.proxyType)} by ${request.rentPeriodDays} days`;
  const lost = reasonOf(error);
  log.warn(`${lost}; looking whether ${what} was carried out. It is not sent again.`);
  const { settlingMs } = settings;
  const patience = { settlingMs, deliveryMs: LISTING_PATIENCE * settlingMs };
  const finding = await watchExtension(account, intent, patience, turn);
  switch (finding.kind) {
    case "placed":
      log.progress(`${what} was carried out`);
      return { kind: "placed", known: {} };
    case "notPlaced":
      return {
        kind: "notPlaced",
        error: new ProxyRentalError(
          "ORDER_NOT_PLACED",
          `${lost}. The account shows that ${what} was not carried out: for ${settlingMs / 1000} s no end has moved, and the balance did not change. Nothing was bought for this resource. Run again. ${RECORD_CALLS}`,
        ),
      };
    case "unknown": {
      const { price, currency, sentAt, id } = intent;
      return {
        kind: "unknown",
        seen: { hasTraces: finding.hasTraces },
        error: new ProxyRentalError(
          "ORDER_OUTCOME_UNKNOWN",
          `${lost}. Whether ${what} (${formatMoney(price, currency)}, sent at ${sentAt}) was carried out and charged can't be told: ${finding.reason}. It was not sent again, and nothing more is bought in this run. Run again to look anew, or look at the account and resolve it: \`npx pulumi-proxyrental journal resolve ${id}\`. ${RECORD_CALLS}`,
        ),
      };
    }
  }
}
