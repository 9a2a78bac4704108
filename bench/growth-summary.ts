import { type Growth, growthSteps } from "./growth.ts";
import { megabytes } from "./memory-probe.ts";
import type { Aim } from "./summary.ts";

/** By how much an order of the largest stack may take longer than one of a stack that is a tenth of it. */
const MOST_GROWTH = 1.5;

const MOST_PEAK_MB = 300;

export interface GrowthSummary {
  stacks: readonly Growth[];
  aims: Aim[];
}

export function summarizeGrowth(stacks: readonly Growth[]): GrowthSummary {
  const largest = stacks.at(-1);
  const tenth = stacks.find(({ orders }) => orders * 10 === largest?.orders);
  if (largest === undefined || tenth === undefined) return { stacks, aims: [] };
  const growths = growthSteps.map((step) => {
    const growth = largest.steps[step].msAnOrder / tenth.steps[step].msAnOrder;
    return {
      what: `${step} of ${largest.orders} orders takes at most ${MOST_GROWTH} times as long an order as of ${tenth.orders}`,
      measured: `${growth.toFixed(2)} times`,
      met: growth <= MOST_GROWTH,
    };
  });
  const peakMb = peakMbOf(largest);
  const memory = {
    what: `the plugin takes at most ${MOST_PEAK_MB} MB for ${largest.orders} orders`,
    measured: `${peakMb.toFixed(0)} MB`,
    met: peakMb <= MOST_PEAK_MB,
  };
  return { stacks, aims: [...growths, memory] };
}

/** The most memory that the plugin has used in any step. */
export function peakMbOf({ steps }: Growth): number {
  return Math.max(...growthSteps.map((step) => megabytes(steps[step].peakBytes)));
}
