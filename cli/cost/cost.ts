import { resolve } from "node:path";
import type { Command } from "commander";
import { CliError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { writeTag } from "./comment/tag.ts";
import { readTarget } from "./comment/target.ts";
import {
  assertTogether,
  type CostFlags,
  withComment,
  withLimits,
  withOutput,
  withPreviews,
} from "./cost-flags.ts";
import { describeCostInJson } from "./cost-json.ts";
import { type CommentText, describeCostInMarkdown } from "./cost-markdown.ts";
import { describeCost } from "./cost-text.ts";
import { findExcesses } from "./guardrails.ts";
import { readPreviews } from "./previews.ts";
import { createRedaction } from "./redact.ts";
import { type CostReport, createReport } from "./report.ts";

/** Exit code if a plan may spend more than it should. */
const ABOVE_LIMIT = 2;

/** Adds `cost`. */
export function addCostCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("cost")
    .description("What previews would buy, for how much, and what that leaves. Asks no service")
    .usage("[options] <preview>");
  withComment(withOutput(withLimits(withPreviews(command))))
    .addHelpText(
      "after",
      `\nNeeds neither key nor service. With \`pulumi preview --json --show-sames\` the figures per 30 days count what\ndoes not change too. A price that is not known counts as its maxPrice, and without one as above any limit.\nA limit holds for all given stacks together. --comment asks GitHub with GITHUB_TOKEN, GitLab with GITLAB_TOKEN or\nCI_JOB_TOKEN, and nobody else.\nExit codes: 0; ${ABOVE_LIMIT} where a limit is exceeded, or may be; 1 for an error, also where a preview failed.`,
    )
    .action((file: string | undefined, flags: CostFlags) => showCost(file, flags, terminal));
}

async function showCost(
  file: string | undefined,
  flags: CostFlags,
  terminal: Terminal,
): Promise<void> {
  const { comment, behavior = "update", preview = [], base = [] } = flags;
  assertTogether(flags);
  // What is missing is said before anything is read.
  const target =
    comment && (await readTarget({ ...flags, comment, behavior }, terminal.environment));
  const files = [...(file === undefined ? [] : [file]), ...preview];
  assertKeepsPreviews(flags, [...files, ...base]);
  const report = createReport(await readPreviews(files, base));
  const excesses = findExcesses(report, flags);
  const redact = createRedaction(terminal.environment);
  const text: CommentText = { tag: writeTag(flags.tag), excesses, redact };
  terminal.print(redact(describeReport(report, flags, text)));
  // The limits are told before anything else can fail.
  for (const excess of excesses) terminal.writeError(`${excess}\n`);
  if (excesses.length > 0) terminal.endWith(ABOVE_LIMIT);
  if (flags.focus !== undefined) {
    const { saveFocus } = await import("./focus.ts");
    terminal.writeError(redact(`${await saveFocus(flags.focus, report, redact)}\n`));
  }
  if (!target) return;
  const { postComment } = await import("./comment/comment.ts");
  const isSkipped = flags.skipNoDiff === true && report.isUnchanged;
  const write = (maxLength: number) => describeCostInMarkdown(report, { ...text, maxLength });
  const posting = { tag: text.tag, behavior, isSkipped, write };
  terminal.writeError(`${await postComment(target, posting, terminal)}\n`);
}

function describeReport(report: CostReport, flags: CostFlags, text: CommentText): string {
  if (flags.json) return describeCostInJson(report);
  return flags.markdown ? describeCostInMarkdown(report, text) : describeCost(report);
}

function assertKeepsPreviews({ focus }: CostFlags, previews: readonly string[]): void {
  if (focus === undefined || !previews.some((file) => resolve(file) === resolve(focus))) return;
  throw new CliError(`--focus ${focus} would write over a preview: name another file`);
}
