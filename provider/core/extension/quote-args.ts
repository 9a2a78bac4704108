import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";
import {
  accepts,
  acceptsHidden,
  type GivenInputs,
  type InputFailure,
  readInputs,
} from "../inputs.ts";

/** Every argument of an extension's quote: how it is read, and what is accepted. */
const extensionQuoteSchema = z.object({
  proxyType: accepts(z.enum(proxyTypes), `one of ${proxyTypes.join(", ")}`),
  ipAddressIds: accepts(
    z.array(z.string().min(1)).min(1),
    "a list of at least one ipAddressId, as ProxyOrder.ipAddressIds or getProxies give them",
  ),
  rentPeriodDays: accepts(z.int().min(1), "a whole number of days, at least 1"),
  promoCode: acceptsHidden(z.string().trim().min(1).optional(), "a promo code"),
});

/** What an extension is asked the price of, checked. */
export type ExtensionQuoteArgs = z.infer<typeof extensionQuoteSchema>;

/** Reads what the program gave: all of it, or every failure at once. */
export function readExtensionQuoteArgs(
  known: GivenInputs["known"],
): { args: ExtensionQuoteArgs } | { failures: InputFailure[] } {
  const given = { known, unknown: new Set<string>() };
  const { failures } = readInputs(extensionQuoteSchema.shape, given);
  const { data: args } = extensionQuoteSchema.safeParse(known);
  const { ipAddressIds = [] } = args ?? {};
  const repeated = ipAddressIds.find((id, index) => ipAddressIds.indexOf(id) !== index);
  if (repeated !== undefined) {
    failures.push({ property: "ipAddressIds", reason: `names ${repeated} twice; once is enough` });
  }
  return args && failures.length === 0 ? { args } : { failures };
}
