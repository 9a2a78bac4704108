import { readDecidingTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { makeRequestId } from "../../records/request-id.ts";
import type { OrderQuote } from "../../spending/quote.ts";
import { describeHeld, type OrderArgs, toOrderRequest } from "../model/args.ts";
import { costBasisOf } from "../model/cost-basis.ts";
import { type Holdings, planResize, type Resize } from "../model/holdings.ts";
import type { OrderCheck, OwnedArgs } from "../model/order-check.ts";
import type { CheckedOrder } from "../model/state.ts";
import { findSaved } from "../recover/recover.ts";
import type { OrderMemory } from "./memory.ts";
import { preflight } from "./preflight.ts";
import { priceOrder, refusePurchase, takeOver } from "./pricing.ts";

/**
 * Checks another quantity. For more, released proxies that are still paid come back free of charge, and only the rest is
 * bought, as a further order. For fewer, some are let go for nothing. The check spends nothing.
 */
export async function checkResize(
  account: Account,
  { replacements, recover }: OrderMemory,
  args: OwnedArgs,
  before: CheckedOrder,
): Promise<OrderCheck> {
  const { owner, proxyType, quantity } = args;
  const now = await timeForReleases(account, before);
  const resize = planResize(before.holdings, quantity, proxyType === "IPv6", now);
  const { buy, holdings } = resize;
  if (buy === 0) {
    const quote: OrderQuote = { effect: "none", owned: costBasisOf(before, quantity) };
    const checked = { ...args, requestId: before.requestId, holdings, quote };
    return { checked, failures: [], lines: describeFree(args, resize) };
  }
  const failures = await account.catalogue.failuresOf(args);
  if (failures.length > 0) return { checked: args, failures };
  const request = { ...toOrderRequest(args), quantity: buy };
  const order = { ...args, requestId: makeRequestId(owner, before.requestId, request) };
  const costBasis = costBasisOf(before, quantity - buy);
  const saved = await findSaved(account, order);
  if (saved) return takeOver(order, saved, holdings, costBasis);
  const stop = await preflight(account, recover, owner, request, before.requestId, true);
  if (stop?.kind === "paid") return takeOver(order, stop.intent, holdings, costBasis);
  if (stop) return refusePurchase(order, stop);
  const planned = { order, effect: "topUp", quantity: buy, holdings, costBasis } as const;
  const check = await priceOrder(account, replacements, planned);
  return { ...check, lines: [...describeFree(args, resize), ...(check.lines ?? [])] };
}

/** The service's time. It is asked only if something was released that may have ended meanwhile. */
export async function timeForReleases(
  { listing, clock }: Pick<Account, "listing" | "clock">,
  {
    proxyType,
    holdings: { released },
  }: { proxyType: OrderArgs["proxyType"]; holdings: Pick<Holdings, "released"> },
): Promise<Date> {
  return released.length === 0 ? clock.now() : readDecidingTime(listing, proxyType);
}

/** What is let go or comes back, although it costs nothing. */
function describeFree(
  args: OrderArgs,
  { release, takeBack }: Pick<Resize, "release" | "takeBack">,
): string[] {
  const held = (quantity: number) => describeHeld({ ...args, quantity });
  return [
    ...(release === 0
      ? []
      : [
          `lets ${held(release)} go; they stay paid until they end, and come back free of charge until then`,
        ]),
    ...(takeBack === 0 ? [] : [`takes back ${held(takeBack)}; nothing is bought for them`]),
  ];
}
