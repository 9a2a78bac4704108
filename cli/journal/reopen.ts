import type { Command } from "commander";
import { CliError } from "../failure.ts";
import { type PlaceFlags, readPlace, withPlace } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { nameAllPlaces, withJournals } from "./journals.ts";
import { findMark } from "./moved.ts";

/** Adds `journal reopen`. */
export function addReopenCommand(journal: Command, terminal: Terminal): void {
  withPlace(journal.command("reopen"))
    .description(
      "Takes away the mark that `journal copy` has left: runs may buy with this journal again. Buys nothing",
    )
    .addHelpText(
      "after",
      "\nFor a copy that is lost, or that nobody has used: what was bought with it is not here. To go back with all that\nwas bought, copy it back (`journal copy`).\nExit codes: 0; 1 where nothing is marked, and for an error.",
    )
    .action((flags: PlaceFlags) => reopen(flags, terminal));
}

async function reopen(flags: PlaceFlags, terminal: Terminal): Promise<void> {
  await withJournals(readPlace(flags, terminal), async (journals) => {
    const marked = (await Promise.all(journals.all.map(findMark))).filter(
      (one) => one !== undefined,
    );
    if (marked.length === 0) {
      throw new CliError(`no journal in ${nameAllPlaces(journals)} is marked as moved`);
    }
    for (const { journal, url } of marked) {
      await journal.store.reopen();
      terminal.print(
        `Runs may buy with the journal in ${journal.place} again. What was bought with ${url} is not in it: let no run use that one.`,
      );
    }
  });
}
