import { z } from "zod";
import { extensionArgsSchema } from "../extension/model/args.ts";
import { assertExtendable } from "../extension/model/proxies.ts";
import { findRepeated } from "../proxies/proxy-args.ts";
import { defineFunction } from "./account-function.ts";
import { quoteResultSchema, toQuoteResult } from "./quote-result.ts";

const { proxyType, ipAddressIds, rentPeriodDays, promoCode } = extensionArgsSchema.shape;

/** See its description. */
export const getExtensionQuote = defineFunction({
  description:
    "What it would cost to extend proxies once. Spends nothing; refuses arguments that don't fit, and a part of an IPv6 order.",
  inputs: z.object({
    proxyType: proxyType.describe("The type of all these proxies."),
    ipAddressIds: ipAddressIds.describe("Which proxies. Of IPv6, all of an order or none."),
    rentPeriodDays: rentPeriodDays.describe("By how many days: one of `getRentPeriods`."),
    promoCode: promoCode.describe(
      "A promo code, from `getPromoCodes`. `promoCodeStatus` says whether it takes effect. Default: none.",
    ),
  }),
  outputs: quoteResultSchema,
  findMisfits: (args) => findRepeated(args.ipAddressIds),
  answer: async ({ service, listing }, args) => {
    // The service may not say which proxies are missing, so this names them before the service is asked.
    if (args.proxyType === "IPv6") {
      assertExtendable(args, (await listing.complete(args.proxyType)).records);
    }
    return toQuoteResult(await service.calculateExtension(args));
  },
});
