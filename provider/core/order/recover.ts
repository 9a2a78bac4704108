import pLimit from "p-limit";
import type { OrderRequest } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { ProxyRentalError } from "../errors.ts";
import { groupOrders } from "../journal/evidence.ts";
import { type Intent, isAccepted, isOrderIntent, type OrderIntent } from "../journal/intent.ts";
import { planRecovery, type Recovery, sameKind } from "../journal/recovery.ts";
import { serviceTime } from "../listing.ts";
import { formatMoney } from "../money.ts";
import { adviseAdoption } from "./adopt.ts";
import { describeOrder } from "./args.ts";
import type { PaidOrder } from "./purchase-record.ts";
import { settleOrderIntents } from "./settle.ts";
import type { CheckedOrder } from "./state.ts";

/** How old the listing may be that shows whether an order is still there. */
const LISTING_MAX_AGE_MS = 30_000;

/** Finds what earlier runs have left unfinished that stands in the way of a purchase. */
export type Recoverer = (
  owner: string,
  request: OrderRequest,
  /** The purchase that the engine's state names already. */
  namedRequestId: string | undefined,
) => Promise<Recovery>;

/** Makes the recoverer of an account. One purchase asks at a time: what one finds out, the others read. */
export function createRecoverer(account: Account): Recoverer {
  const oneAtATime = pLimit(1);
  return (owner, request, namedRequestId) =>
    oneAtATime(async () => {
      const { journal } = account;
      const isLeft = (intent: Intent): intent is OrderIntent =>
        isOrderIntent(intent) &&
        intent.runId !== journal.runId &&
        intent.requestId !== namedRequestId;
      const isOwn = (intent: Intent) =>
        intent.owner === owner && intent.project === journal.project;
      const inTheWay = (intent: OrderIntent) =>
        isOwn(intent) || (!isAccepted(intent) && sameKind(intent, request));

      const left = (await journal.readOpen()).filter(isLeft).filter(inTheWay);
      if (left.length === 0) return { kind: "none" };
      const abandoned = new Set<string>();
      for (const intent of left) {
        if (!(await journal.isAlive(intent))) abandoned.add(intent.id);
        else if (isOwn(intent)) throw inProgress(intent);
      }
      await settleAbandoned(
        account,
        left.filter(({ id }) => abandoned.has(id)),
      );
      // What another resource's run is sending right now is not in the way: they take turns.
      const settled = (await journal.readOpen())
        .filter(isLeft)
        .filter(inTheWay)
        .filter(({ id, phase }) => abandoned.has(id) || phase === "unresolved");
      return decide(account, settled, isOwn, request);
    });
}

/** Finds out what became of purchases whose runs ended before they knew. */
async function settleAbandoned(account: Account, intents: readonly OrderIntent[]): Promise<void> {
  const { journal, log } = account;
  const byKind = Map.groupBy(
    intents.filter((intent) => !isAccepted(intent)),
    kindOf,
  );
  for (const [first, ...rest] of byKind.values()) {
    if (first === undefined) continue;
    log.info(
      `an earlier run may have bought ${describeOrder(first.purchase.request)} at ${first.sentAt}; looking at the account`,
    );
    const ids = [first, ...rest].map(({ id }) => id);
    await journal.withAccount(async () => {
      // Another run may have found out while this one waited for its turn.
      const open = (await journal.readOpen()).filter(isOrderIntent);
      const [still, ...others] = open.filter((one) => ids.includes(one.id) && !isAccepted(one));
      if (still) await settleTogether(account, [still, ...others]);
    });
  }
}

