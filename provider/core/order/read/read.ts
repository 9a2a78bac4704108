import { ofOrders } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { Recorded } from "../../account/recorded-ends.ts";
import type { Account } from "../../account.ts";
import { correctFlags, isBelieved, mayRenewUnseen } from "../../auto-extension/known-flags.ts";
import { laterEnd } from "../../values/dates.ts";
import { explainServiceError, isProxyRentalError, ProxyRentalError } from "../../values/errors.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";
import { withListedIds } from "./listed-ids.ts";
import { leastEndOf } from "./paid-end.ts";
import { numbersOfProxies, type Reconciled, readListed } from "./reconcile.ts";

/**
 * Finds out what is left of an order. That it is gone, or a part of it, must follow from two listings, and from all
 * that is recorded of its proxies: in this state, in the states of other resources, and in the journal.
 */
export async function readOrder(
  account: Pick<Account, "listing" | "settings" | "journal" | "clock" | "recordedEnds">,
  state: OrderState,
): Promise<Exclude<Reconciled, { kind: "doubtful" }>> {
  const { listing, settings } = account;
  const { proxyType } = state;
  try {
    const first = await listing.complete(proxyType);
    const pick = (records: Snapshot["records"]) => ofOrders(records, state.orderIds);
    await correctFlags(account, proxyType, first, pick);
    const once = readListed(state, first, settings.goneOrders);
    const found = once.costly === undefined ? once.value : await readTwice(account, state);
    if (found.kind !== "doubtful") return found;
    throw explainDoubt(found);
  } catch (error) {
    throw explainUnread(error, state);
  }
}

/** Reads a second listing, because the conclusion costs money if it is wrong. */
async function readTwice(
  {
    listing,
    settings,
    recordedEnds,
    journal,
  }: Pick<Account, "listing" | "settings" | "recordedEnds" | "journal">,
  state: OrderState,
): Promise<Reconciled> {
  const named = withListedIds(state, await journal.readAll());
  const recorded = await recordedEnds.read(state.proxyType);
  const informed = inform(named, recorded, settings.goneOrders);
  return listing.conclude(state.proxyType, (seen) =>
    readListed(informed, seen, settings.goneOrders, (proxy) =>
      mayRenewUnseen(recorded, proxy, { asOf: seen.asOf, journalTime: journal.now() }),
    ),
  );
}

/**
 * Adds to the state what is known of its proxies from elsewhere. An extension moves their ends, and an auto-extension
 * switches their flags, and this state does not know it before the next refresh.
 */
function inform(
  state: OrderState,
  recorded: Recorded,
  goneOrders: ReadonlySet<string>,
): OrderState {
  const informOne = <Proxy extends ReleasedProxy>(proxy: Proxy): Proxy => {
    const flag = recorded.flagOf(proxy);
    return {
      ...proxy,
      // Of one that a person declares gone nothing counts any more.
      dateEnd: goneOrders.has(proxy.ipAddressId)
        ? proxy.dateEnd
        : laterEnd(recorded.endOf(proxy), leastEndOf(state, proxy)),
      ...(flag &&
        isBelieved(flag, proxy) && {
          extendInfo: { ...proxy.extendInfo, autoExtend: flag.autoExtend },
        }),
    };
  };
  return {
    ...state,
    proxies: state.proxies.map(informOne),
    released: state.released.map(informOne),
  };
}

type Doubt = Extract<Reconciled, { kind: "doubtful" }>;

function explainDoubt({ code, reason, orders }: Doubt): ProxyRentalError {
  const rest = "to work on the rest of the stack meanwhile, run with --refresh=false";
  if (code === "CONFIGURATION_INVALID") {
    return new ProxyRentalError(
      code,
      `${reason}. To take them for gone would mean buying them again. Nothing was bought and the state stays as it is. Take ${orders.join(",")} out of proxyrental:goneOrders (PROXYRENTAL_GONE_ORDERS). If single proxies are gone, list their ids (ipAddressId) there; ${rest}.`,
    );
  }
  return new ProxyRentalError(
    code,
    `${reason}. Nothing was bought and the state stays as it is. ${waysOut(orders)}`,
  );
}

/** A service that does not answer, or contradicts itself, says nothing about any order. Only time helps. */
function explainUnread(error: unknown, state: OrderState): unknown {
  const explained = explainServiceError(error);
  if (explained !== error || (isProxyRentalError(error) && error.code === "LISTING_INCONSISTENT")) {
    if (isProxyRentalError(explained) && !explained.message.includes("--refresh=false")) {
      explained.message += ` Order ${numbersOfProxies(state, []).join(", ")} stays in the state as it is; to work on the rest of the stack meanwhile, run with --refresh=false.`;
    }
  }
  return explained;
}

/**
 * What a person may do about an order that a refresh is in doubt about. It names the environment first: a refresh
 * gets the configuration of the last `up`, and not what was set since.
 */
function waysOut(names: readonly string[]): string {
  const which = names.length === 1 ? "it is" : "these are";
  return `If ${which} really gone (refunded, or cancelled by support), list ${names.join(",")} in PROXYRENTAL_GONE_ORDERS, or in proxyrental:goneOrders and run \`pulumi up --refresh=false\` once; single proxies by their ids (ipAddressId). To work on the rest of the stack meanwhile, run with --refresh=false.`;
}
