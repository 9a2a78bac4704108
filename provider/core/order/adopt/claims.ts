import type { Account } from "../../account.ts";
import {
  type Intent,
  isOfScope,
  isOrderIntent,
  isPlaced,
  namesOf,
  type OrderIntent,
} from "../../records/intent.ts";
import { isMove, nameOf } from "../../values/owner.ts";
import { type OrderState, withoutOrders } from "../model/state.ts";
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

/** A resource that claims an order; with the purchase, if only the journal says so. */
interface Claim {
  owner: string;
  bought?: OrderIntent;
}

/** Takes orders that another resource also owns out of a state. They go on as they are. */
export async function leaveToOthers(
  { journal, registry, log, story }: Pick<Account, "journal" | "registry" | "log" | "story">,
  state: OrderState,
): Promise<OrderState> {
  const intents = await journal.readAll().catch((): Intent[] => []);
  const left = new Set<string>();
  for (const orderId of state.orderIds) {
    const claim = findClaim({ registry, journal }, state, orderId, intents);
    if (claim === undefined) continue;
    left.add(orderId);
    const said = `order ${orderId} is left to ${nameOf(claim.owner)}, which owns it as well; its auto-extension stays as it is`;
    if (claim.bought === undefined) await story.did(state.owner, { id: orderId, line: said });
    else log.warn(`${said}. ${explainBuyer(claim.bought)}`);
  }
  return withoutOrders(state, left);
}

/** Another resource that also owns an order of this state, as far as this run or the journal knows. */
function findClaim(
  { registry, journal: { scope } }: Pick<Account, "journal" | "registry">,
  { owner, purchases }: OrderState,
  orderId: string,
  intents: readonly Intent[],
): Claim | undefined {
  // By its number another order may be known: the service may have told it twice.
  const other = registry.otherHolderOf(owner, [orderId]);
  if (other !== undefined) return { owner: other };
  const given = intents.filter(isOrderIntent).find((intent) => wasGiven(intent, owner, orderId));
  if (given !== undefined) return { owner: given.owner, bought: given };
  // What it has bought itself is its own, even under a former name.
  if (purchases.some(({ orderIds }) => orderIds.includes(orderId))) return undefined;
  const self = { owner, scope };
  // What the state has under this very name is this resource's, whatever scope its stack had then.
  const ofOthers = intents.filter((intent) => intent.owner !== owner);
  const buyer = findOtherBuyer(ofOthers, self, [orderId]);
  return buyer && !isMovedTo(buyer, self) ? { owner: buyer.owner, bought: buyer } : undefined;
}

/** Whether the journal has an order as another resource's, to which a program has given it. */
function wasGiven(intent: OrderIntent, formerOwner: string, orderId: string): boolean {
  const { phase, formerOwners = [] } = intent;
  const isOthers = phase !== "closed" && formerOwners.includes(formerOwner);
  return isOthers && namesOf(intent).includes(orderId);
}

function explainBuyer({ id, owner }: OrderIntent): string {
  return `It was bought for ${owner}, which was not deleted on this machine. If that is in no stack any more, say so (\`npx pulumi-proxyrental journal resolve ${id} --released\`), and switch the auto-extension off: it goes on costing money`;
}
