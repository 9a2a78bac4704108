import type { PromoCode } from "../client/index.ts";
import type { GateFailure } from "./quote.ts";
import { remember } from "./remember.ts";
import type { ProxyService } from "./service.ts";

/** How often the plans of this run use each promo code, held against how often it may be used. */
export interface PromoUses {
  /**
   * Counts how many calls of a plan will use a code. Gives why they may not, and then leaves them out; a later
   * plan of the same owner takes the place of its earlier one.
   */
  plan(
    owner: string,
    promoCode: string | undefined,
    uses: number,
  ): Promise<GateFailure | undefined>;
}

/**
 * Makes the count of one process. The service's list is read once, before anything is bought with a code: what
 * the run has bought since is among its plans. What is not guaranteed: that nobody else uses a code meanwhile.
 */
export function createPromoUses(service: Pick<ProxyService, "listPromoCodes">): PromoUses {
  const list = remember(() => service.listPromoCodes());
  const plans = new Map<string, { promoCode: string; uses: number }>();

  const countOthers = (owner: string, promoCode: string) =>
    Array.from(plans)
      .filter(([other, plan]) => other !== owner && plan.promoCode === promoCode)
      .reduce((sum, [, { uses }]) => sum + uses, 0);

  return {
    async plan(owner, promoCode, uses) {
      if (promoCode === undefined) {
        plans.delete(owner);
        return undefined;
      }
      const promoCodes = await list();
      const failure = judgeUses(promoCodes, promoCode, countOthers(owner, promoCode) + uses);
      if (failure) plans.delete(owner);
      else plans.set(owner, { promoCode, uses });
      return failure;
    },
  };
}

/**
 * Refuses more uses than the service lists for a code: those that are too many would be charged in full
 * (source: endpoint 8, rule 1). A code that is not listed, or without a number, is the calculation's to judge.
 */
export function judgeUses(
  promoCodes: readonly PromoCode[],
  promoCode: string,
  planned: number,
): GateFailure | undefined {
  const left = promoCodes.find(({ code }) => code === promoCode)?.countUses ?? undefined;
  if (left === undefined || planned <= left) return undefined;
  return {
    code: "PROMO_CODE_NOT_VALID",
    property: "promoCode",
    reason: `has ${left} ${left === 1 ? "use" : "uses"} left by the service's list, and this run plans ${planned}; what is too many would be charged in full. Give the code to ${left} purchases at most, or give another one that getPromoCodes lists`,
  };
}
