import { Command, CommanderError } from "commander";
import { withoutPasswords } from "../provider/core/values/without-passwords.ts";
import { assertSupportedNode } from "../provider/host/node-version.ts";
import { packageVersion } from "../provider/host/plugin/version.ts";
import { addSimulatorCommand } from "../simulator/command.ts";
import { addAdoptCommand } from "./adopt/adopt.ts";
import { addCheckCommand } from "./check/check.ts";
import { addCostCommand } from "./cost/cost.ts";
import { addDoctorCommand } from "./doctor/doctor.ts";
import { explainFailure } from "./failure.ts";
import { addForecastCommand } from "./forecast/forecast.ts";
import { addJournalCommands } from "./journal/journal.ts";
import { addOrphansCommand } from "./orphans/orphans.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Carries out a command line, without the names of Node.js and of the script. Whatever fails is one sentence at the
 * terminal.
 * @returns the exit code if the command ended early; otherwise the command has told the terminal its own
 */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
): Promise<number | undefined> {
  try {
    // Else a missing feature fails in the middle of a command.
    assertSupportedNode(process.versions.node);
    await createProgram(terminal).parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    // It has told the terminal already.
    if (error instanceof CommanderError) return error.exitCode;
    terminal.writeError(`error: ${withoutPasswords(explainFailure(error))}\n`);
    return 1;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command("pulumi-proxyrental")
    .description("Looks after what the provider of this package buys; buys nothing itself")
    .version(packageVersion)
    .exitOverride()
    // As the command's own help says it.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .configureOutput({
      writeOut: terminal.write,
      writeErr: terminal.writeError,
      outputError: (text, write) => write(withoutPasswords(withoutGiven(text))),
    });
  addDoctorCommand(program, terminal);
  addJournalCommands(program, terminal);
  addOrphansCommand(program, terminal);
  addAdoptCommand(program, terminal);
  addCostCommand(program, terminal);
  addForecastCommand(program, terminal);
  addCheckCommand(program, terminal);
  addSimulatorCommand(program);
  return program;
}

/** What was given where nothing of its kind is taken may be a key, or a part of a password. */
function withoutGiven(complaint: string): string {
  return complaint
    .replace(/(unknown option '[^=']+)=.*'/s, "$1'")
    .replace(/(but got \d+): .*/s, "$1.\n")
    .replace(/(unknown command) '[\w-]*[^\w'-].*'/s, "$1");
}
