import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { switchAutoExtension } from "../auto-extension/switch.ts";
import { hasEnded } from "../end.ts";
import { ProxyRentalError, reasonOf } from "../errors.ts";
import { ofOrders } from "../listing.ts";
import { paidUntil } from "./change.ts";
import { findGoneIds } from "./gone.ts";
import type { OrderState } from "./state.ts";
import { among } from "./tally.ts";

/**
 * Lets an order go. The service can't cancel one, so this ends what would go on costing money, the
 * auto-extension, and says until when the proxies remain paid.
 */
export async function retireOrder(account: Account, state: OrderState): Promise<void> {
  const { listing, log, settings } = account;
  const goneIds = findGoneIds(state, settings.goneOrders);
  const living = state.orderIds.filter((orderId) => !goneIds.has(orderId));
  if (living.length === 0) return;
  try {
    const { records, asOf } = await listing.recent(state.proxyType);
    const listed = ofOrders(records, living);
    const isListed = among(listed);
    const unseen = [...state.proxies, ...state.released]
      .filter(({ orderId }) => !goneIds.has(orderId))
      .filter((proxy) => proxy.extendInfo.autoExtend && !hasEnded(proxy, asOf) && !isListed(proxy));
    if (unseen.length > 0) throw new Error(`${unseen.length} of them that renew are not listed`);
    const renewing = await switchOffRenewing(account, state, listed);
    const off = renewing > 0 ? "auto-extension is now off; " : "";
    log.info(
      `order ${state.orderNumber}: ${off}the service has no cancellation, the proxies stay paid ${paidUntil(state)}`,
    );
  } catch (error) {
    const why = reasonOf(error);
    if (settings.onDeleteFailure === "fail") throw refuseDelete(state, why);
    log.warn(
      `order ${state.orderNumber} is abandoned although its auto-extension may still be on and cost money (${why})`,
    );
  }
}

/** Switches auto-extension off where it is on; gives how many that were. */
export async function switchOffRenewing(
  account: Account,
  { proxyType, rentPeriodDays }: Pick<OrderState, "proxyType" | "rentPeriodDays">,
  records: readonly ProxyRecord[],
): Promise<number> {
  const renewing = records.filter((record) => record.extendInfo.autoExtend);
  const byDays = Map.groupBy(renewing, (record) => record.extendInfo.extendDays);
  for (const [extendDays, alike] of byDays) {
    await switchAutoExtension(account, {
      proxyType,
      ipAddressIds: alike.map((record) => record.ipAddressId),
      rentPeriodDays: extendDays > 0 ? extendDays : rentPeriodDays,
      autoExtend: false,
    });
  }
  return renewing.length;
}

function refuseDelete(state: OrderState, why: string): ProxyRentalError {
  const ids = [...state.proxies, ...state.released].map(({ ipAddressId }) => ipAddressId);
  return new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `order ${state.orderNumber} stays in the state, because its auto-extension may be on and could not be switched off (${why}). It would go on costing money with nobody to own it. Proxies: ${ids.join(", ")}. Run again, or set PROXYRENTAL_ON_DELETE_FAILURE=abandon (a destroy does not see a proxyrental:onDeleteFailure that was set after the last \`pulumi up\`).`,
  );
}
