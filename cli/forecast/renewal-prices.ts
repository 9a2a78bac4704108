import pLimit from "p-limit";
import { type Client, isServiceError, type ProxyType } from "../../provider/client/index.ts";
import { INSUFFICIENT_FUNDS_CODE } from "../../provider/core/spending/gates.ts";

/** What an extension asks for. */
export interface RenewalSpec {
  proxyType: ProxyType;
  ipAddressIds: readonly string[];
  rentPeriodDays: number;
}

/** What the service asks for an extension, or why nobody knows it. */
export type RenewalPrice = { amount: number } | { untold: string };

/** Asks what extensions cost. Each is asked for once. Spends nothing. */
export type PriceRenewal = (spec: RenewalSpec) => Promise<RenewalPrice>;

/** How many prices are asked for at the same time. */
const ASKED_AT_ONCE = 8;

/**
 * Prices extensions by `calculate/extend`. What the service refuses to price has no price, and says why. Throws a
 * `ServiceError` if the service can't be asked.
 * @param currency that of the balance: what is priced in another one can't be held against it
 */
export function createRenewalPrices(
  client: Pick<Client, "calculateExtension">,
  currency: string,
): PriceRenewal {
  const limit = pLimit(ASKED_AT_ONCE);
  const asked = new Map<string, Promise<RenewalPrice>>();
  return (spec) => {
    const name = JSON.stringify([spec.proxyType, spec.rentPeriodDays, spec.ipAddressIds]);
    const price = asked.get(name) ?? limit(() => askPrice(client, currency, spec));
    asked.set(name, price);
    return price;
  };
}

async function askPrice(
  client: Pick<Client, "calculateExtension">,
  currency: string,
  spec: RenewalSpec,
): Promise<RenewalPrice> {
  try {
    const told = await client.calculateExtension({ ...spec, ipAddressIds: [...spec.ipAddressIds] });
    // Whether the money lasts is what is found out here, by the balance at that time.
    const warning = told.warnings.find(({ code }) => code !== INSUFFICIENT_FUNDS_CODE);
    if (warning !== undefined) return { untold: `the service warns: ${warning.message}` };
    if (told.currency !== currency) return { untold: `it is priced in ${told.currency}` };
    if (told.price === null || !(told.price >= 0)) return { untold: "the service gives no price" };
    return { amount: told.price };
  } catch (error) {
    if (!isServiceError(error) || error.code !== "SERVICE_REFUSED") throw error;
    return { untold: error.message };
  }
}
