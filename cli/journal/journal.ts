import type { Command } from "commander";
import { costOf, isDone } from "../../provider/core/records/intent.ts";
import { mayBePaid } from "../../provider/core/spending/budget.ts";
import { formatMoney } from "../../provider/core/values/money.ts";
import { nameOf, stackNameOf } from "../../provider/core/values/owner.ts";
import type { ServiceJournals } from "../../provider/journals/open-journal.ts";
import { parsePurchaseId } from "../flag-values.ts";
import { type PlaceFlags, readPlace, repeatFlags, withPlace } from "../settings.ts";
import { printTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { addCheckCommand } from "./check.ts";
import { addCopyCommand } from "./copy.ts";
import {
  candidatesOf,
  describeIntent,
  describePurchase,
  explainNextSteps,
  formatTime,
  inScopes,
  isInDoubt,
} from "./intent-words.ts";
import {
  type Entry,
  findEntry,
  findWaitingEnd,
  isUnderWay,
  LOOK_ELSEWHERE,
  nameAllPlaces,
  readEntries,
  withJournals,
} from "./journals.ts";
import { explainMark, findMark } from "./moved.ts";
import { addReopenCommand } from "./reopen.ts";
import { addResolveCommand } from "./resolve.ts";

/** Exit code of a list with a purchase that may or may not have been placed. */
const IN_DOUBT = 2;

interface ListFlags extends PlaceFlags {
  all?: true;
  json?: true;
}

interface ShowFlags extends PlaceFlags {
  json?: true;
}

/** Adds `journal list`, `journal show`, `journal resolve`, `journal check`, `journal copy` and `journal reopen`. */
export function addJournalCommands(program: Command, terminal: Terminal): void {
  const journal = program
    .command("journal")
    .description(
      "What was bought, or may have been, as it was written down. Needs no API key; without a base URL the journals of all services are meant",
    );
  withPlace(journal.command("list"))
    .description("Purchases about which something remains to be done")
    .option("--all", "those that are done too")
    .option("--json", "the documents as they are kept, each with its service, stack and cost")
    .addHelpText(
      "after",
      `\nExit codes: 0; ${IN_DOUBT} where nobody knows of a listed purchase whether it was placed (unknown,\nor sending by a run that has ended); 1 for an error.`,
    )
    .action((flags: ListFlags) => listPurchases(flags, terminal));
  withPlace(journal.command("show"))
    .description("All that is known of a purchase, and what you can do")
    .argument("<id>", "its id, or how it begins", parsePurchaseId)
    .option("--json", "the document as it is kept, with its service, stack and cost")
    .addHelpText("after", "\nExit codes: 0; 1 for an error.")
    .action((id: string, flags: ShowFlags) => showPurchase(id, flags, terminal));
  addResolveCommand(journal, terminal);
  addCheckCommand(journal, terminal);
  addCopyCommand(journal, terminal);
  addReopenCommand(journal, terminal);
}

/** A purchase as it is kept, with what whoever keeps books asks for. It has a cost if it is known to be paid. */
function toBooked({ intent, journal: { service } }: Entry) {
  const isKnown = intent.phase !== "sending" && intent.phase !== "unknown";
  const cost = isKnown && mayBePaid(intent) ? { cost: costOf(intent) } : {};
  return { ...intent, service, stack: stackNameOf(intent.owner), ...cost };
}

async function listPurchases(flags: ListFlags, terminal: Terminal): Promise<void> {
  await withJournals(readPlace(flags, terminal), (journals) => list(journals, flags, terminal));
}

async function list(
  journals: ServiceJournals,
  flags: ListFlags,
  terminal: Terminal,
): Promise<void> {
  const { all } = journals;
  const read = await Promise.all(all.map((one) => readEntries(one, flags.all === true)));
  const entries = read.flat();
  const underWay = await findUnderWay(entries);
  const inDoubt = entries.filter((entry) => isInDoubt(entry.intent, underWay.has(entry)));
  if (inDoubt.length > 0) terminal.endWith(IN_DOUBT);
  for (const journal of all) {
    const mark = await findMark(journal);
    // What is read by programs is a document and nothing else.
    if (mark !== undefined) terminal.writeError(`warning: ${explainMark(mark)}\n`);
  }

  if (flags.json) {
    terminal.print(JSON.stringify(entries.map(toBooked), undefined, 2));
    return;
  }
  if (entries.length === 0) {
    const where = nameAllPlaces(journals);
    const sequences = await Promise.all(all.map(({ store }) => store.nextSequence()));
    // Its name may be misspelled.
    const isUnused = sequences.every((next) => next === 1);
    const never = isUnused ? `; none was ever written to it. ${LOOK_ELSEWHERE}` : "";
    terminal.print(
      `The journal in ${where} holds no ${flags.all ? "" : "open "}purchases${never}.`,
    );
    return;
  }
  for (const [index, { service }] of all.entries()) {
    const own = read[index] ?? [];
    if (own.length === 0) continue;
    if (all.length > 1) terminal.print(`${service}:`);
    terminal.print(`${printTable(own.map(({ intent }) => toRow(intent)))}\n`);
  }
  terminal.print(concludeList(entries, inDoubt.length, repeatFlags(flags)));
}

/** Whether a run goes on matters only for a purchase without an answer, and to ask may take seconds. */
async function findUnderWay(entries: readonly Entry[]): Promise<ReadonlySet<Entry>> {
  const sending = entries.filter(({ intent }) => intent.phase === "sending");
  const alive = await Promise.all(sending.map(isUnderWay));
  return new Set(sending.filter((_, index) => alive[index]));
}

function toRow(intent: Entry["intent"]) {
  return {
    ID: intent.id,
    PHASE: intent.phase,
    WHAT: describePurchase(intent),
    PRICE: formatMoney(costOf(intent), intent.currency),
    FOR: nameOf(intent.owner),
    STACK: inScopes(stackNameOf(intent.owner), intent),
    "SENT AT": formatTime(intent.sentAt),
    ORDER: intent.orderNumber ?? "",
    "MAY BE ORDER": candidatesOf(intent).join(", "),
  };
}

function concludeList(entries: readonly Entry[], inDoubt: number, flags: string): string {
  const open = entries.filter(({ intent }) => !isDone(intent));
  if (open.length === 0) return "Nothing remains to be done about any of them.";
  if (open.every(({ intent }) => intent.phase === "returned")) {
    return "Each is paid, and the engine was told. There is nothing to do: the next run of its stack sees whether the state has it.";
  }
  const doubt =
    inDoubt === 0
      ? ""
      : `Nobody knows yet whether ${inDoubt === 1 ? "one of them was" : `${inDoubt} of them were`} placed. `;
  return `${doubt}What you can do about a purchase: npx pulumi-proxyrental journal show ID${flags}`;
}

async function showPurchase(id: string, flags: ShowFlags, terminal: Terminal): Promise<void> {
  await withJournals(readPlace(flags, terminal), async (journals) => {
    const entry = await findEntry(journals, id);
    const { intent } = entry;
    if (flags.json) {
      terminal.print(JSON.stringify(toBooked(entry), undefined, 2));
      return;
    }
    const underWay = await isUnderWay(entry);
    const until = underWay ? await findWaitingEnd(entry) : undefined;
    const steps = explainNextSteps(intent, underWay, repeatFlags(flags), until);
    terminal.print(`${describeIntent(intent, underWay)}\n\n${steps}`);
  });
}
