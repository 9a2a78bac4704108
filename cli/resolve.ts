import type { Command } from "commander";
import {
  changeIntent,
  type Intent,
  type IntentChange,
  isAccepted,
  isDone,
  isOrderIntent,
} from "../provider/core/journal/intent.ts";
import { formatMoney } from "../provider/core/money.ts";
import { nameOf } from "../provider/core/owner.ts";
import { systemClock } from "../provider/host/system.ts";
import { CliError } from "./failure.ts";
import {
  describeIntent,
  describePurchase,
  explainPhase,
  PAYS_THE_REST,
  settlingCommands,
} from "./intent-words.ts";
import { type Entry, findEntry, isUnderWay, readEntries } from "./journals.ts";
import { type PlaceFlags, readPlace, repeatFlags, withPlace } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

interface ResolveFlags extends PlaceFlags {
  order?: string;
  closed?: true;
}

const WAYS =
  "--order NUMBER says that the account holds it under that number, --closed that it was not placed or is accounted for elsewhere";

/** Adds `journal resolve`. */
export function addResolveCommand(journal: Command, terminal: Terminal): void {
  withPlace(journal.command("resolve"))
    .description(
      "Settles a purchase of which you know what became. Looks at nothing, and buys nothing",
    )
    .argument("<id>", "its id, or how it begins")
    .option("--order <number>", "you found it in the account: the next `pulumi up` takes it over")
    .option("--closed", "it was not placed, or is accounted for: the next `pulumi up` may buy it")
    .addHelpText(
      "after",
      "\nWithout --order or --closed it shows the purchase and both commands to copy.\nExit codes: 0 when it is settled; 1 for anything else.",
    )
    .action((id: string, flags: ResolveFlags) => resolvePurchase(id, flags, terminal));
}

async function resolvePurchase(id: string, flags: ResolveFlags, terminal: Terminal): Promise<void> {
  const { order, closed } = flags;
  if (order !== undefined && closed) {
    throw new CliError(`give --order or --closed, not both: ${WAYS}`);
  }
  const entry = await findEntry(readPlace(flags, terminal), id);
  const { intent } = entry;
  const underWay = await isUnderWay(entry);
  const isTold = order !== undefined || closed === true;
  if (!isTold) terminal.print(`${describeIntent(intent, underWay)}\n`);
  assertSettleable(intent, underWay);
  if (!isTold) throw new CliError(explainChoice(intent, flags));
  terminal.print(order === undefined ? await close(entry) : await accept(entry, order.trim()));
}

/** Nothing of it concerns the resource any more. */
async function close(entry: Entry): Promise<string> {
  const remark = "closed with `journal resolve`";
  await write(entry, { phase: "closed", closedBecause: "resolved", remark });
  const { id, owner, price, currency, orderNumber } = entry.intent;
  if (!isOrderIntent(entry.intent)) {
    return `Purchase ${id} is closed. The next \`pulumi up\` of ${nameOf(owner)} ${PAYS_THE_REST}; look at its preview.`;
  }
  const paid =
    orderNumber === undefined
      ? ""
      : ` Order ${orderNumber} stays in the account until it ends; adoptOrderNumber: "${orderNumber}" takes it over.`;
  return `Purchase ${id} is closed. The next \`pulumi up\` of ${nameOf(owner)} may buy ${describePurchase(entry.intent)} again, for about ${formatMoney(price, currency)}; look at its preview.${paid}`;
}

/** It is this order, so a run that wants what was bought need not buy it. A wrong number can be put right. */
async function accept(entry: Entry, orderNumber: string): Promise<string> {
  await assertMayBe(entry, orderNumber);
  const { id, owner, orderNumber: before } = entry.intent;
  if (before === orderNumber) return `Purchase ${id} is order ${orderNumber} already.`;
  const remark = `found by hand, with \`journal resolve --order ${orderNumber}\`${before === undefined ? "" : `; it was order ${before} before`}`;
  await write(entry, { phase: "accepted", orderNumber, orderIds: [], remark });
  return `Purchase ${id} is order ${orderNumber} now. The next \`pulumi up\` takes it over for ${nameOf(owner)} and buys nothing, if it is listed and is what the program asks for (${describePurchase(entry.intent)}).`;
}

/** What `journal resolve ID` comes to, as errors of a run tell people to type it. */
function explainChoice(intent: Intent, flags: PlaceFlags): string {
  return `say what became of purchase ${intent.id}:\n${settlingCommands(intent, repeatFlags(flags))}`;
}

function assertSettleable(intent: Intent, underWay: boolean): void {
  if (isDone(intent)) {
    throw new CliError(
      `there is nothing to settle about purchase ${intent.id}: ${explainPhase(intent, underWay)}`,
    );
  }
  if (underWay) {
    throw new CliError(
      `the run that sent purchase ${intent.id} goes on; wait until it has ended, then settle what it leaves`,
    );
  }
}

/** Throws where the order can't be the purchase, as far as the journal knows. */
async function assertMayBe({ intent, journal }: Entry, number: string): Promise<void> {
  if (!isOrderIntent(intent)) {
    throw new CliError(
      `purchase ${intent.id} extends proxies and has no order number; settle it with --closed`,
    );
  }
  if (!/^\S+$/.test(number)) {
    throw new CliError(
      `--order "${number}" is not accepted: give the number of one order of the account`,
    );
  }
  if (intent.purchase.ordersBefore.includes(number)) {
    throw new CliError(
      `order ${number} was in the account before purchase ${intent.id} was sent, so it is another one`,
    );
  }
  const rival = await findRival(intent, number, journal);
  if (rival) {
    throw new CliError(
      `order ${number} is purchase ${rival.id} already, for ${nameOf(rival.owner)} (${rival.phase}); two resources can't own one order`,
    );
  }
}

async function findRival(
  intent: Intent,
  number: string,
  journal: Entry["journal"],
): Promise<Intent | undefined> {
  const others = await readEntries(journal, true);
  return others
    .map((other) => other.intent)
    .find(
      ({ id, phase, orderNumber, orderIds = [] }) =>
        id !== intent.id && isAccepted({ phase }) && [orderNumber, ...orderIds].includes(number),
    );
}

/** Compare-and-set: a run that came first is not written over. */
async function write({ intent, journal }: Entry, change: IntentChange): Promise<void> {
  await journal.store.replace(changeIntent(intent, change, systemClock.now()));
}
