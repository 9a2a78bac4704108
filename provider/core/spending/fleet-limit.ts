import { z } from "zod";
import { accepts } from "../values/inputs.ts";
import { addMoney, formatMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { describeTotal, type RunSums } from "./run-sums.ts";

/** What one run may spend on the orders of a fleet together. */
export const fleetSchema = z.object({
  owner: z.string().describe("The fleet: the organisation and its URN."),
  maxSpend: accepts(z.number().min(0), "an amount in account currency, at least 0").describe(
    "The most that one run may spend on the orders of the fleet together, in account currency.",
  ),
});

/** See `fleetSchema`. */
export type Fleet = z.infer<typeof fleetSchema>;

/** Why the plans of a fleet may not be; undefined if they may. */
export function findFleetExcess(
  fleet: Fleet,
  sums: Pick<RunSums, "planned">,
  currency: string,
): string | undefined {
  const total = sums.planned(fleet.owner);
  if (total.price <= fleet.maxSpend) return undefined;
  return `the purchases of the fleet ${nameOf(fleet.owner)} come to ${describeTotal(total, currency)} in this run, above its maxSpend (${formatMoney(fleet.maxSpend, currency)}). Buy less, or raise maxSpend`;
}

/** Why a fleet may not pay this too; undefined if it may. */
export function findFleetOverspend(
  fleet: Fleet,
  sums: Pick<RunSums, "spent">,
  { price, currency }: { price: number; currency: string },
): string | undefined {
  const spent = sums.spent(fleet.owner);
  if (addMoney(spent, price) <= fleet.maxSpend) return undefined;
  return `${formatMoney(price, currency)} on top of the ${formatMoney(spent, currency)} already spent on the fleet ${nameOf(fleet.owner)} by this run is above its maxSpend (${formatMoney(fleet.maxSpend, currency)}). This purchase was not sent. Raise maxSpend or buy less.`;
}
