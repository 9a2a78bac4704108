import type { PolicyResource } from "@pulumi/policy";
import { z } from "zod";
import { addAmounts } from "./amount.ts";
import { limit } from "./config-values.ts";
import { type MonthlyCost, parseMonthlyCost } from "./monthly-cost.ts";
import { formatPrice } from "./price-text.ts";
import { defineRunPolicy } from "./run-policy.ts";

const config = z.strictObject({
  max: limit
    .optional()
    .describe("Most that the stack's proxies may come to in 30 days, in account currency."),
});

/** The limit for 30 days, in account currency, at least 0. Without one every stack passes. */
export type MonthlyRunRateConfig = z.input<typeof config>;

/**
 * Judges what the stack comes to in 30 days: what is planned, by its rent period, and what extends itself. Proxies
 * count once: the highest of their order, their automatic extension and their extension. Only the stack as a whole,
 * at the end of a preview, shows what belongs together. At a single purchase, also in an up without preview, only the
 * highest of the three sums is judged, which is never more. If a price or a period is not known, a purchase is
 * refused. A `maxPrice` counts as the price.
 */
export const monthlyRunRate = defineRunPolicy({
  name: "monthly-run-rate",
  description: "The stack's proxies must not come to more in a month than is allowed.",
  config,
  read: parseMonthlyCost,
  judge(cost, all, { max }) {
    if (max === undefined) return undefined;
    if (cost.planned === undefined && cost.kind !== "IpAutoExtend") return notPriced;
    if (cost.isUnpriced) return notPriced;
    if (cost.planned === undefined || cost.planned === 0) return undefined;
    const byKind = Object.values(Object.groupBy(all, ({ kind }) => kind)).map((costs) =>
      addAmounts(costs.map(({ planned = 0 }) => planned)),
    );
    return findExcess(Math.max(...byKind), max, all);
  },
  judgeAll(all, { max }, resources) {
    if (max === undefined) return [];
    const costs = [...all.values()];
    const groups = groupLinked(all, resources).map(costOfGroup);
    const unpriced = groups.find((group) => typeof group === "string");
    if (unpriced !== undefined) return [{ message: `${unpriced}: ${notPriced}` }];
    const total = addAmounts(groups.filter((group) => typeof group === "number"));
    const message = findExcess(total, max, costs);
    return message === undefined ? [] : [{ message }];
  },
});

const notPriced =
  "what it comes to in a month is not known. Give it a maxPrice, which then counts as the price, and a rentPeriodDays that is known at preview.";

function findExcess(total: number, max: number, costs: readonly MonthlyCost[]): string | undefined {
  if (total <= max) return undefined;
  const currency = costs.find((cost) => cost.currency !== undefined)?.currency;
  return `the stack would come to ${formatPrice({ amount: total, currency })} in 30 days, above the ${formatPrice({ amount: max, currency })} that max allows. Buy less, let less extend itself, or raise max in the config of monthly-run-rate.`;
}

/** Groups orders with what extends their proxies. What belongs to no order is a group of its own. */
function groupLinked(
  all: ReadonlyMap<string, MonthlyCost>,
  resources: readonly PolicyResource[],
): MonthlyCost[][] {
  const groups = new Map([...all].map(([urn, cost]) => [urn, new Set([cost])]));
  for (const { urn, propertyDependencies } of resources) {
    const extended = propertyDependencies.ipAddressIds ?? [];
    for (const order of extended.filter((one) => all.get(one.urn)?.kind === "ProxyOrder")) {
      const joined = new Set([...(groups.get(urn) ?? []), ...(groups.get(order.urn) ?? [])]);
      for (const [member, group] of groups) {
        if ([...group].some((cost) => joined.has(cost))) groups.set(member, joined);
      }
    }
  }
  return [...new Set(groups.values())].map((group) => [...group]);
}

/** The highest of the three, or the name of what has no price. */
function costOfGroup(group: readonly MonthlyCost[]): number | string {
  const ofKind = (kind: MonthlyCost["kind"]) => group.filter((cost) => cost.kind === kind);
  const [orders, cycles] = [ofKind("ProxyOrder"), ofKind("IpAutoExtend")];
  const isTold = (cost: MonthlyCost) => cost.kind === "IpAutoExtend" && orders.length > 0;
  const unpriced = group.find(
    (cost) => cost.isUnpriced || (cost.planned === undefined && !isTold(cost)),
  );
  if (unpriced) return unpriced.name;
  const sum = (costs: readonly MonthlyCost[]) =>
    addAmounts(costs.map(({ planned = 0 }) => planned));
  const renewed = cycles.length > 0 ? orders.map(({ held }) => held) : [];
  return Math.max(addAmounts([sum(orders), ...renewed]), sum(cycles), sum(ofKind("IpExtension")));
}
