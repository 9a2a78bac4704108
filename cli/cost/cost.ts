import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { describeCost, describeCostInMarkdown, describeExcess } from "./cost-words.ts";
import { type Cost, calculateCost, isAbove } from "./planned-cost.ts";
import { EXPECTED, readPreviewFile } from "./preview-file.ts";

/** Exit code if a plan may spend more than it should. */
const ABOVE_LIMIT = 2;

interface CostFlags {
  failAbove?: number;
  markdown?: true;
  json?: true;
}

/** Adds `cost`. */
export function addCostCommand(program: Command, terminal: Terminal): void {
  program
    .command("cost")
    .description("What a preview would buy, for how much, and what that leaves. Asks nobody")
    .usage("[options] <preview>")
    .argument("[preview]", "what `pulumi preview --json` wrote; - for standard input")
    .option("--fail-above <amount>", "the most that the run may spend", parseAmount)
    .option("--markdown", "for the comment of a pull request")
    .addOption(new Option("--json", "as an object").conflicts("markdown"))
    .addHelpText(
      "after",
      `\nNeeds neither key nor service. With \`pulumi preview --json --show-sames\` the figures per 30 days count what\ndoes not change too. A price that is not known counts as its maxPrice, and without one as above any limit.\nExit codes: 0; ${ABOVE_LIMIT} where the run may spend more than --fail-above; 1 for an error, also where the preview failed.`,
    )
    .action((file: string | undefined, flags: CostFlags) => showCost(file, flags, terminal));
}

async function showCost(
  file: string | undefined,
  { failAbove, markdown, json }: CostFlags,
  terminal: Terminal,
): Promise<void> {
  if (file === undefined) throw new CliError(`no preview was given: ${EXPECTED}`);
  const cost = calculateCost(await readPreviewFile(file));
  const describe = json ? toJson : markdown ? describeCostInMarkdown : describeCost;
  terminal.print(describe(cost));
  if (failAbove === undefined || !isAbove(cost, failAbove)) return;
  terminal.writeError(`${describeExcess(cost, failAbove)}\n`);
  terminal.endWith(ABOVE_LIMIT);
}

function toJson(cost: Cost): string {
  return JSON.stringify(cost, undefined, 2);
}

function parseAmount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) {
    throw new InvalidArgumentError("Give an amount in account currency, for instance 50 or 49.90.");
  }
  return Number(text);
}
