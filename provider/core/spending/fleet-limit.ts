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

/** What a purchase is about to cost. */
interface Price {
  price: number;
  currency: string;
}

/** The limits of the fleets of one run. All orders of a fleet are checked by one process, before any is bought. */
export interface FleetLimits {
  /** Says that an owner is a part of a fleet. */
  join(fleet: Fleet, owner: string): void;
  /** Why the plans of a fleet, with the newest, may not be; undefined if they may. */
  findExcess(fleet: Fleet, currency: string): string | undefined;
  /** Why a fleet may not pay this too; undefined if it may. */
  findOverspend(fleet: Fleet, spend: Price): string | undefined;
}

/** Makes the limits of a run without fleets; each is known when the first of its orders joins. */
export function createFleetLimits(sums: Pick<RunSums, "planned" | "spent">): FleetLimits {
  const members = new Map<string, Set<string>>();

  function membersOf({ owner }: Fleet): Set<string> {
    const known = members.get(owner) ?? new Set();
    members.set(owner, known);
    return known;
  }

  return {
    join: (fleet, owner) => void membersOf(fleet).add(owner),

    findExcess(fleet, currency) {
      const total = sums.planned(membersOf(fleet));
      if (total.price <= fleet.maxSpend) return undefined;
      return `the purchases of the fleet ${nameOf(fleet.owner)} come to ${describeTotal(total, currency)} in this run, above its maxSpend (${formatMoney(fleet.maxSpend, currency)}). Buy less, or raise maxSpend`;
    },

    findOverspend(fleet, { price, currency }) {
      const spent = sums.spent(membersOf(fleet));
      if (addMoney(spent, price) <= fleet.maxSpend) return undefined;
      return `${formatMoney(price, currency)} on top of the ${formatMoney(spent, currency)} already spent on the fleet ${nameOf(fleet.owner)} by this run is above its maxSpend (${formatMoney(fleet.maxSpend, currency)}). This purchase was not sent. Raise maxSpend or buy less.`;
    },
  };
}
