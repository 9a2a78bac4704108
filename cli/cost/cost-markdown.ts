import { printMarkdownTable, quoteName, type Row } from "../table.ts";
import { describeRest, describeSpending, toRows } from "./cost-words.ts";
import { HELD_TITLE, toHeldRows } from "./held-words.ts";
import type { CostReport } from "./report.ts";

/** What a comment says besides the costs. */
export interface CommentText {
  /** The line by which the comment is found again. */
  tag: string;
  /** Sentences about exceeded limits. */
  excesses: readonly string[];
  /** The most that the comment's place takes, in UTF-16 units. @default any length */
  maxLength?: number;
  /** Takes secrets out of a text: a comment does not pass the terminal. */
  redact(text: string): string;
}

/** How much of the rows and of the names is shown. What is not shown is counted. */
interface Cut {
  rows: number;
  names: number;
}

const all = Number.POSITIVE_INFINITY;

/** The titles of columns that hold amounts. */
const amounts = /^(PAID|BASE|PROPOSED|DIFFERENCE)/;

/** How many names a line lists if the comment would be too long even without any row. */
const nameLimits = [all, 100, 10, 0];

/** What plans cost, as the comment of a pull request. If that is too long, rows are left out first, then names. */
export function describeCostInMarkdown(report: CostReport, text: CommentText): string {
  const { maxLength = all } = text;
  const rows = toRows(report, quoteName);
  const write = (cut: Cut) => text.redact(writeComment(report, rows, text, cut));
  const whole = write({ rows: all, names: all });
  if (whole.length <= maxLength) return whole;
  const names =
    nameLimits.find((limit) => write({ rows: 0, names: limit }).length <= maxLength) ?? 0;
  return write({
    rows: findMost(rows.length, (count) => write({ rows: count, names }).length <= maxLength),
    names,
  });
}

/** The largest count for which this holds; 0 if it holds for none. What holds for a count holds for each smaller one. */
function findMost(count: number, holds: (count: number) => boolean): number {
  let [most, tooMany] = [0, count + 1];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (holds(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}

function writeComment(
  report: CostReport,
  rows: readonly Row[],
  { tag, excesses }: CommentText,
  cut: Cut,
): string {
  const shown = rows.slice(0, cut.rows);
  const heldRows = toHeldRows(report, quoteName, cut.names);
  return [
    tag,
    `### ${describeSpending(report)}`,
    ...excesses.map((excess) => `**${excess}**`),
    printMarkdownTable(shown, amounts),
    describeMissing(rows.length - shown.length, shown.length),
    heldRows.length === 0 ? "" : `${HELD_TITLE}:\n\n${printMarkdownTable(heldRows, amounts)}`,
    describeRest(report, { naming: quoteName, nameLimit: cut.names })
      .map((line) => `- ${line}`)
      .join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function describeMissing(missing: number, shown: number): string {
  if (missing === 0) return "";
  const resources = missing === 1 ? "resource" : "resources";
  return shown === 0 ? `${missing} ${resources}` : `… and ${missing} more ${resources}`;
}
