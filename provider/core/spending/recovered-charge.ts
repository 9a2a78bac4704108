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
  type Intent,
  isPlaced,
  isSameAccount,
  namesOf,
  sentBetween,
} from "../records/intent.ts";
import { formatMoney, subtractMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { explainDoubt, judgeCharge } from "./charge.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** What it takes to weigh what a killed run was charged. */
export interface RecoveryWeighingParts
  extends Pick<OrderWatchParts, "service" | "clock" | "balance"> {
  listing: Pick<Listing, "complete">;
  journal: Pick<Journal, "readAll">;
  log: Pick<Log, "warn">;
  spendLimit: Pick<SpendLimit, "stop">;
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
  const charges = new Map<string, number>();
  const balance = placed.length === 0 ? undefined : await readBalance(parts).catch(() => undefined);
  if (balance === undefined) return { charges, tell: async () => undefined };
  const all = await parts.journal.readAll();
  const others = all.filter(({ id }) => !placed.some((one) => one.id === id));
  const known = [...others];
  const told: string[] = [];
  const doubts: string[] = [];
  // The last one first: what it has cost is gone from the balance for those before it.
  for (const intent of placed.toSorted(bySending).toReversed()) {
    const weighed = await weighOne(parts, intent, known, balance);
    const charged = weighed.kind === "above" ? weighed.charged : undefined;
    if (charged !== undefined) charges.set(intent.id, charged);
    known.push({ ...intent, phase: "placed", charged });
    const doubt = describeWeighed(weighed, intent);
    if (doubt === undefined) continue;
    if (charged === undefined) told.push(`${doubt}. The price is recorded`);
    else doubts.push(doubt);
  }
  const tell = async () => {
    for (const line of told) parts.log.warn(line);
    for (const doubt of doubts) {
      parts.log.warn(`${doubt}. It is recorded; nothing more is bought in this run`);
      await parts.spendLimit.stop(explainDoubt(doubt, "a purchase of an earlier run"));
    }
  };
  return { charges, tell };
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
  const before = purchase.kind === "order" ? purchase.ordersBefore : [];
  const knownOrders = new Set([...before, ...ofAccount.filter(isPlaced).flatMap(namesOf)]);
  const { earliest: since } = sentBetween(intent);
  for (const proxyType of proxyTypes) {
    const records = await listing.complete(proxyType).then(
      (whole) => whole.records,
      () => undefined,
    );
    if (records === undefined) return `the listing of ${proxyType} proxies could not be read`;
    const own = (proxy: ProxyRecord) => isOf(intent, proxy);
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

/** Whether a purchase has bought a proxy, or extended it. */
function isOf(intent: Intent, proxy: ProxyRecord): boolean {
  const { purchase } = intent;
  return purchase.kind === "order"
    ? namesOf(intent).includes(proxy.orderId)
    : purchase.proxiesBefore.some((before) => findProxy([proxy], before) !== undefined);
}

function describeWeighed(weighed: Weighed, intent: Intent): string | undefined {
  const { id, owner, orderNumber, price, currency, purchase } = intent;
  const what = purchase.kind === "order" ? `order ${orderNumber}` : `extension ${id}`;
  const confirmed = `${what} of ${nameOf(owner)}: ${formatMoney(price, currency)} were confirmed`;
  switch (weighed.kind) {
    case "asConfirmed":
      return undefined;
    case "hidden":
      return `${confirmed}, and what was charged can't be told, because ${weighed.reason}`;
    case "above":
      return `${confirmed}, and the balance has fallen by ${formatMoney(weighed.charged, currency)} since; either the price changed, or somebody else has bought`;
  }
}
