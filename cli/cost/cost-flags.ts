import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../failure.ts";
import { parseFileName } from "../flag-values.ts";
import { type Behavior, behaviors } from "./comment/behavior.ts";
import { parseTagName } from "./comment/tag.ts";
import { forges } from "./comment/target.ts";
import type { Limits } from "./guardrails.ts";

/** The flags of `cost`. */
export interface CostFlags extends Limits {
  preview?: string[];
  base?: string[];
  markdown?: true;
  json?: true;
  focus?: string;
  comment?: (typeof forges)[number];
  behavior?: Behavior;
  tag?: string;
  skipNoDiff?: true;
  repo?: string;
  pullRequest?: number;
}

/** Adds the flags that name previews. */
export function withPreviews(command: Command): Command {
  return command
    .argument("[preview]", "what `pulumi preview --json` wrote; - for standard input")
    .option("--preview <file>", "one more preview, of another stack (repeatable)", collect)
    .option(
      "--base <file>",
      "a preview of the base branch, matched by stack (repeatable)",
      collect,
    );
}

/** Adds the limits. */
export function withLimits(command: Command): Command {
  return command
    .option("--fail-above <amount>", "the most that the run may spend", parseAmount)
    .option(
      "--fail-above-percent <percent>",
      "by how much what is held per 30 days may grow",
      parsePercent,
    )
    .option("--fail-above-monthly <amount>", "the most that may be held per 30 days", parseAmount);
}

/** Adds the forms of the output. */
export function withOutput(command: Command): Command {
  return command
    .option(
      "--focus <file>",
      "write the priced purchases as CSV in FOCUS 1.2 into this file",
      parseFileName,
    )
    .option("--markdown", "for the comment of a pull request")
    .addOption(new Option("--json", "as an object").conflicts("markdown"));
}

/** Adds the flags of the comment. */
export function withComment(command: Command): Command {
  return command
    .addOption(new Option("--comment <where>", "post it on the pull request").choices(forges))
    .option(
      "--behavior <what>",
      `what becomes of the earlier comment: ${behaviors.join(", ")} (default: update)`,
      parseBehavior,
    )
    .option("--tag <name>", "tells several comments of one pull request apart", parseTagName)
    .option("--skip-no-diff", "no new comment where nothing changes")
    .option("--repo <name>", "OWNER/NAME, or GitLab's project [GITHUB_REPOSITORY, CI_PROJECT_ID]")
    .option(
      "--pull-request <number>",
      "or merge request [GITHUB_REF, GITHUB_EVENT_PATH, CI_MERGE_REQUEST_IID]",
      parseNumber,
    );
}

/** Refuses flags that would do nothing. */
export function assertTogether(flags: CostFlags): void {
  if (flags.comment !== undefined) return;
  const { behavior, skipNoDiff, repo, pullRequest } = flags;
  const given = Object.entries({
    ...{ "--behavior": behavior, "--skip-no-diff": skipNoDiff },
    ...{ "--repo": repo, "--pull-request": pullRequest },
  }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new CliError(
    `${given[0]} says how a comment is posted: give --comment github or --comment gitlab with it`,
  );
}

function collect(file: string, earlier: string[] = []): string[] {
  if (file === "")
    throw new InvalidArgumentError("Give the name of a file, or - for standard input.");
  return [...earlier, file];
}

function parseAmount(text: string): number {
  return parseDecimal(text, "Give an amount in account currency, for instance 50 or 49.90.");
}

function parsePercent(text: string): number {
  return parseDecimal(text, "Give per cent without the sign, for instance 10 or 12.5.");
}

function parseDecimal(text: string, advice: string): number {
  if (!/^\d{1,15}(\.\d{1,15})?$/.test(text)) throw new InvalidArgumentError(advice);
  return Number(text);
}

function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError("Give the number of the pull request, for instance 7.");
  }
  return Number(text);
}

/** Infracost calls `replace` `delete-and-new`. */
function parseBehavior(text: string): Behavior {
  const behavior = behaviors.find(
    (name) => name === (text === "delete-and-new" ? "replace" : text),
  );
  if (behavior !== undefined) return behavior;
  throw new InvalidArgumentError(`Give ${behaviors.join(", ")} (or delete-and-new for replace).`);
}
