import type { Command } from "commander";
import { type PlaceFlags, withPlace } from "../settings.ts";
import type { Terminal } from "../terminal.ts";

/** The flags of `doctor`. */
export interface DoctorFlags extends PlaceFlags {
  json?: true;
  /** Files of `pulumi stack export`. */
  state?: string[];
  /** A new folder. */
  record?: string;
}

/** Adds `doctor`. What it needs is loaded when it runs, so that other commands start as fast as before. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withPlace(program.command("doctor"))
    .description(
      "Is everything right here, and does the service behave as this package believes? Spends nothing",
    )
    .option("--json", "what was found, as a document")
    .option(
      "--state <files...>",
      "also looks for orders that none of these has: files of `pulumi stack export`; - for standard input",
    )
    .option(
      "--record <folder>",
      "keeps what was answered in a new folder, without key, logins, passwords and addresses, for `simulator --like`; also asks for prices",
    )
    .addHelpText(
      "after",
      "\nThe key of the account comes from PROXYRENTAL_API_KEY. Only calls that read and calculate are made.\nExit codes: 0 where all is well; 2 where somebody should look at something; 1 where something does not work.",
    )
    .action(async (flags: DoctorFlags) => {
      const { examine } = await import("./examination.ts");
      await examine(flags, terminal);
    });
}
