import type { ProxyRecord } from "../../../client/index.ts";
import { serviceTime } from "../../account/listing.ts";
import type { Account, SpendingAccount } from "../../account.ts";
import { ProxyRentalError, reasonOf, rethrowExplained } from "../../values/errors.ts";
import { describeHeld } from "../model/args.ts";
import type { Resize } from "../model/holdings.ts";
import { toReceipt } from "../model/receipt.ts";
import { findReleasable, findTakenBack } from "../model/released-proxies.ts";
import { countPlanned, resizeOf } from "../model/resize.ts";
import {
  type CheckedOrder,
  type OrderState,
  recordEdits,
  recordProxies,
  toReleased,
} from "../model/state.ts";
import { compareWithListing, type ListingComparison } from "../read/compare-with-listing.ts";
import { obtainOrder } from "./create.ts";
import { deliverPurchase } from "./delivery.ts";
import { letProxiesGo } from "./let-go.ts";

/**
 * Brings a resource to another quantity, as the plan showed it: takes back what was released and buys the rest, or
 * lets some go. Looks at the account first. If that is not as it was for the plan, nothing happens.
 */
export async function resizeOrder(
  account: SpendingAccount,
  state: OrderState,
  checked: CheckedOrder,
): Promise<OrderState> {
  const { listing, settings, clock } = account;
  const snapshot = await listing.complete(state.proxyType).catch(rethrowExplained);
  const found = compareWithListing(state, snapshot, settings.goneOrders);
  const holdings = { ...state.holdings, held: state.holdings.held - found.ended };
  const seen = { ...state, holdings, released: found.released.map(toReleased) };
  const resize = resizeOf(seen, checked.quantity, serviceTime(snapshot, clock));
  assertAsPlanned(state, checked, found, resize);

  const { held, released } = await moveProxies(account, state, found, resize);
  const resized: OrderState = {
    ...recordEdits(state, checked),
    ...recordProxies(checked, held),
    released: released.map(toReleased),
  };
  const tellMoved = () => tellMoves(account, checked, resize);
  if (resize.buy === 0) {
    await tellMoved();
    return resized;
  }
  const paid = await obtainOrder(account, checked, resize.buy).catch(rethrowExplained);
  // Without the purchase nothing of this is saved.
  await tellMoved();
  const purchase = toReceipt(paid);
  return deliverPurchase(account, paid, {
    ...resized,
    requestId: purchase.requestId,
    quote: checked.quote,
    status: "pendingDelivery",
    orderIds: [...resized.orderIds, ...purchase.orderIds],
    purchases: [...resized.purchases, purchase],
  });
}

/** Tells people what was let go or has come back, although it costs nothing. */
async function tellMoves(
  { story }: Pick<Account, "story">,
  checked: CheckedOrder,
  { release, takeBack }: Resize,
): Promise<void> {
  const held = (quantity: number) => describeHeld({ ...checked, quantity });
  if (release > 0) {
    const line = `let ${held(release)} go; they stay paid until they end, and come back free of charge until then`;
    await story.did(checked.owner, { id: "release", line });
  }
  if (takeBack > 0) {
    const line = `took back ${held(takeBack)}; nothing was bought for them`;
    await story.did(checked.owner, { id: "takeBack", line });
  }
}

/** Which of the listed proxies are held then, and which are let go. */
async function moveProxies(
  account: Account,
  state: OrderState,
  found: ListingComparison,
  { release, takeBack }: Resize,
): Promise<Pick<ListingComparison, "held" | "released">> {
  const { proxyType } = state;
  const going = findReleasable(proxyType, found.held, release);
  const returning = findTakenBack(proxyType, found.released, takeBack);
  if (going === undefined || returning.length < takeBack) {
    throw refreshNeeded(state, "its proxies are listed under other orders than they were");
  }
  // They stay paid. Their auto-extension is switched off before anything is recorded, because it would cost money.
  const released = found.released.filter((record) => !returning.includes(record));
  if (returning.length > 0) {
    // It has them again. If another owner of the order is deleted, they are left to this one.
    const failure = await account.journal.followNewest({ ...state, released });
    if (failure !== undefined) account.log.warn(explainUnnoted(state, failure));
  }
  const kept = await letProxiesGo(account, state, { going, released });
  return {
    held: [...found.held.filter((record) => !going.includes(record)), ...returning],
    released: [
      ...released,
      ...going.map((record) => (kept.includes(record) ? record : withoutRenewal(record))),
    ],
  };
}

function explainUnnoted({ orderNumber }: OrderState, why: unknown): string {
  return `that proxies of order ${orderNumber} are taken back can't be written down (${reasonOf(why)}): if another resource has that order, too, and is deleted, their auto-extension may go off`;
}

function withoutRenewal(record: ProxyRecord): ProxyRecord {
  return { ...record, extendInfo: { ...record.extendInfo, autoExtend: false } };
}

/** Throws if the account has changed since the plan: proxies may have ended, or somebody else may have changed them. */
function assertAsPlanned(
  state: OrderState,
  checked: CheckedOrder,
  { ended, missing }: ListingComparison,
  { buy }: Resize,
): void {
  const planned = countPlanned(state, checked);
  if (ended === 0 && missing === 0 && planned === buy) return;
  throw refreshNeeded(
    state,
    `${ended} of its proxies have ended, ${missing} are not listed, and ${buy} would have to be bought where the plan shows ${planned}`,
  );
}

function refreshNeeded({ orderNumber }: OrderState, why: string): ProxyRentalError {
  return new ProxyRentalError(
    "REFRESH_NEEDED",
    `order ${orderNumber} is not as it was when the change was planned: ${why}. Nothing was bought or released. Run again with --refresh.`,
  );
}
