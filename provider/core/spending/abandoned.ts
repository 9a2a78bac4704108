import { type Listing, serviceTime } from "../account/listing.ts";
import type { ExtensionFinding } from "../evidence/judge-extension.ts";
import type { OrderFinding } from "../evidence/judge-orders.ts";
import { settlingLeft } from "../evidence/watch.ts";
import { watchExtension } from "../evidence/watch-extension.ts";
import { type OrderWatchParts, watchOrders } from "../evidence/watch-orders.ts";
import type { Journal } from "../journal/journal.ts";
import type { HeldLock, Log } from "../ports.ts";
import { describeProxies } from "../proxies/proxy-args.ts";
import {
  bySending,
  type ExtensionIntent,
  type Intent,
  isExtensionIntent,
  isOrderIntent,
  isSameAccount,
  type OrderIntent,
} from "../records/intent.ts";
import { nameOf } from "../values/owner.ts";
import { weighRecovered } from "./recovered-charge.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** What it takes to look at the account, and to write down what became of a purchase. */
export interface JudgingParts extends OrderWatchParts {
  journal: Pick<
    Journal,
    "readAll" | "conclude" | "change" | "note" | "now" | "accountId" | "isUnderWay" | "runId"
  >;
  listing: Pick<Listing, "complete" | "partial">;
  log: Pick<Log, "info" | "warn">;
  spendLimit: Pick<SpendLimit, "stop">;
}

/**
 * Finds out, and writes down, what became of the purchases that killed runs have sent from this account, whoever they
 * were for. So two purchases are never in flight at once, and what each has cost can be told apart. Gives whether there
 * was one: then the account has changed, and time has passed. Call it in the turn, right before a purchase of one's own.
 *
 * Left as they are: what was sent with another API key, since this account can't tell; and what an earlier look could
 * not decide, since the recovery of its resource looks again.
 * @param known what the journal holds in this turn.
 */
export type JudgeAbandoned = (
  known: readonly Intent[],
  turn: Pick<HeldLock, "keep">,
) => Promise<boolean>;

/** Makes the judge of an account. */
export function createAbandonedJudge(parts: JudgingParts): JudgeAbandoned {
  return async (known, turn) => {
    const abandoned = await findAbandoned(parts.journal, known);
    const orders = Map.groupBy(abandoned.filter(isOrderIntent), kindOf);
    for (const [first, ...rest] of orders.values()) {
      if (first === undefined) continue;
      announce(parts, first);
      await judgeOrdersInTurn(parts, [first, ...rest], turn);
    }
    for (const extension of abandoned.filter(isExtensionIntent)) {
      announce(parts, extension);
      await judgeExtensionInTurn(parts, extension, turn);
    }
    return abandoned.length > 0;
  };
}

/** Whoever has the turn is alone: what another run is still sending by then, it has left, for all that is written down. */
async function findAbandoned(
  journal: JudgingParts["journal"],
  known: readonly Intent[],
): Promise<Intent[]> {
  const sent = known.filter(({ phase, runId }) => phase === "sending" && runId !== journal.runId);
  if (sent.length === 0) return [];
  const own = { account: await journal.accountId() };
  const abandoned: Intent[] = [];
  for (const intent of sent.filter((one) => isSameAccount(one, own)).toSorted(bySending)) {
    // Its run may be about to write its answer down.
    if (!(await journal.isUnderWay(intent))) abandoned.push(intent);
  }
  return abandoned;
}

/** Orders of one kind are judged together: each of them may be what the account shows. */
export function kindOf({ purchase: { request } }: OrderIntent): string {
  return JSON.stringify([request.proxyType, request.country, request.quantity]);
}

function announce({ log }: Pick<JudgingParts, "log">, intent: Intent): void {
  const { id, owner, sentAt, purchase } = intent;
  const { proxyType } = purchase.request;
  const what =
    purchase.kind === "order"
      ? describeProxies(purchase.request.quantity, proxyType)
      : `an extension of ${describeProxies(purchase.request.ipAddressIds.length, proxyType)}`;
  log.info(
    `an earlier run may have bought ${what} for ${nameOf(owner)} at ${sentAt} (purchase ${id}); looking at the account until its answer can't come any more, before anything else is bought`,
  );
}

