import { z } from "zod";
import { shareAmount } from "./amount.ts";
import { notKnown, type Props, parseInput, readKnown } from "./inputs.ts";
import { parsePlannedSpend } from "./planned-spend.ts";
import { kindOf, type ResourceKind } from "./resource-kind.ts";

/** What one resource comes to in 30 days. */
export interface MonthlyCost {
  name: string;
  kind: ResourceKind;
  /** What is planned or extends itself; undefined while it is not known. */
  planned: number | undefined;
  /** What was held before and is not replaced. */
  held: number;
  /** Whether the service was asked, and told no price. */
  isUnpriced: boolean;
  currency: string | undefined;
}

const DAYS = 30;

/** Parses it from a plan; undefined for resources that are not ours. */
export function parseMonthlyCost({
  type,
  name,
  props,
}: {
  type: string;
  name: string;
  props: Props;
}): MonthlyCost | undefined {
  const kind = kindOf(type);
  if (kind === undefined) return undefined;
  const base = { name, kind, held: 0, isUnpriced: false, currency: undefined };
  if (kind === "IpAutoExtend") return { ...base, ...parseCycle(props) };
  const { price, spends, effect, rentPeriodDays, costBasis, rounds } = parsePlannedSpend({ props });
  const held =
    costBasis && effect !== "replace"
      ? shareAmount(costBasis.price, DAYS, costBasis.rentPeriodDays)
      : 0;
  if (!spends || price === "free") return { ...base, held, planned: 0 };
  if (typeof price === "string" || rentPeriodDays === undefined) {
    return { ...base, held, planned: undefined };
  }
  // Several extensions one after the other pay for as many periods.
  const planned = shareAmount(price.amount, DAYS, rentPeriodDays * rounds);
  return { ...base, held, planned, currency: price.currency };
}

const cycleSchema = z.object({
  effect: z.string(),
  pricePerCycle: z.number().min(0).optional(),
  currency: z.string().optional(),
});

function parseCycle(
  props: Props,
): Pick<MonthlyCost, "planned" | "isUnpriced"> & Partial<Pick<MonthlyCost, "currency">> {
  if (parseInput(props, "autoExtend", z.boolean()) === false) {
    return { planned: 0, isUnpriced: false };
  }
  const quote = parseInput(props, "quote", cycleSchema);
  // The proxies are bought in this run. Their order tells what they come to.
  const isLater = quote === notKnown || readKnown(() => props.quote) === undefined;
  if (isLater) return { planned: undefined, isUnpriced: false };
  if (quote?.effect === "none") return { planned: 0, isUnpriced: false };
  const days = parseInput(props, "rentPeriodDays", z.number().positive());
  if (quote?.pricePerCycle === undefined || typeof days !== "number") {
    return { planned: undefined, isUnpriced: true };
  }
  const planned = shareAmount(quote.pricePerCycle, DAYS, days);
  return { planned, isUnpriced: false, currency: quote.currency };
}
