import { type Command, InvalidArgumentError, Option } from "commander";
import type { Limits } from "./guardrails.ts";

/** The flags of `cost`. */
export interface CostFlags extends Limits {
  preview?: string[];
  base?: string[];
  markdown?: true;
  json?: true;
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
    .option("--markdown", "for the comment of a pull request")
    .addOption(new Option("--json", "as an object").conflicts("markdown"));
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