/** Judges orders of one kind, and writes down what became of them. */
export async function judgeOrdersInTurn(
  parts: JudgingParts,
  intents: readonly [OrderIntent, ...OrderIntent[]],
  turn: Pick<HeldLock, "keep">,
): Promise<void> {
  const { journal, listing, clock, log } = parts;
  const snapshot = await listing.complete(intents[0].purchase.request.proxyType);
  const settlingMs = settlingLeft(intents, serviceTime(snapshot, clock), journal.now());
  const patience = { settlingMs, deliveryMs: settlingMs };
  const finding = await watchOrders(parts, intents, patience, turn);
  const sent = intents.toSorted(bySending);
  const orderIds = finding.kind === "placed" ? finding.orderIds : [];
  const placed = orderIds.flatMap((orderNumber, index) => {
    const intent = sent[index];
    return intent ? [{ ...intent, orderNumber, orderIds: [orderNumber] }] : [];
  });
  const { charges, tell } = await weighRecovered(parts, placed);
  // What was seen after the turn was lost may be another one's doing.
  await turn.keep();
  log.info(explainFinding(finding));
  // With the answer to one of several, the others are to be judged anew.
  const write = sent.length === 1 ? journal.conclude : journal.change;
  for (const [index, intent] of sent.entries()) {
    switch (finding.kind) {
      case "placed": {
        const orderNumber = finding.orderIds[index] ?? "";
        const charged = charges.get(intent.id);
        const known = { orderNumber, orderIds: [orderNumber], charged };
        await write(intent, { phase: "placed", ...known });
        break;
      }
      case "notPlaced":
        await write(intent, { phase: "closed", closedBecause: "notPlaced" });
        break;
      case "unknown": {
        const { candidates, hasTraces, reason } = finding;
        const remark = reason;
        await write(intent, { phase: "unknown", candidates, hasTraces, remark });
      }
    }
  }
  await tell();
}

/** Says what was looked for so long. */
function explainFinding(finding: OrderFinding): string {
  switch (finding.kind) {
    case "placed":
      return `that earlier run has bought order ${finding.orderIds.join(" and order ")}`;
    case "notPlaced":
      return "that earlier run has bought nothing";
    case "unknown":
      return `nobody can tell what that earlier run has bought: ${finding.reason}`;
  }
}

function explainExtensionFinding(finding: ExtensionFinding, { id }: ExtensionIntent): string {
  switch (finding.kind) {
    case "placed":
      return "that earlier run has paid for it";
    case "notPlaced":
      return "that earlier run has paid nothing";
    case "unknown":
      return `nobody can tell whether that earlier run has paid: ${finding.reason}; \`npx pulumi-proxyrental journal show ${id}\` says what you can do`;
  }
}

/** The same for an extension. */
export async function judgeExtensionInTurn(
  parts: JudgingParts,
  intent: ExtensionIntent,
  turn: Pick<HeldLock, "keep">,
): Promise<void> {
  const { journal, listing, clock, log } = parts;
  const snapshot = await listing.complete(intent.purchase.request.proxyType);
  const settlingMs = settlingLeft([intent], serviceTime(snapshot, clock), journal.now());
  const patience = { settlingMs, deliveryMs: settlingMs };
  const finding = await watchExtension(parts, intent, patience, turn);
  const placed = finding.kind === "placed" ? [intent] : [];
  const { charges, tell } = await weighRecovered(parts, placed);
  await turn.keep();
  log.info(explainExtensionFinding(finding, intent));
  switch (finding.kind) {
    case "placed":
      await journal.conclude(intent, { phase: "placed", charged: charges.get(intent.id) });
      break;
    case "notPlaced":
      await journal.conclude(intent, { phase: "closed", closedBecause: "notPlaced" });
      break;
    case "unknown": {
      const { hasTraces, reason } = finding;
      await journal.conclude(intent, { phase: "unknown", hasTraces, remark: reason });
    }
  }
  await tell();
}
