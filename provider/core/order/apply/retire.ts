import type { ProxyRecord } from "../../../client/index.ts";
import { lookForPeople, ofOrders } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { type Renewals, switchOffRenewals } from "../../auto-extension/switch-off.ts";
import { ProxyRentalError, reasonOf } from "../../values/errors.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";
import { describeEnds } from "../model/state.ts";
import { findGoneIds, isDeclaredGone } from "../read/gone.ts";

/**
 * Lets an order go. The service can't cancel it. So this switches off the auto-extension, which would go on costing
 * money, and says until when the proxies stay paid.
 * @param findListed which listed proxies go, beside the recorded ones. @default those of its orders
 * @returns whether it was on, by the listing or by the state, or may be on still
 */
export async function retireOrder(
  account: Account,
  state: OrderState,
  findListed: NonNullable<Renewals["findListed"]> = (records) => ofOrders(records, state.orderIds),
): Promise<boolean> {
  const { log, settings, story } = account;
  const goneIds = findGoneIds(state, settings.goneOrders);
  const recorded = [...state.proxies, ...state.released].filter(
    (proxy) => !isDeclaredGone(proxy, goneIds, settings.goneOrders),
  );
  const { orderIds } = state;
  const isGone = orderIds.length > 0 && orderIds.every((orderId) => goneIds.has(orderId));
  try {
    // A proxy that is listed and on costs money, even if it is declared gone.
    const renewing = await switchOffRenewals(account, {
      ...state,
      isDelete: true,
      proxies: recorded.map(toExtended),
      findListed,
    });
    if (isGone && renewing === 0) return false;
    const off = renewing > 0 ? "its auto-extension is now off; " : "";
    const ends = describeEnds(state, await lookForPeople(account, state.proxyType));
    await story.did(state.owner, {
      id: "delete",
      line: `is let go; ${off}the service has no cancellation: ${ends}`,
    });
    // What is on by the state alone, and listed as off, is switched off and not counted.
    return renewing > 0 || recorded.some(({ extendInfo }) => extendInfo.autoExtend);
  } catch (error) {
    const why = reasonOf(error);
    if (!isGone && settings.onDeleteFailure === "fail") throw refuseDelete(state, why);
    log.warn(
      `order ${state.orderNumber} is abandoned although its auto-extension may still be on and cost money (${why})`,
    );
    return true;
  }
}

/** Switches off the auto-extension of proxies that are let go. */
export async function endRenewals(
  account: Account,
  state: Pick<OrderState, "owner" | "proxyType" | "rentPeriodDays" | "proxies">,
  going: readonly ProxyRecord[],
): Promise<void> {
  const ids = new Set(going.map(({ ipAddressId }) => ipAddressId));
  const { owner, proxyType, rentPeriodDays } = state;
  await switchOffRenewals(account, {
    ...{ owner, proxyType, rentPeriodDays, isDelete: false },
    proxies: state.proxies.filter(({ ipAddressId }) => ids.has(ipAddressId)).map(toExtended),
    findListed: (records) => records.filter(({ ipAddressId }) => ids.has(ipAddressId)),
  });
}

function toExtended({
  ipAddressId,
  ipAddressIp,
  httpsPort,
  orderId,
  dateEnd,
  extendInfo,
}: ReleasedProxy): Renewals["proxies"][number] {
  return { ipAddressId, ipAddressIp, httpsPort, orderId, dateEnd, ...extendInfo };
}

function refuseDelete(state: OrderState, why: string): ProxyRentalError {
  const ids = [...state.proxies, ...state.released].map(({ ipAddressId }) => ipAddressId);
  return new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `order ${state.orderNumber} stays in the state, because its auto-extension may be on and could not be switched off (${why}). It would go on costing money with nobody to own it. Proxies: ${ids.join(", ")}. Run again; or, to let it go all the same and switch it off at the service, set PROXYRENTAL_ON_DELETE_FAILURE=abandon (a destroy does not see a proxyrental:onDeleteFailure that was set after the last \`pulumi up\`).`,
  );
}
