import * as pulumi from "@pulumi/pulumi";
import type { PromoCode } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** What `getPromoCodes` gives. */
export interface GetPromoCodesResult {
  promoCodes: PromoCode[];
}

/** The account's promo codes (source: endpoint 5). Spends nothing. */
export function getPromoCodes(): Promise<GetPromoCodesResult> {
  return ask("getPromoCodes");
}

/** As `getPromoCodes`, as an output. */
export function getPromoCodesOutput(): pulumi.Output<GetPromoCodesResult> {
  return pulumi.output(getPromoCodes());
}
