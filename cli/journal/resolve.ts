import type { Command } from "commander";
import {
  changeIntent,
  type Intent,
  type IntentChange,
  isDone,
  isOrderIntent,
  isPlaced,
  namesOf,
  ofType,
} from "../../provider/core/records/intent.ts";
import { formatMoney } from "../../provider/core/values/money.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { CliError } from "../failure.ts";
import { parsePurchaseId } from "../flag-values.ts";
import { type PlaceFlags, readPlace, repeatFlags, withPlace } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import {
  describeIntent,
  describePurchase,
  explainPhase,
  mayBeReleased,
  orUntil,
  PAYS_THE_REST,
  releasingCommand,
  resolvingCommands,
} from "./intent-words.ts";
import {
  type Entry,
  findEntry,
  findWaitingEnd,
  isUnderWay,
  readEntries,
  withJournals,
} from "./journals.ts";

interface ResolveFlags extends PlaceFlags {
  order?: string;
  closed?: true;
  released?: true;
}

const WAYS =
  "--order NUMBER says that the account holds it under that number, --closed that it was not placed or is accounted for elsewhere, --released that its order is paid and no longer this resource's";

/** Adds `journal resolve`. */
export function addResolveCommand(journal: Command, terminal: Terminal): void {
  withPlace(journal.command("resolve"))
    .description("Records what became of a purchase, if you know it. Asks nobody, and buys nothing")
    .argument("<id>", "its id, or how it begins", parsePurchaseId)
    .option("--order <number>", "you found it in the account: the next `pulumi up` takes it over")
    .option("--closed", "it was not placed, or is accounted for: the next `pulumi up` may buy it")
    .option(
      "--released",
      "its order was given away, or taken out of the state: the next `pulumi up` may buy another",
    )
    .addHelpText(
      "after",
      "\nWithout one of these it shows the purchase and the commands to copy.\nExit codes: 0 when it is resolved; 1 for anything else.",
    )
    .action((id: string, flags: ResolveFlags) => resolvePurchase(id, flags, terminal));
}

async function resolvePurchase(id: string, flags: ResolveFlags, terminal: Terminal): Promise<void> {
  const { order, closed, released } = flags;
  const told = [order, closed, released].filter((way) => way !== undefined);
  if (told.length > 1) {
    throw new CliError(`give one of --order, --closed and --released: ${WAYS}`);
  }
  await withJournals(readPlace(flags, terminal), async (journals) =>
    settle(await findEntry(journals, id), flags, terminal),
  );
}

async function settle(entry: Entry, flags: ResolveFlags, terminal: Terminal): Promise<void> {
  const { order, closed, released } = flags;
  const { intent } = entry;
  const underWay = await isUnderWay(entry);
  const isTold = (order ?? closed ?? released) !== undefined;
  if (!isTold) terminal.print(`${describeIntent(intent, underWay)}\n`);
  if (released) assertReleasable(intent, underWay);
  else assertSettleable(intent, underWay, repeatFlags(flags));
  if (underWay) throw goesOn(intent, await findWaitingEnd(entry));
  if (released) assertPaid(intent);
  if (!isTold) throw new CliError(explainChoice(intent, flags));
  if (released) terminal.print(await release(entry));
  else terminal.print(order === undefined ? await close(entry) : await accept(entry, order.trim()));
}

/** Records that the order is paid, and that its resource no longer has it: somebody else has, or nobody. */
async function release(entry: Entry): Promise<string> {
  const remark = "released with `journal resolve`";
  await write(entry, { phase: "closed", closedBecause: "released", remark });
  const { id, owner, orderNumber } = entry.intent;
  return `Purchase ${id} is released: order ${orderNumber} stops no purchase any more, and stays in the account until it ends. A \`pulumi up\` of ${nameOf(owner)} whose state does not have it may buy ${describePurchase(entry.intent)} again, for about ${formatMoney(entry.intent.price, entry.intent.currency)}; look at its preview.`;
}

/** Records that the purchase no longer concerns the resource. */
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

/** Records that it is this order, so that a run that wants it does not buy it. A wrong number can be corrected. */
async function accept(entry: Entry, orderNumber: string): Promise<string> {
  await assertMayBe(entry, orderNumber);
  const { id, owner, orderNumber: before } = entry.intent;
  if (before === orderNumber) return `Purchase ${id} is order ${orderNumber} already.`;
  const remark = `found by hand, with \`journal resolve --order ${orderNumber}\`${before === undefined ? "" : `; it was order ${before} before`}`;
  await write(entry, { phase: "placed", orderNumber, orderIds: [], remark });
  return `Purchase ${id} is order ${orderNumber} now. The next \`pulumi up\` takes it over for ${nameOf(owner)} and buys nothing, if it is listed and is what the program asks for (${describePurchase(entry.intent)}).`;
}

/** What `journal resolve ID` alone says. Errors of a run tell people to type it. */
function explainChoice(intent: Intent, flags: PlaceFlags): string {
  return `say what became of purchase ${intent.id}:\n${resolvingCommands(intent, repeatFlags(flags))}`;
}

function assertSettleable(intent: Intent, underWay: boolean, flags: string): void {
  if (isDone(intent)) {
    const way = mayBeReleased(intent) ? `. ${releasingCommand(intent, flags)}` : "";
    throw new CliError(
      `there is nothing to resolve about purchase ${intent.id}: ${explainPhase(intent, underWay)}${way}`,
    );
  }
}

/** Throws if nobody can say that a paid order is no longer its resource's. */
function assertReleasable(intent: Intent, underWay: boolean): void {
  const { id, phase } = intent;
  if (!isOrderIntent(intent)) {
    throw new CliError(`purchase ${id} extends proxies: there is no order to release`);
  }
  if (phase === "closed") {
    throw new CliError(
      `there is nothing to release about purchase ${id}: ${explainPhase(intent, underWay)}`,
    );
  }
}

/** Throws if nobody knows whether it is paid. */
function assertPaid(intent: Intent): void {
  if (mayBeReleased(intent)) return;
  throw new CliError(
    `--released is for an order that is paid, and nobody knows whether purchase ${intent.id} was placed: resolve it with --order or --closed`,
  );
}

function goesOn({ id }: Intent, until: string | undefined): CliError {
  return new CliError(
    `the run that sent purchase ${id} goes on; wait until it has ended${orUntil(until)}, then resolve what it leaves`,
  );
}

/** Throws if the order can't be the purchase, as far as the journal knows. */
async function assertMayBe({ intent, journal }: Entry, number: string): Promise<void> {
  if (!isOrderIntent(intent)) {
    throw new CliError(
      `purchase ${intent.id} extends proxies and has no order number; resolve it with --closed`,
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
  const others = (await readEntries(journal, true)).map((other) => other.intent);
  return ofType(others, intent.purchase.request.proxyType).find(
    (other) => other.id !== intent.id && isPlaced(other) && namesOf(other).includes(number),
  );
}

/** Compare-and-set: if a run was first, its change is kept. The run that has sent it may only stand still, and not have sent it yet. */
async function write({ intent, journal }: Entry, change: IntentChange): Promise<void> {
  await journal.locks.stopRun(intent.runId);
  await journal.store.replace(changeIntent(intent, change, machineTime.now()));
}
