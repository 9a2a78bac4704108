import type { Account } from "../../account.ts";
import { findByMoment } from "../../journal/known-purchases.ts";
import type { Heirs } from "../../journal/state-knowledge.ts";
import {
  type Heir,
  heirOf,
  holdersOf,
  isForgotten,
  isFormer,
  letGoBy,
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
import { reasonOf } from "../../values/errors.ts";
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
}

/** The claims to the orders of a state, by their listed ids; by the number of one that was not found in the listing. */
export type Claims = ReadonlyMap<string, Claim>;

/** An order of a state, by its receipt, or by its listed id alone. */
interface ClaimedOrder {
  receipt?: Receipt;
  orderIds: readonly string[];
}

/**
 * Which orders of a state somebody else has, or its own resource by a newer state.
 * @param taken the names of those that its own resource takes over in this run
 */
export async function findClaims(
  account: Pick<Account, "journal" | "registry">,
  state: OrderState,
  taken: ReadonlySet<string> = new Set(),
): Promise<Claims> {
  const intents = await account.journal.readAll().catch((): Intent[] => []);
  return findClaimsIn(account, intents, state, taken);
}

/** A state that is deleted. */
interface Deleted {
  state: OrderState;
  /** The names of what its resource takes anew. */
  taken: ReadonlySet<string>;
  /** The names of what was left to somebody. */
  left: readonly string[];
}

/**
 * Who goes on with the orders of a state that is deleted. What was left to somebody who does not have it any more is `gone`.
 * @param intents what the journal has when that is written down
 */
export async function findHeirs(
  account: Pick<Account, "journal" | "registry">,
  intents: readonly Intent[],
  { state, taken, left }: Deleted,
): Promise<Heirs> {
  const since = await findClaimsIn(account, intents, state, taken);
  const heirs = new Map<string, Heir>(left.map((name) => [name, "gone"]));
  for (const [name, { heir }] of since) heirs.set(name, heir);
  return heirs;
}

async function findClaimsIn(
  account: Pick<Account, "journal" | "registry">,
  intents: readonly Intent[],
  state: OrderState,
  taken: ReadonlySet<string>,
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
    if (claim !== undefined) for (const name of names) claims.set(name, claim);
  }
  return claims;
}

/**
 * Of proxies that are let go, those that stay on because somebody else has them. Who has an order may have let a part of it go,
 * too: nobody has that any more.
 */
export function findKept<Proxy extends { orderId: string; ipAddressIp: string }>(
  going: readonly Proxy[],
  heirs: Heirs,
): Proxy[] {
  return going.filter(({ orderId, ipAddressIp }) => {
    const heir = heirs.get(orderId);
    if (heir === undefined || heir === "gone") return false;
    return typeof heir === "string" || heir.letGo?.includes(ipAddressIp) !== true;
  });
}

/** Who goes on with what is claimed. */
export function heirsIn(claims: Claims): Heirs {
  return new Map([...claims].map(([name, { heir }]) => [name, heir]));
}

/** Tells people which orders were taken over while they were let go. */
export function tellLateHeirs(
  { log }: Pick<Account, "log">,
  { state, left }: Omit<Deleted, "taken">,
  heirs: Heirs,
): void {
  const late = new Map<Heir, string>();
  for (const [name, heir] of heirs) if (!left.includes(name)) late.set(heir, name);
  for (const [heir, orderId] of late) {
    if (typeof heir === "string" || withoutScope(heir.owner) === state.owner) continue;
    log.warn(
      `${nameOf(heir.owner)} has taken order ${orderId} over while it was let go: its auto-extension may be off now. Run \`pulumi up --refresh\` there`,
    );
  }
}

/** Tells people of what was to be left to another resource, and could not be. */
export function tellUnleft({ log }: Pick<Account, "log">, claims: Claims, why: unknown): void {
  const told = new Map([...claims].map(([name, claim]) => [claim, name]));
  for (const [{ owner }, orderId] of told) {
    log.warn(
      `order ${orderId} is not left to ${nameOf(owner)}, because that can't be written down (${reasonOf(why)}): its auto-extension may be off now. Run \`pulumi up --refresh\` there`,
    );
  }
}

/** Tells people which orders are left to whom. */
export async function tellClaims(
  { log, story }: Pick<Account, "log" | "story">,
  { owner }: Pick<OrderState, "owner">,
  claims: Claims,
): Promise<void> {
  const told = new Map([...claims].map(([name, claim]) => [claim, name]));
  for (const [claim, orderId] of told) {
    const said =
      claim.owner === owner
        ? `order ${orderId} is taken over anew, so it goes on as it is`
        : `order ${orderId} is left to ${nameOf(claim.owner)}, which owns it as well; its auto-extension stays as it is`;
    if (claim.bought === undefined) await story.did(owner, { id: orderId, line: said });
    else log.warn(`${said}. ${explainBuyer(claim.bought)}`);
  }
}

/** Who else has an order, as far as this run or the journal knows. */
async function findClaim(
  { registry, journal }: Pick<Account, "journal" | "registry">,
  { owner, proxyType }: Pick<OrderState, "owner" | "proxyType">,
  { receipt, orderIds }: ClaimedOrder,
  intents: readonly OrderIntent[],
): Promise<Claim | undefined> {
  const intent = receipt && findByMoment(intents, receipt);
  // By its number another order may be known: the service may have told it twice.
  const listed = { proxyType, names: orderIds, requestId: receipt?.requestId };
  const other = registry.otherHolderOf(owner, listed);
  const isMet = (heir: Holder) => other === heir.owner;
  const goesOn = ({ owner: heir, scope = "", handOver }: Holder) =>
    scope !== journal.scope ||
    !registry.hasLeft(withoutScope(heir), { requestId: receipt?.requestId, handOver });
  const claimOf = (heir: Holder, bought: OrderIntent): Claim => ({
    owner: heir.owner,
    heir,
    ...(!isMet(heir) && { bought }),
  });
  const newest = intent && holdersOf(intent).at(-1);
  const saidOf = (holder: Holder): Holder => {
    const letGo = intent ? letGoBy(intent, holder) : [];
    return letGo.length > 0 ? { ...holder, letGo: [...letGo] } : holder;
  };
  if (newest && goesOn(newest) && isFormer(intent, receipt) && (await isSaved(journal, intent))) {
    return claimOf(newest, intent);
  }
  if (other !== undefined) {
    const held = registry.heldOrderOf(other, listed);
    if (held === undefined) return { owner: other, heir: "unsaved" };
    const { handOver } = held.requestId ? held : (receipt ?? {});
    const heir = { owner: other, isSeen: true, ...(handOver && { handOver }) };
    return { owner: other, heir: saidOf(heir) };
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

function explainBuyer({ id, owner }: OrderIntent): string {
  return `It was bought for ${owner}, which the journal does not show as deleted. If that is in no stack any more, say so (\`npx pulumi-proxyrental journal resolve ${id} --released\`), and switch the auto-extension off: it goes on costing money`;
}
