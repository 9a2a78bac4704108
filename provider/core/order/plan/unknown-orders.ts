import type { OrderRequest } from "../../../client/index.ts";
import { isSoonDeclared } from "../../account/declaring.ts";
import { type Listing, readConsistent } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { Account } from "../../account.ts";
import { groupOrders, type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { findUnnamed } from "../../evidence/naming.ts";
import type { Journal } from "../../journal/journal.ts";
import {
  type Intent,
  isOrderIntent,
  isPlaced,
  isSameAccount,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import { describeHeld } from "../model/args.ts";
import { adviseAdoption } from "../model/ways-out.ts";

/** How old the listing may be. */
const LISTING_MAX_AGE_MS = 30_000;

const MINUTE_MS = 60_000;

/**
 * Looks for a new order that is like the planned one, and that neither this process nor the journal knows. It may be
 * this very order, bought by a run that was killed on another machine. Returns why the purchase must not go on, or
 * undefined.
 */
export async function findUnknownOrder(
  account: Account,
  request: OrderRequest,
  isTopUp: boolean,
): Promise<string | undefined> {
  const { listing, journal, registry, settings } = account;
  const { lookBackMinutes, foreignOrders } = settings;
  if (lookBackMinutes === 0) return undefined;
  const snapshot = await readConsistent(listing, request.proxyType, LISTING_MAX_AGE_MS);
  const now = await listing.time(request.proxyType, snapshot);
  const since = new Date(now.getTime() - lookBackMinutes * MINUTE_MS);
  const met = registry.names(request.proxyType);
  const alike = (await findInPages(listing, request, snapshot, since)).filter(
    ({ orderId }) => !foreignOrders.has(orderId) && !met.has(orderId),
  );
  if (alike.length === 0) return undefined;
  const { all, intents, underWay } = await readPurchases(journal);
  const claimed = new Set(ofType(all, request.proxyType).flatMap(namesOf));
  // A paid order may be listed under a name that nobody was told.
  const renamed = findUnnamed(intents, request, groupOrders(snapshot.records)).filter(isPlaced);
  const unknown = withoutExpected(
    alike.filter(({ orderId }) => !claimed.has(orderId)),
    [...underWay, ...renamed],
  );
  if (unknown.length === 0) return undefined;
  // Another resource of the program may soon declare that it takes the order over.
  const stillUnknown = () => unknown.filter(({ orderId }) => !met.has(orderId));
  const isKnown = await isSoonDeclared(account, () => stillUnknown().length === 0);
  return isKnown ? undefined : explain(stillUnknown(), request, lookBackMinutes, isTopUp);
}

/**
 * A row may slip from page to page while another takes its place at the end: then one listing lacks it, and nothing
 * contradicts it. So what was read in pages is read twice, and what either shows is there.
 */
async function findInPages(
  listing: Pick<Listing, "another">,
  request: OrderRequest,
  snapshot: Snapshot,
  since: Date,
): Promise<ListedOrder[]> {
  const { proxyType } = request;
  const others = snapshot.pages > 1 ? [await listing.another(proxyType, snapshot)] : [];
  const found = [snapshot, ...others].flatMap(({ records }) =>
    findAlike(groupOrders(records), request, since),
  );
  return [...new Map(found.map((order) => [order.orderId, order])).values()];
}

/** Listed orders that began since then and could not be told from this one. Without a date they may have. */
export function findAlike(
  listed: readonly ListedOrder[],
  { country, quantity }: Pick<OrderRequest, "country" | "quantity">,
  since: Date,
): ListedOrder[] {
  return listed.filter(
    (order) =>
      order.country === country &&
      order.count === quantity &&
      (order.startedAt === undefined || order.startedAt >= since),
  );
}

interface KnownPurchases {
  all: readonly Intent[];
  /** Those of this account. */
  intents: readonly Intent[];
  /** Those that a living run has sent, and whose answers have not come yet. */
  underWay: readonly OrderIntent[];
}

/**
 * Reads the journal, and asks which senders live. One that ends meanwhile has written down what it found out, so then the
 * journal is read again.
 */
async function readPurchases(
  journal: Pick<Journal, "readAll" | "accountId" | "isUnderWay">,
): Promise<KnownPurchases> {
  const ofAccount = { account: await journal.accountId() };
  const gone = new Set<string>();
  for (;;) {
    const all = await journal.readAll();
    const intents = all.filter((intent) => isSameAccount(intent, ofAccount));
    const sent = intents
      .filter(isOrderIntent)
      .filter(({ id, phase }) => phase === "sending" && !gone.has(id));
    const alive = await Promise.all(sent.map((intent) => journal.isUnderWay(intent)));
    const left = sent.filter((_, index) => !alive[index]);
    if (left.length === 0) return { all, intents, underWay: sent };
    for (const { id } of left) gone.add(id);
  }
}

/** Leaves out one order for each of these purchases, which may have become it. Its sender finds out. */
function withoutExpected(
  orders: readonly ListedOrder[],
  expected: readonly OrderIntent[],
): ListedOrder[] {
  return expected.reduce<ListedOrder[]>(
    (rest, intent) => {
      const [own] = matchOrders(intent, rest, new Set()).whole;
      return rest.filter((order) => order !== own);
    },
    [...orders],
  );
}

function explain(
  unknown: readonly ListedOrder[],
  request: OrderRequest,
  lookBackMinutes: number,
  isTopUp: boolean,
): string {
  const found = unknown
    .map(({ orderId, startedAt }) => `${orderId} (since ${startedAt?.toISOString() ?? "?"})`)
    .join(", ");
  const [only, another] = unknown;
  // If there are several, none is advised: it may be somebody else's.
  const takeOver =
    another === undefined
      ? adviseAdoption(only?.orderId ?? "", isTopUp)
      : `find out which of them it is, and ${adviseAdoption("ITS NUMBER", isTopUp)}`;
  const ids = unknown.map(({ orderId }) => orderId).join(",");
  return `the account holds ${describeHeld(request)}, ordered within the last ${lookBackMinutes} minutes, of which neither this stack nor this journal knows: order ${found}. It may be this purchase, made by a run that was cut off. Nothing was bought. If it is, ${takeOver}; if it is in the state already, run with --refresh; if it is somebody else's, list it in proxyrental:foreignOrders (PROXYRENTAL_FOREIGN_ORDERS=${ids}); if it is that of another resource, which waits for an order of another number, do the same and take it over there (adoptOrderNumber)`;
}
