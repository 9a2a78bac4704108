#!/usr/bin/env node
import { Command } from "commander";
import { packageVersion } from "../provider/host/plugin/version.ts";
import { addSimulatorCommand } from "../simulator/command.ts";
import { addAdoptCommand } from "./adopt.ts";
import { addCostCommand } from "./cost.ts";
import { explainFailure } from "./failure.ts";
import { addJournalCommands } from "./journal.ts";
import { addOrphansCommand } from "./orphans.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal();

const program = new Command("pulumi-proxyrental")
  .description("Looks after what the provider of this package buys; buys nothing itself")
  .version(packageVersion)
  .configureOutput({
    writeOut: terminal.write,
    writeErr: terminal.writeError,
    // A value for a flag that does not exist may be a key.
    outputError: (text, write) => write(text.replace(/(unknown option '[^=']+)=.*'/s, "$1'")),
  });

addJournalCommands(program, terminal);
addOrphansCommand(program, terminal);
addAdoptCommand(program, terminal);
addCostCommand(program, terminal);
addSimulatorCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  program.error(`error: ${explainFailure(error)}`);
}
