import type { Command } from "commander";
import { CopyError } from "../../provider/core/journal/copy-error.ts";
import {
  assertCopyable,
  type CopyOutcome,
  copyJournal,
} from "../../provider/core/journal/copy-journal.ts";
import { messageOf } from "../../provider/core/values/message-of.ts";
import {
  describeLocation,
  type JournalLocation,
  parseJournalUrl,
} from "../../provider/journals/journal-url.ts";
import { nameLocation } from "../../provider/journals/location-name.ts";
import type { ServiceJournal } from "../../provider/journals/open-journal.ts";
import { DEFAULT_TABLE } from "../../provider/journals/postgres/postgres-place.ts";
import { CliError } from "../failure.ts";
import { quoteForShell, readGivenBaseUrl, withBaseUrl } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { probeLocation } from "./check.ts";
import { withJournals } from "./journals.ts";

interface CopyFlags {
  baseUrl?: string;
  json?: true;
}

/** What was copied. Also what `--json` prints. */
interface Copied {
  from: string;
  to: string;
  services: readonly (CopyOutcome & { service: string })[];
}

/** How often writers are set against each other in the new place. */
const ROUNDS = 5;

/** Adds `journal copy`. */
export function addCopyCommand(journal: Command, terminal: Terminal): void {
  withBaseUrl(journal.command("copy"), "only the journal of this service, by its URL")
    .description(
      "Moves the journals of all services to another place: copies them, reads back what it has written, and marks those that were left. Removes nothing",
    )
    .argument(
      "<from>",
      "file:///folder, s3://bucket/prefix, gs://bucket/prefix, azblob://container/prefix or postgres://user@host/database",
    )
    .argument("<to>", "another of these; it is checked first, as `journal check` does")
    .option("--json", "what was copied, as a document")
    .addHelpText(
      "after",
      "\nCredentials come from the environment, as the clouds' own tools take them. It refuses while a run that buys\nwith <from> goes on, and where <to> has another journal of a service. A copy that was cut off is completed by the\nnext one. Afterwards all machines must use <to>: a run that still names <from> buys nothing, and says where the journal\nis. To go back, copy it back, or take the mark away with `journal reopen`.\nExit codes: 0 where all is copied, or was before; 1 for anything else.",
    )
    .action((from: string, to: string, flags: CopyFlags) => copy(from, to, flags, terminal));
}

async function copy(
  fromUrl: string,
  toUrl: string,
  { json, ...flags }: CopyFlags,
  terminal: Terminal,
): Promise<void> {
  const from = readUrl(fromUrl, "copy from");
  const to = readUrl(toUrl, "copy to");
  if (nameLocation(from) === nameLocation(to)) {
    throw new CliError("both URLs name one place: give the one to copy from, and another one");
  }
  const copied = await copyAll(from, to, readGivenBaseUrl(flags)).catch((error: unknown) => {
    if (!(error instanceof CopyError && error.isTaken)) throw error;
    const service =
      flags.baseUrl === undefined ? "" : ` --base-url ${quoteForShell(flags.baseUrl)}`;
    const other = [fromUrl, nameBeside(toUrl)].map(quoteForShell).join(" ");
    throw new CliError(
      `${error.message}, for instance: npx pulumi-proxyrental journal copy ${other}${service}`,
    );
  });
  terminal.print(
    json
      ? JSON.stringify(copied, undefined, 2)
      : describeCopied(copied, toUrl) + describeEnvironment(to),
  );
}

function readUrl(given: string, what: string): JournalLocation {
  try {
    return parseJournalUrl(given);
  } catch (error) {
    throw new CliError(`what to ${what}: ${messageOf(error)}`);
  }
}

/** A place beside another one: the next folder, prefix or table. */
function nameBeside(given: string): string {
  const url = new URL(given);
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    const { searchParams } = url;
    searchParams.set("table", `${searchParams.get("table") ?? DEFAULT_TABLE}_2`);
  } else {
    const path = url.pathname.replace(/\/+$/, "");
    url.pathname = path === "" ? "/journal-2" : `${path}-2`;
  }
  return url.href;
}

async function copyAll(
  from: JournalLocation,
  to: JournalLocation,
  baseUrl: string | undefined,
): Promise<Copied> {
  const source = { location: from, place: describeLocation(from), baseUrl };
  const target = { location: to, place: describeLocation(to), baseUrl: undefined };
  return withJournals(source, async ({ all: journals }) => {
    await assertThere(journals, source.place);
    await assertFit(to);
    return withJournals(target, async ({ of }) => {
      // All of them before the first, so that what is refused is refused whole.
      for (const journal of journals) await assertCopyable(journal, of(journal.service));
      const services: Copied["services"][number][] = [];
      for (const journal of journals) {
        const { service } = journal;
        services.push({ service, ...(await copyJournal(journal, of(service))) });
      }
      return { from: source.place, to: target.place, services };
    });
  });
}

async function assertThere(journals: readonly ServiceJournal[], place: string): Promise<void> {
  for (const { documents, place: own } of journals) {
    const { value: names } = await documents.list("");
    if (names.length === 0) throw new CliError(`there is no journal in ${own}`);
  }
  if (journals.length === 0) throw new CliError(`there is no journal in ${place}`);
}

async function assertFit(location: JournalLocation): Promise<void> {
  const { place, findings } = await probeLocation(location, ROUNDS);
  const broken = findings.flatMap(({ need, trouble }) =>
    trouble === undefined ? [] : [`${need}: ${trouble}`],
  );
  if (broken.length === 0) return;
  throw new CliError(
    `${place} can't keep a journal (expected: ${broken.join("; expected: ")}), so nothing was copied`,
  );
}

/** What this machine's environment says of a place, another machine's may not. */
function describeEnvironment(to: JournalLocation): string {
  const name = nameLocation(to);
  if (name === nameLocation(to, {})) return "";
  return `\nThe environment of this machine says which place that is: ${name}. Say the same on all machines.`;
}

function describeCopied({ from, to, services }: Copied, toUrl: string): string {
  const rows = services.map(
    ({ service, purchases, wasThere }) =>
      `  ${service}: ${purchases} ${purchases === 1 ? "purchase" : "purchases"}${wasThere ? ", there before" : ""}`,
  );
  return [
    `Copied from ${from} to ${to}, and read back:`,
    ...rows,
    `All machines must use the new place from now on: pulumi config set proxyrental:journal ${quoteForShell(toUrl)}`,
    `Nothing was removed from ${from}. It is marked: a run that still names it buys nothing, and says where the journal is.`,
  ].join("\n");
}
