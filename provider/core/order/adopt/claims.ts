import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { findByMoment } from "../../journal/known-purchases.ts";
import type { Heirs } from "../../journal/state-knowledge.ts";
import { addressOf } from "../../proxies/address.ts";
import {
  type Heir,
  heirOf,
  holdersOf,
  isForgotten,
  isFormer,
  letGoByOthers,
} from "../../records/hand-over.ts";
import {
  type Holder,
  type Intent,
  isOfScope,
  isOrderIntent,
  isPlaced,
  type NamesOfType,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import { isMove, nameOf, withoutScope } from "../../values/owner.ts";
import { listedNamesOf } from "../model/names.ts";
import type { Receipt } from "../model/receipt.ts";
import type { OrderState } from "../model/state.ts";
import { describeScope } from "../model/ways-out.ts";

/** A resource of a stack. One of its name in a stack of another scope, or of none, is another one. */
export interface ScopedOwner {
  owner: string;
  /** See `proxyrental:journalScope`. */
  scope: string;
}

/**
 * Finds the purchase by which another resource bought an order, by this journal, if that was neither deleted nor given
 * away since. The journal does not tell whether that resource still owns the order.
 * @param order by every name that it is known by
 */
export function findOtherBuyer(
  intents: readonly Intent[],
  self: ScopedOwner,
  { proxyType, names }: NamesOfType,
): OrderIntent | undefined {
  return ofType(intents, proxyType)
    .filter(isOrderIntent)
    .filter((intent) => isPlaced(intent) && !isBoughtBy(intent, self))
    .find((intent) => namesOf(intent).some((name) => name !== "" && names.includes(name)));
}

/** Whether a purchase is one of this very resource. */
export function isBoughtBy(intent: Intent, { owner, scope }: ScopedOwner): boolean {
  return intent.owner === owner && isOfScope(intent, scope);
}

/** Whether a purchase is one of this stack before it moved to the other host. */
export function isMovedTo(intent: Intent, { owner, scope }: ScopedOwner): boolean {
  return isMove(owner, intent.owner) && isOfScope(intent, scope);
}

/** Who has bought an order, for people. */
export function describeBuyer(intent: Intent, { owner }: ScopedOwner): string {
  const scope = intent.owner === owner ? `, ${describeScope(intent)}` : "";
  return `${nameOf(intent.owner)} (${intent.owner}${scope})`;
}

/** Why an order of a state goes on, although that state has it no more. */
export interface Claim {
  /** Who goes on with it. */
  owner: string;
  heir: Heir;
  /** The purchase, if only the journal says so. */
  bought?: OrderIntent;
  /** The addresses of the order that everybody else has let go. @default none */
  letGo?: readonly string[];
}

/** The claims to the orders of a state, by their listed ids; by the number of one that was not found in the listing. */
export type Claims = ReadonlyMap<string, Claim>;

/** An order of a state, by its receipt, or by its listed id alone. */
interface ClaimedOrder {
  receipt?: Receipt;
  orderIds: readonly string[];
}

/** What the journal has. It is read twice if need be: without it nobody knows who else has an order. */
export function readForClaims({ journal }: Pick<Account, "journal">): Promise<Intent[]> {
  const read = () => journal.readAll();
  return read().catch(read);
}

/**
 * Which orders of a state somebody else has, or its own resource by a newer state.
 * @param intents what the journal has
 * @param taken the names of the orders that the state's own resource takes over in this run
 */
export async function findClaims(
  account: Pick<Account, "journal" | "registry">,
  intents: readonly Intent[],
  state: OrderState,
  taken: ReadonlySet<string> = new Set(),
): Promise<Claims> {
  const { owner, proxyType } = state;
  const bought = ofType(intents, proxyType).filter(isOrderIntent);
  const received = new Set(state.purchases.flatMap(({ orderIds }) => orderIds));
  const orders: ClaimedOrder[] = [
    ...state.purchases.map((receipt) => ({ receipt, orderIds: receipt.orderIds })),
    ...state.orderIds.filter((id) => !received.has(id)).map((id) => ({ orderIds: [id] })),
  ];
  const claims = new Map<string, Claim>();
  for (const order of orders) {
    const names = order.receipt ? listedNamesOf(order.receipt) : order.orderIds;
    const isTaken = names.some((name) => taken.has(name));
    const claim = isTaken
      ? { owner, heir: "itself" as const }
      : await findClaim(account, { owner, proxyType }, order, bought);
    if (claim === undefined || isEmpty(claim, state, order)) continue;
    for (const name of names) claims.set(name, claim);
  }
  return claims;
}

/** Whether whoever goes on with an order has let all of it go. A state may know only a part of it, or none yet. */
function isEmpty(
  { letGo = [] }: Claim,
  state: OrderState,
  { receipt, orderIds }: ClaimedOrder,
): boolean {
  if (receipt === undefined || letGo.length < receipt.quantity) return false;
  const own = [...state.proxies, ...state.released].filter(({ orderId }) =>
    orderIds.includes(orderId),
  );
  return own.every((proxy) => letGo.includes(addressOf(proxy)));
}

/** A proxy by its order and its address. */
export type PlacedProxy = Pick<ProxyRecord, "orderId" | "ipAddressIp" | "httpsPort">;

/** Whether somebody else has a proxy. Whoever has its order may have let it go. */
export function isKept(claims: Claims, proxy: PlacedProxy): boolean {
  const claim = claims.get(proxy.orderId);
  return claim !== undefined && claim.letGo?.includes(addressOf(proxy)) !== true;
}

/**
 * Who goes on with what is claimed.
 * @param left what was left to somebody. If nobody claims it any more, it is `gone`
 */
export function heirsIn(claims: Claims, left: readonly string[]): Heirs {
  const heirs = new Map<string, Heir>(left.map((name) => [name, "gone"]));
  for (const [name, { heir }] of claims) heirs.set(name, heir);
  return heirs;
}

/** Who else has an order, as far as this run or the journal knows, and what all of them have let go of it. */
async function findClaim(
  account: Pick<Account, "journal" | "registry">,
  of: Pick<OrderState, "owner" | "proxyType">,
  order: ClaimedOrder,
  intents: readonly OrderIntent[],
): Promise<Claim | undefined> {
  const { registry, journal } = account;
  const { receipt } = order;
  const intent = receipt && findByMoment(intents, receipt);
  const goesOn = ({ owner: heir, scope = "", handOver }: Holder) =>
    scope !== journal.scope ||
    !registry.hasLeft(withoutScope(heir), { requestId: receipt?.requestId, handOver });
  const claim = await findOwner(account, of, order, { intents, intent, goesOn });
  if (claim === undefined || intent === undefined || typeof claim.heir === "string") return claim;
  // Of a state that the journal does not know, nobody knows what it has let go.
  const isKnown = claim.heir.handOver !== receipt?.handOver;
  const letGo = isKnown ? letGoByOthers(intent, receipt ?? {}, goesOn) : [];
  return letGo.length === 0 ? claim : { ...claim, letGo };
}

/** What it takes to find who else has an order. */
interface KnownPurchases {
  intents: readonly OrderIntent[];
  /** That of the order. */
  intent: OrderIntent | undefined;
  /** Whether a holder was not deleted meanwhile, for all that this run knows. */
  goesOn(holder: Holder): boolean;
}

async function findOwner(
  { registry, journal }: Pick<Account, "journal" | "registry">,
  { owner, proxyType }: Pick<OrderState, "owner" | "proxyType">,
  { receipt, orderIds }: ClaimedOrder,
  { intents, intent, goesOn }: KnownPurchases,
): Promise<Claim | undefined> {
  // By its number another order may be known: the service may have told it twice.
  const listed = { proxyType, names: orderIds, requestId: receipt?.requestId };
  const other = registry.otherHolderOf(owner, listed);
  const isMet = (heir: Holder) => other === heir.owner;
  const claimOf = (heir: Holder, bought: OrderIntent): Claim => ({
    owner: heir.owner,
    heir,
    ...(!isMet(heir) && { bought }),
  });
  const newest = intent && holdersOf(intent).at(-1);
  if (
    newest &&
    receipt &&
    goesOn(newest) &&
    isFormer(intent, receipt) &&
    (await isSaved(journal, intent))
  ) {
    return claimOf(newest, intent);
  }
  if (other !== undefined) {
    const held = registry.heldOrderOf(other, listed);
    if (held === undefined) return { owner: other, heir: "unsaved" };
    const { handOver } = held.requestId ? held : (receipt ?? {});
    return { owner: other, heir: { owner: other, isSeen: true, ...(handOver && { handOver }) } };
  }
  if (receipt !== undefined) {
    // What it has a receipt of is its own, even under a former name.
    if (newest && isForgotten(intent, owner, receipt)) return claimOf(newest, intent);
    const heir = intent && heirOf(intent, owner, receipt, goesOn);
    return heir && claimOf(heir, intent);
  }
  const self = { owner, scope: journal.scope };
  // What the state has under this very name is this resource's, whatever scope its stack had then.
  const ofOthers = intents.filter((one) => one.owner !== owner);
  const buyer = findOtherBuyer(ofOthers, self, listed);
  if (buyer === undefined || isMovedTo(buyer, self)) return undefined;
  return { owner: buyer.owner, heir: "unsaved", bought: buyer };
}

/** Whether the state to which an order was given is known, or may be saved yet. */
async function isSaved(journal: Account["journal"], intent: OrderIntent): Promise<boolean> {
  const isSeen = holdersOf(intent).at(-1)?.isSeen === true;
  return isSeen || (await journal.hasEnded(intent)) || (await journal.goesOn(intent));
}
