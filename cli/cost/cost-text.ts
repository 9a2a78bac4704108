import { makePrintable, printTable } from "../table.ts";
import { describeRest, describeSpending, toRows } from "./cost-words.ts";
import { HELD_TITLE, toHeldRows } from "./held-words.ts";
import type { CostReport } from "./report.ts";

/** What plans cost, for a terminal. */
export function describeCost(report: CostReport): string {
  const rows = toRows(report, makePrintable);
  const heldRows = toHeldRows(report, makePrintable);
  return [
    `${describeSpending(report)}.`,
    ...(rows.length === 0 ? [] : [printTable(rows)]),
    ...(heldRows.length === 0 ? [] : [`${HELD_TITLE}:\n\n${printTable(heldRows)}`]),
    describeRest(report, { naming: makePrintable }).join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}