async function settleTogether(
  account: Account,
  intents: [OrderIntent, ...OrderIntent[]],
): Promise<void> {
  const { journal, listing, clock } = account;
  const snapshot = await listing.recent(intents[0].purchase.request.proxyType);
  const lastAnswerMs = Math.max(...intents.map((intent) => Date.parse(intent.answerBy)));
  const settlingMs = Math.max(0, lastAnswerMs - serviceTime(snapshot, clock).getTime());
  const verdict = await settleOrderIntents(account, intents, {
    settlingMs,
    deliveryMs: settlingMs,
  });
  const inTurn = intents.toSorted((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt));
  for (const [index, intent] of inTurn.entries()) {
    switch (verdict.kind) {
      case "adopted": {
        const orderNumber = verdict.orderIds[index] ?? "";
        await journal.change(intent, { phase: "accepted", orderNumber, orderIds: [orderNumber] });
        break;
      }
      case "notSent":
        await journal.change(intent, { phase: "closed", closedBecause: "notSent" });
        break;
      case "unresolved": {
        const { candidates, reason } = verdict;
        await journal.change(intent, { phase: "unresolved", candidates, remark: reason });
      }
    }
  }
}

/** Decides over what is known of the purchases that are in the way. */
async function decide(
  { journal, listing, clock }: Account,
  left: readonly OrderIntent[],
  isOwn: (intent: Intent) => boolean,
  request: OrderRequest,
): Promise<Recovery> {
  const unsettled = left.find((intent) => !isAccepted(intent));
  if (unsettled) return { kind: "stop", intent: unsettled, reason: unsettled.remark ?? "" };
  const own = left.filter(isOwn);
  if (own.length === 0) return { kind: "none" };
  const recoveries: Recovery[] = [];
  for (const intent of own) {
    const sighting = await listing.within(intent.purchase.request.proxyType, LISTING_MAX_AGE_MS);
    const recovery = planRecovery(intent, request, {
      listed: groupOrders(sighting.records),
      now: serviceTime(sighting, clock),
    });
    if (recovery.kind === "none") {
      await journal.change(intent, { phase: "closed", closedBecause: "expired" });
    } else recoveries.push(recovery);
  }
  const [first = { kind: "none" as const }, second] = recoveries;
  if (first.kind === "takeOver" && second && second.kind !== "none") {
    return { kind: "stop", intent: second.intent, reason: "it is not the only one" };
  }
  return first;
}

function kindOf({ purchase: { request } }: OrderIntent): string {
  return JSON.stringify([request.proxyType, request.country, request.quantity]);
}

/** Finds the order that the plan said would be taken over. */
export async function findTakenOver(
  { journal }: Account,
  { requestId }: CheckedOrder,
): Promise<PaidOrder> {
  const open = (await journal.readOpen()).filter(isOrderIntent);
  // Another checkout of the program gives its purchases the same names.
  const found = open.find(
    (intent) =>
      intent.requestId === requestId && intent.project === journal.project && isAccepted(intent),
  );
  if (found?.orderNumber !== undefined) return { ...found, orderNumber: found.orderNumber };
  throw new ProxyRentalError(
    "NOT_PLANNED",
    "the plan takes over an order that an earlier run has bought, and the journal knows of none any more. Nothing was bought. Run `pulumi preview` to plan anew.",
  );
}

function inProgress(intent: OrderIntent): ProxyRentalError {
  return new ProxyRentalError(
    "PURCHASE_IN_PROGRESS",
    `another run is buying ${describeOrder(intent.purchase.request)} for this resource, since ${intent.sentAt}. Nothing was bought by this one. Wait until it has ended, then run again.`,
  );
}

/** Says what stands in the way of a purchase, and every way out. */
export function explainStop(
  { intent, reason }: Extract<Recovery, { kind: "stop" }>,
  isTopUp: boolean,
): string {
  const { id, owner, price, currency, sentAt, orderNumber, candidates = [] } = intent;
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const happened =
    orderNumber === undefined
      ? `an earlier run may have bought ${what} for ${owner} (sent at ${sentAt}), and the account does not show whether it did: ${reason}${candidates.length === 0 ? "" : `; orders that may be it: ${candidates.join(", ")}`}`
      : `an earlier run has bought ${what} for this resource as order ${orderNumber} and did not finish: ${reason}`;
  const takeOver = adviseAdoption(orderNumber ?? candidates[0] ?? "NUMBER", isTopUp);
  return `${happened}. Nothing was bought now. Either ${takeOver}, or settle it in the journal: \`npx proxyrental journal resolve ${id}\``;
}
