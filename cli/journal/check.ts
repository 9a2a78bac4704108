import { randomUUID } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { type Probe, probeStore } from "../../provider/core/journal/probe-store.ts";
import { type JournalLocation, parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { openLocation } from "../../provider/journals/open-documents.ts";
import { CliError } from "../failure.ts";
import { type PlaceFlags, readPlace, withJournal } from "../settings.ts";
import type { Terminal } from "../terminal.ts";

interface CheckFlags extends PlaceFlags {
  json?: true;
  rounds: number;
}

/** Exit code where a store is not fit. */
const UNFIT = 1;

/** Adds `journal check`. */
export function addCheckCommand(journal: Command, terminal: Terminal): void {
  withJournal(journal.command("check"))
    .description(
      "Tries whether a store can keep a journal: writes documents of its own, and takes them away again. Buys nothing",
    )
    .argument(
      "[url]",
      "file:///folder, s3://bucket/prefix, gs://bucket/prefix, azblob://container/prefix or postgres://user@host/database; without it, the place that is configured",
    )
    .option("--json", "what was found, as a document")
    .option("--rounds <count>", "how often writers are set against each other", readCount, 20)
    .addHelpText(
      "after",
      "\nCredentials come from the environment, as the cloud's own tools take them.\nExit codes: 0 where the store is fit; 1 where it is not, and for an error.",
    )
    .action((url: string | undefined, flags: CheckFlags) => checkStore(url, flags, terminal));
}

async function checkStore(
  url: string | undefined,
  { json, rounds, ...flags }: CheckFlags,
  terminal: Terminal,
): Promise<void> {
  const probe = await probeLocation(readLocation(url, flags, terminal), rounds);
  if (!probe.isFit) terminal.endWith(UNFIT);
  terminal.print(json ? JSON.stringify(probe, undefined, 2) : describeProbe(probe));
}

function readLocation(
  url: string | undefined,
  flags: PlaceFlags,
  terminal: Terminal,
): JournalLocation {
  if (url === undefined) return readPlace(flags, terminal).location;
  if (flags.journal === undefined && flags.journalDir === undefined) return parseJournalUrl(url);
  throw new CliError("the store to check is said twice: give its URL, --journal or --journal-dir");
}

/** Tries whether a journal can be kept in a place. */
export async function probeLocation(location: JournalLocation, rounds: number): Promise<Probe> {
  const store = await openLocation(location, machineTime);
  try {
    return await probeStore(store, machineTime, { id: randomUUID(), rounds });
  } finally {
    await store.close();
  }
}

function describeProbe({ place, isFit, findings, clockAheadMs, leftBehind }: Probe): string {
  const reason = findOneReason(findings);
  if (reason !== undefined)
    return `${place}:\n  FAILED  everything: ${reason}\nIt can't keep a journal.`;
  const lines = findings.map(({ need, trouble }) =>
    trouble === undefined ? `  ok      ${need}` : `  FAILED  ${need}: ${trouble}`,
  );
  const left =
    leftBehind.length === 0
      ? []
      : [`Could not be taken away again, and may be deleted: ${leftBehind.join(", ")}`];
  return [
    `${place}:`,
    ...lines,
    describeClock(clockAheadMs),
    ...left,
    isFit
      ? "It can keep a journal."
      : "It can't keep a journal: with it, two runs could buy the same at once.",
  ].join("\n");
}

/** Why nothing at all works, if there is one reason, as for a folder in which nobody may write. */
function findOneReason(findings: Probe["findings"]): string | undefined {
  const troubles = new Set(findings.map(({ trouble }) => trouble));
  return troubles.size === 1 ? [...troubles][0] : undefined;
}

/** Answers tell whole seconds, and take some time themselves. */
const UNREMARKABLE_MS = 2_000;

function describeClock(aheadMs: number): string {
  if (Math.abs(aheadMs) <= UNREMARKABLE_MS) return "Its clock and this machine's agree.";
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const direction = aheadMs > 0 ? "ahead of" : "behind";
  return `Its clock is ${seconds} s ${direction} this machine's, which does no harm: ages are told by the store's.`;
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1 to 9999.");
}
