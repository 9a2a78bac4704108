import type { Account } from "../../account.ts";
import { findByMoment } from "../../journal/known-purchases.ts";
import { countHandOvers, type Heir, isOthers } from "../../records/hand-over.ts";
import {
  type Intent,
  isOfScope,
  isOrderIntent,
  isPlaced,
  namesOf,
  type OrderIntent,
} from "../../records/intent.ts";
import { isMove, nameOf, withoutScope } from "../../values/owner.ts";
import type { OrderState } from "../model/state.ts";
import { describeScope } from "../model/ways-out.ts";

/** A resource of a stack. One of its name in a stack of another scope, or of none, is another one. */
export interface ScopedOwner {
  owner: string;
  /** See `proxyrental:journalScope`. */
  scope: string;
}

/**
 * Finds the purchase by which another resource bought an order on this machine, if that was neither deleted nor given
 * away since. The journal does not tell whether that resource still owns the order.
 * @param names every name that the order is known by
 */
export function findOtherBuyer(
  intents: readonly Intent[],
  self: ScopedOwner,
  names: readonly string[],
): OrderIntent | undefined {
  return intents
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

/**
 * Which orders of a state somebody else has; by their listed ids.
 * @param taken the names of those that its own resource has by a newer state
 */
export async function findClaims(
  { journal, registry }: Pick<Account, "journal" | "registry">,
  state: OrderState,
  taken: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, Claim>> {
  const intents = (await journal.readAll().catch((): Intent[] => [])).filter(isOrderIntent);
  const claims = new Map<string, Claim>();
  for (const orderId of state.orderIds) {
    const claim = taken.has(orderId)
      ? { owner: state.owner, heir: "itself" as const }
      : findClaim({ registry, journal }, state, orderId, intents);
    if (claim !== undefined) claims.set(orderId, claim);
  }
  return claims;
}

/** Tells people which orders are left to whom. */
export async function tellClaims(
  { log, story }: Pick<Account, "log" | "story">,
  { owner }: Pick<OrderState, "owner">,
  claims: ReadonlyMap<string, Claim>,
): Promise<void> {
  for (const [orderId, claim] of claims) {
    const said =
      claim.owner === owner
        ? `order ${orderId} is taken over anew, so it goes on as it is`
        : `order ${orderId} is left to ${nameOf(claim.owner)}, which owns it as well; its auto-extension stays as it is`;
    if (claim.bought === undefined) await story.did(owner, { id: orderId, line: said });
    else log.warn(`${said}. ${explainBuyer(claim.bought)}`);
  }
}

/** Who else has an order of this state, as far as this run or the journal knows. */
function findClaim(
  { registry, journal: { scope } }: Pick<Account, "journal" | "registry">,
  { owner, purchases }: OrderState,
  orderId: string,
  intents: readonly OrderIntent[],
): Claim | undefined {
  const receipt = purchases.find(({ orderIds }) => orderIds.includes(orderId));
  const bought = receipt && findByMoment(intents, receipt);
  const given = bought && isOthers(bought, owner, receipt) ? bought : undefined;
  // By its number another order may be known: the service may have told it twice.
  const other = registry.otherHolderOf(owner, [orderId]);
  if (given !== undefined) {
    const heir = { owner: withoutScope(given.owner), handOvers: countHandOvers(given) };
    return { owner: given.owner, heir, ...(heir.owner !== other && { bought: given }) };
  }
  if (other !== undefined) {
    const held = registry.heldOrderOf(other, orderId);
    const handOvers = countHandOvers((held?.requestId ? held : receipt) ?? {});
    return { owner: other, heir: held ? { owner: other, handOvers } : "unsaved" };
  }
  // What it has a receipt of is its own, even under a former name.
  if (receipt !== undefined) return undefined;
  const self = { owner, scope };
  // What the state has under this very name is this resource's, whatever scope its stack had then.
  const ofOthers = intents.filter((intent) => intent.owner !== owner);
  const buyer = findOtherBuyer(ofOthers, self, [orderId]);
  if (buyer === undefined || isMovedTo(buyer, self)) return undefined;
  return { owner: buyer.owner, heir: "unsaved", bought: buyer };
}

function explainBuyer({ id, owner }: OrderIntent): string {
  return `It was bought for ${owner}, which was not deleted on this machine. If that is in no stack any more, say so (\`npx pulumi-proxyrental journal resolve ${id} --released\`), and switch the auto-extension off: it goes on costing money`;
}
