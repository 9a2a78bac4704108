import type { AutoExtensionRequest } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { explainServiceError, ProxyRentalError } from "../errors.ts";

/**
 * Switches auto-extension and holds the service to its echo. Spends nothing by itself; sending it twice
 * does no harm.
 */
export async function switchAutoExtension(
  { service, listing }: Account,
  request: AutoExtensionRequest,
): Promise<void> {
  const { ipAddressIds, autoExtend } = request;
  if (ipAddressIds.length === 0) return;
  try {
    const echo = await service.setAutoExtension(request);
    const missing = ipAddressIds.filter((id) => !echo.ipAddressIds.includes(id));
    if (missing.length === 0 && echo.quantity === ipAddressIds.length) return;
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
