import { type ProxyRecord, proxyTypes } from "../../client/index.ts";
import { readBalance } from "../account/balance.ts";
import type { Listing } from "../account/listing.ts";
import { findOtherSpending } from "../evidence/other-spending.ts";
import { spentSince } from "../evidence/watch.ts";
import type { OrderWatchParts } from "../evidence/watch-orders.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../ports.ts";
import { findProxy } from "../proxies/address.ts";
import {
  bySending,
  costOf,
  type Intent,
  isPlaced,
  isSameAccount,
  namesOf,
  ofType,
  sentBetween,
} from "../records/intent.ts";
import { formatMoney, subtractMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { explainDoubt, judgeCharge } from "./charge.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** What it takes to stop the buying of a run. */
interface StoppingParts {
  log: Pick<Log, "warn">;
  spendLimit: Pick<SpendLimit, "stop">;
}

/** What it takes to weigh what a killed run was charged. */
export interface RecoveryWeighingParts
  extends StoppingParts,
    Pick<OrderWatchParts, "service" | "clock" | "balance"> {
  listing: Pick<Listing, "complete">;
  journal: Pick<Journal, "readAll">;
}

/** What purchases that were recovered have cost. */
export interface RecoveredCharges {
  /** What each was charged, by its id, if it is known not to be the price. */
  charges: ReadonlyMap<string, number>;
  /** Tells people, and stops the buying of the run if there is reason to. */
  tell(): Promise<void>;
}

/** What was found out of the charge of a purchase. */
type Weighed =
  /** Nothing is to be told. */
  | { kind: "asConfirmed" }
  /** It can't be told, and why. */
  | { kind: "hidden"; reason: string }
  /** More than was confirmed. */
  | { kind: "above"; charged: number };

/**
 * Weighs what purchases that killed runs have left were charged. The document shows no price in the listing, so the balance is
 * all the evidence: what it has fallen by since, beside what other purchases of the journal have cost. Time has passed since
 * then. So a fall below the price tells nothing, because somebody may have paid in, and one above it counts only if nothing
 * else is listed that may explain it. Such a charge stops the buying of the run, as that of an own purchase does.
 *
 * Call it in the turn, write down what it finds, and then `tell`.
 */
export async function weighRecovered(
  parts: RecoveryWeighingParts,
  placed: readonly Intent[],
): Promise<RecoveredCharges> {
  const balance = placed.length === 0 ? undefined : await readBalance(parts).catch(() => undefined);
  if (balance === undefined) return { charges: new Map(), tell: async () => undefined };
  const all = await parts.journal.readAll();
  const others = all.filter(({ id }) => !placed.some((one) => one.id === id));
  const known = [...others];
  const above: Intent[] = [];
  const hidden: string[] = [];
  // The last one first: what it has cost is gone from the balance for those before it.
  for (const intent of placed.toSorted(bySending).toReversed()) {
    const weighed = await weighOne(parts, intent, known, balance);
    const charged = weighed.kind === "above" ? weighed.charged : undefined;
    const placedNow: Intent = { ...intent, phase: "placed", charged };
    known.push(placedNow);
    if (weighed.kind === "above") above.push(placedNow);
    else if (weighed.kind === "hidden") hidden.push(describeHidden(intent, weighed.reason));
  }
  const tell = async () => {
    for (const line of hidden) parts.log.warn(line);
    for (const intent of above) await stopOver(parts, intent);
  };
  const charges = new Map(above.map((intent) => [intent.id, costOf(intent)]));
  return { charges, tell };
}

/**
 * To be called where a run takes over what an earlier one has paid and its state lacks, before anything is bought beside it. That
 * it was charged more than was confirmed may have been found out by another process, as by the preview of the same command, which
 * can't stop this one. The run stops then, and no run after it: whatever else it fails to do, it saves what it has taken over.
 */
export async function stopIfOvercharged(
  parts: StoppingParts & { journal: Pick<Journal, "isOfThisRun" | "hasEnded"> },
  intent: Intent,
): Promise<void> {
  const { journal } = parts;
  if (costOf(intent) <= intent.price || (await journal.isOfThisRun(intent))) return;
  if (!(await journal.hasEnded(intent))) await stopOver(parts, intent);
}

async function stopOver({ log, spendLimit }: StoppingParts, intent: Intent): Promise<void> {
  const charged = formatMoney(costOf(intent), intent.currency);
  const doubt = `${describeConfirmed(intent)}, and the balance has fallen by ${charged} since; either the price changed, or somebody else has bought`;
  const isNew = await spendLimit.stop(explainDoubt(doubt, "a purchase of an earlier run"));
  if (isNew) log.warn(`${doubt}. It is recorded; nothing more is bought in this run`);
}

/** @param known the other purchases of the journal, with those of this weighing that were sent later */
async function weighOne(
  parts: RecoveryWeighingParts,
  intent: Intent,
  known: readonly Intent[],
  balance: number,
): Promise<Weighed> {
  const before = subtractMoney(intent.balanceBefore, spentSince(known, intent));
  const charge = judgeCharge(before, balance, intent.price);
  switch (charge.kind) {
    case "asConfirmed":
    case "notTold":
      return { kind: "asConfirmed" };
    case "hidden":
      return { kind: "hidden", reason: NOT_FALLEN };
    case "differs": {
      if (charge.charged < intent.price) return { kind: "hidden", reason: NOT_FALLEN };
      const other = await findOther(parts, intent, known);
      return other === undefined
        ? { kind: "above", charged: charge.charged }
        : { kind: "hidden", reason: other };
    }
  }
}

const NOT_FALLEN = "the balance has not fallen by as much since";

/** What else may have been paid since, in words. */
async function findOther(
  { listing }: Pick<RecoveryWeighingParts, "listing">,
  intent: Intent,
  known: readonly Intent[],
): Promise<string | undefined> {
  const ofAccount = known.filter((other) => isSameAccount(other, intent));
  const open = ofAccount.find((other) => mayHaveCost(other) && bySending(other, intent) > 0);
  if (open) return `since then purchase ${open.id} was sent, and nobody knows what it has cost`;
  const { purchase } = intent;
  const paid = ofAccount.filter(isPlaced);
  const { earliest: since } = sentBetween(intent);
  for (const proxyType of proxyTypes) {
    const records = await listing.complete(proxyType).then(
      (whole) => whole.records,
      () => undefined,
    );
    if (records === undefined) return `the listing of ${proxyType} proxies could not be read`;
    const isItsType = proxyType === purchase.request.proxyType;
    const before = isItsType && purchase.kind === "order" ? purchase.ordersBefore : [];
    const knownOrders = new Set([...before, ...ofType(paid, proxyType).flatMap(namesOf)]);
    const own = (proxy: ProxyRecord) => isItsType && isOf(intent, proxy);
    const other = findOtherSpending(records, { since, knownOrders, own });
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Whether a purchase that is not known to be placed may have been charged. */
function mayHaveCost(intent: Intent): boolean {
  const { phase, closedBecause } = intent;
  if (isPlaced(intent)) return false;
  return phase !== "closed" || (closedBecause !== "rejected" && closedBecause !== "notPlaced");
}

/** Whether a purchase has bought a proxy of its type, or extended it. */
function isOf(intent: Intent, proxy: ProxyRecord): boolean {
  const { purchase } = intent;
  return purchase.kind === "order"
    ? namesOf(intent).includes(proxy.orderId)
    : purchase.proxiesBefore.some((before) => findProxy([proxy], before) !== undefined);
}

function describeHidden(intent: Intent, reason: string): string {
  return `${describeConfirmed(intent)}, and what was charged can't be told, because ${reason}. The price is recorded`;
}

function describeConfirmed({ id, owner, orderNumber, price, currency, purchase }: Intent): string {
  const what = purchase.kind === "order" ? `order ${orderNumber}` : `extension ${id}`;
  return `${what} of ${nameOf(owner)}: ${formatMoney(price, currency)} were confirmed`;
}
