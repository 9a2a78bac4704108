import type { Command } from "commander";
import { proxyTypes } from "../../provider/client/index.ts";
import { readAccount, withClient } from "../account.ts";
import { CliError } from "../failure.ts";
import { formatTime } from "../journal/intent-words.ts";
import { readIntents } from "../journal/journals.ts";
import { keysOfListed } from "../listed-order.ts";
import { type Access, type PlaceFlags, readAccess, withPlace } from "../settings.ts";
import {
  describeWaiting,
  EXPECTED,
  findAccounted,
  type KnownOrder,
  readAllKnownOrders,
} from "../state-file.ts";
import { printTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { describeNote, findInJournal, findOrphans, type Orphan } from "./orphan.ts";

/** Exit code if there are orders that no state knows. */
const ORPHANS_FOUND = 2;

interface OrphansFlags extends PlaceFlags {
  json?: true;
}

/** Adds `orphans`. */
export function addOrphansCommand(program: Command, terminal: Terminal): void {
  withPlace(program.command("orphans"))
    .description("Orders of the account that are in none of the given states, and have not ended")
    .usage("[options] <state...>")
    .argument("[state...]", "files of `pulumi stack export`, one a stack; - for standard input")
    .option("--json", "as an array of objects")
    .addHelpText(
      "after",
      `\nThe key of the account comes from PROXYRENTAL_API_KEY. Orders that have ended, and those named in\nPROXYRENTAL_FOREIGN_ORDERS, are left out.\nExit codes: 0 where there are none; ${ORPHANS_FOUND} where there are some; 1 for an error.`,
    )
    .action((files: string[], flags: OrphansFlags) => listOrphans(files, flags, terminal));
}

async function listOrphans(
  files: readonly string[],
  flags: OrphansFlags,
  terminal: Terminal,
): Promise<void> {
  const access = readAccess(flags, terminal);
  if (files.length === 0) {
    throw new CliError(`no state was given: ${EXPECTED}, one for each stack of the account`);
  }
  const known = await readAllKnownOrders(files);
  const { orphans, listed, waiting } = await lookAtAccount(access, known);
  if (orphans.length > 0) terminal.endWith(ORPHANS_FOUND);
  if (flags.json) {
    terminal.print(JSON.stringify(orphans, undefined, 2));
    return;
  }
  const texts = [describeOrphans(orphans, listed), waiting];
  terminal.print(texts.filter((text) => text !== "").join("\n\n"));
}

/** Reads all that the account holds, once, and what the journal knows of it. Spends nothing. */
async function lookAtAccount(access: Access, known: readonly KnownOrder[]) {
  const isAccounted = findAccounted(known, access.foreignOrders);
  const intents = await readIntents(access);
  const listings = await withClient(access, (client) => readAccount(client, proxyTypes));
  const orphans = listings.flatMap(({ proxyType, records, now }) =>
    findOrphans(proxyType, records, isAccounted, now),
  );
  return {
    orphans: orphans.map((orphan) => ({
      ...orphan,
      journal: findInJournal(orphan, intents),
    })),
    listed: keysOfListed(listings).size,
    waiting: describeWaiting(known, listings),
  };
}

function describeOrphans(orphans: readonly Orphan[], listed: number): string {
  const [first] = orphans;
  if (first === undefined) {
    return listed === 0
      ? "The account holds no orders."
      : `No orphans: the account holds ${listed} ${listed === 1 ? "order" : "orders"}, and every one that has not ended is accounted for.`;
  }
  const renewing = orphans.filter((orphan) => orphan.renewing > 0);
  const ids = renewing.map((orphan) => orphan.orderId).join(", ");
  return [
    `In none of these states: ${orphans.length} of the ${listed} orders that the account holds.`,
    "",
    printTable(orphans.map(toRow)),
    "",
    ...(renewing.length === 0
      ? []
      : [
          `Renewing: ${ids}. That goes on costing money until auto-extension is switched off: take the order over, or switch it off with an IpAutoExtend of its proxies and autoExtend: false.`,
        ]),
    `What you can do: take an order over in the program it belongs to (adoptOrderNumber: "${first.orderId}"), or let it run out if it does not renew. If the journal has it as placed or returned, the next \`pulumi up\` of its resource takes it over. An order of another stack is known when that stack's state is given too.`,
  ].join("\n");
}

function toRow({ orderId, proxyType, country, count, since, until, ...orphan }: Orphan) {
  return {
    ORDER: orderId,
    TYPE: proxyType,
    COUNTRY: country,
    COUNT: String(count),
    SINCE: since === undefined ? "?" : formatTime(since),
    UNTIL: until === undefined ? "?" : formatTime(until),
    RENEWS: describeRenewal(orphan, count),
    JOURNAL: orphan.journal === undefined ? "unknown" : describeNote(orphan.journal),
  };
}

function describeRenewal(
  { renewing, renewsEveryDays }: Pick<Orphan, "renewing" | "renewsEveryDays">,
  count: number,
): string {
  if (renewing === 0) return "no";
  const part = renewing === count ? "" : `${renewing} of ${count}, `;
  return `YES, ${part}every ${renewsEveryDays.join(" or ")} days`;
}
