import { describeRate } from "../../provider/core/spending/renewing.ts";
import { formatMoney } from "../../provider/core/values/money.ts";
import type { Row } from "../table.ts";
import type { Naming } from "./cost-words.ts";
import type { HeldAgainstBase } from "./held.ts";
import type { CostReport } from "./report.ts";

/** What stands above the rows. */
export const HELD_TITLE = "Held per 30 days, beside the base branch";

/**
 * One row for each stack and currency, and one for all stacks together; none if there is no base.
 * @param stackLimit how many stacks have rows
 */
export function toHeldRows(
  { stacks, total }: CostReport,
  naming: Naming,
  stackLimit = Number.POSITIVE_INFINITY,
): Row[] {
  const ofAll = total.againstBase ?? [];
  if (stacks.length === 1) return ofAll.map((held) => toHeldRow("", held));
  const shown = stacks.slice(0, stackLimit);
  return [
    ...shown.flatMap(({ label, isNew, againstBase = [] }) =>
      againstBase.map((held) => toHeldRow(`${naming(label)}${isNew ? " (new)" : ""}`, held)),
    ),
    ...ofAll.map((held) => toHeldRow(`all ${stacks.length}`, held)),
  ];
}

function toHeldRow(stack: string, held: HeldAgainstBase): Row {
  const { currency, base, isBaseOpen, proposed, isProposedOpen } = held;
  const describe = (amount: number, isOpen: boolean) =>
    describeRate({ amount, currency, isAtMost: false, isOpen });
  return {
    STACK: stack,
    BASE: describe(base, isBaseOpen),
    PROPOSED: describe(proposed, isProposedOpen),
    DIFFERENCE: describeDifference(held),
  };
}

/** "+4.20 USD (+15 %)". */
function describeDifference({ difference, percent, currency }: HeldAgainstBase): string {
  if (difference === undefined) return "not known yet";
  const amount = `${signOf(difference)}${formatMoney(roundCents(Math.abs(difference)), currency)}`;
  if (percent === undefined || percent === 0) return amount;
  const share = Math.round(Math.abs(percent) * 10) / 10;
  return `${amount} (${signOf(percent)}${share === 0 ? "less than 0.1" : share} %)`;
}

function signOf(amount: number): string {
  if (amount === 0) return "";
  return amount > 0 ? "+" : "-";
}

/** The figures are for comparisons, so a part of a cent does not matter. */
function roundCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
