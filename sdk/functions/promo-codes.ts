import * as pulumi from "@pulumi/pulumi";
import type { PromoCode } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** What `getPromoCodes` gives. */
export interface GetPromoCodesResult {
  /** The codes that the account may use. */
  promoCodes: PromoCode[];
}

/**
 * The account's promo codes. Spends nothing.
 *
 * @example
 * const { promoCodes } = await getPromoCodes();
 * const best = promoCodes.toSorted((a, b) => b.discount - a.discount)[0]?.code;
 */
export function getPromoCodes(): Promise<GetPromoCodesResult> {
  return ask("getPromoCodes");
}

/**
 * As `getPromoCodes`, as an output.
 *
 * @example
 * export const codes = getPromoCodesOutput().promoCodes.apply((found) => found.map(({ code }) => code));
 */
export function getPromoCodesOutput(): pulumi.Output<GetPromoCodesResult> {
  return pulumi.output(getPromoCodes());
}
