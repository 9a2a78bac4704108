import type { PromoCode } from "../../client/index.ts";
import type { RunTalk } from "../account/run-talk.ts";
import type { ProxyService } from "../ports.ts";
import type { AccountFact } from "../records/run-fact.ts";
import { remember } from "../values/remember.ts";
import type { GateFailure } from "./gates.ts";

/** How often the plans of this run use each promo code, and how often each may be used. */
export interface PromoUses {
  /**
   * Counts how many calls of a plan will use a code. If they may not, gives the reason and does not count them. A
   * later plan of the same owner replaces its earlier one.
   */
  plan(
    owner: string,
    promoCode: string | undefined,
    uses: number,
  ): Promise<GateFailure | undefined>;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/**
 * Makes the count of one run, over all its provider processes. The first process that plans with a code reads the
 * service's list, before anything is bought with it. So what the run has bought since is among its plans. Not
 * guaranteed: somebody else may use a code meanwhile.
 */
export function createPromoUses(
  service: Pick<ProxyService, "listPromoCodes">,
  { tell, hear }: RunTalk,
): PromoUses {
  const list = remember(() => service.listPromoCodes());
  const plans = new Map<string, { promoCode: string; uses: number }>();
  /** The first number that any process of the run has read of a code. */
  const offered = new Map<string, number>();

  const countAll = (promoCode: string) =>
    Array.from(plans.values())
      .filter((plan) => plan.promoCode === promoCode)
      .reduce((sum, { uses }) => sum + uses, 0);

  async function record(owner: string, promoCode: string | undefined, uses: number) {
    const before = plans.get(owner);
    keep(owner, promoCode, uses);
    if (before?.promoCode === promoCode && before?.uses === plans.get(owner)?.uses) return;
    // A preview may run where nothing can be written. A purchase is refused there.
    await tell({ kind: "uses", owner, promoCode, uses }).catch(() => undefined);
  }

  function keep(owner: string, promoCode: string | undefined, uses: number): void {
    if (promoCode === undefined) plans.delete(owner);
    else plans.set(owner, { promoCode, uses });
  }

  /** A list that is read later has fewer uses left, because the run has made some since. */
  function keepOffer(promoCode: string, countUses: number): void {
    offered.set(promoCode, Math.max(countUses, offered.get(promoCode) ?? 0));
  }

  async function readOffer(promoCode: string): Promise<number | undefined> {
    await hear();
    if (!offered.has(promoCode)) {
      const countUses = findUses(await list(), promoCode);
      if (countUses === undefined) return undefined;
      await tell({ kind: "offers", promoCode, countUses }).catch(() => undefined);
      await hear();
      keepOffer(promoCode, countUses);
    }
    return offered.get(promoCode);
  }

  return {
    async plan(owner, promoCode, uses) {
      if (promoCode === undefined) {
        await record(owner, undefined, 0);
        return undefined;
      }
      const left = await readOffer(promoCode);
      // This tells before it hears. If two plan at the same moment, at least one of them knows both.
      await record(owner, promoCode, uses);
      await hear();
      const failure = judgeLeft(left, countAll(promoCode));
      if (failure) await record(owner, undefined, 0);
      return failure;
    },

    hear(fact) {
      if (fact.kind === "offers") keepOffer(fact.promoCode, fact.countUses);
      if (fact.kind === "uses") keep(fact.owner, fact.promoCode, fact.uses);
    },
  };
}

function findUses(promoCodes: readonly PromoCode[], promoCode: string): number | undefined {
  return promoCodes.find(({ code }) => code === promoCode)?.countUses ?? undefined;
}

/**
 * Refuses more uses of a code than the service lists: the others would be charged in full (source: endpoint 8, rule
 * 1). If a code is not listed, or has no number, the calculation decides.
 */
function judgeLeft(left: number | undefined, planned: number): GateFailure | undefined {
  if (left === undefined || planned <= left) return undefined;
  return {
    code: "PROMO_CODE_NOT_VALID",
    property: "promoCode",
    reason: `the promo code has ${left} ${left === 1 ? "use" : "uses"} left by the service's list, and this run plans ${planned}; what is too many would be charged in full. Give the code to ${left} purchases at most, or give another one that getPromoCodes lists`,
  };
}
