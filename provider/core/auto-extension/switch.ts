import {
  type AutoExtensionRequest,
  isServiceError,
  type SwitchedAutoExtension,
} from "../../client/index.ts";
import type { Account } from "../account.ts";
import type { FreeService } from "../ports.ts";
import { explainServiceError, isProxyRentalError, ProxyRentalError } from "../values/errors.ts";

/**
 * Switches auto-extension, and checks the service's echo. Spends nothing by itself. To send it twice does no harm.
 *
 * The echo's quantity is how many the service has changed. What was as wanted before is not in it, and a call that is repeated
 * because its answer was lost has nothing left to change. So fewer than asked say nothing: whoever asked looks at the listing.
 */
export async function switchAutoExtension(
  { service, listing }: Pick<Account, "service" | "listing">,
  request: AutoExtensionRequest,
): Promise<void> {
  const { ipAddressIds, autoExtend } = request;
  if (ipAddressIds.length === 0) return;
  try {
    const echo = await send(service, request);
    const missing = ipAddressIds.filter((id) => !echo.ipAddressIds.includes(id));
    // More than asked may cost money if they are on, and does no harm if they are off.
    const isTooMany = autoExtend && echo.quantity > ipAddressIds.length;
    if (missing.length === 0 && !isTooMany) return;
    throw new ProxyRentalError(
      "AUTO_EXTENSION_FAILED",
      `the service was asked to switch auto-extension ${autoExtend ? "on" : "off"} for ${ipAddressIds.length} proxies and says that it switched ${echo.quantity}${missing.length > 0 ? `; left out: ${missing.join(", ")}` : ""}. Nothing was bought. Run again.`,
    );
  } catch (error) {
    throw explainServiceError(error);
  } finally {
    listing.invalidate();
  }
}

/**
 * A flag goes off with any period. But the service may refuse a period that it no longer offers. Then one that it
 * offers is sent, because a flag that can't be switched off goes on costing money.
 */
async function send(
  service: FreeService,
  request: AutoExtensionRequest,
): Promise<SwitchedAutoExtension> {
  try {
    return await service.setAutoExtension(request);
  } catch (refusal) {
    if (request.autoExtend || !isRefusal(refusal)) throw refusal;
    const offered = await service.listRentPeriods(request.proxyType).catch((): number[] => []);
    const [period] = offered;
    if (period === undefined || offered.includes(request.rentPeriodDays)) throw refusal;
    return service.setAutoExtension({ ...request, rentPeriodDays: period });
  }
}

/** Whether the service has understood a request, and says no. The failure may be explained for the user already. */
export function isRefusal(error: unknown): boolean {
  return (isServiceError(error) || isProxyRentalError(error)) && error.code === "SERVICE_REFUSED";
}

/** The same account, and whether a switch has gone through since, or may have. */
export function watchSwitches(account: Account): {
  watched: Account;
  mayHaveSwitched(): boolean;
} {
  const { service } = account;
  let isPossible = false;
  const setAutoExtension = async (request: AutoExtensionRequest) => {
    try {
      const echo = await service.setAutoExtension(request);
      isPossible = true;
      return echo;
    } catch (error) {
      if (!isDenied(error)) isPossible = true;
      throw error;
    }
  };
  const watched = { ...account, service: { ...service, setAutoExtension } };
  return { watched, mayHaveSwitched: () => isPossible };
}

/**
 * Whether the service says that it did nothing. A connection that can't be made says less: the call is repeated, and an
 * earlier try may have arrived.
 */
function isDenied(error: unknown): boolean {
  return isRefusal(error) || (isServiceError(error) && error.code === "API_KEY_REJECTED");
}
