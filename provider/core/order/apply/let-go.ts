import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import type { Intent } from "../../records/intent.ts";
import { ProxyRentalError, reasonOf } from "../../values/errors.ts";
import {
  type Claims,
  findClaims,
  heirsIn,
  isKept,
  type PlacedProxy,
  readForClaims,
} from "../adopt/claims.ts";
import { tellClaims, tellLateClaims, tellUnleft, tellUnread } from "../adopt/tell-claims.ts";
import { type OrderState, withOrders, withProxies } from "../model/state.ts";
import { withListedIds } from "../read/listed-ids.ts";
import { endRenewals, retireOrder } from "./retire.ts";

/**
 * Lets all orders of a state go that is deleted, except what somebody else has: that goes on. Without the journal, only what
 * this run has met tells who has it.
 * @param taken the names of what the resource takes anew
 */
export async function letOrderGo(
  account: Account,
  recorded: OrderState,
  taken: ReadonlySet<string>,
): Promise<void> {
  let unread: unknown;
  const intents = await readForClaims(account).catch((error: unknown): Intent[] => {
    unread = error;
    return [];
  });
  const state = withListedIds(recorded, intents);
  let claims = await findClaims(account, intents, state, taken);
  await tellClaims(account, state, claims);
  let left = [...claims.keys()];
  const going = withOrders(state, (orderId) => !claims.has(orderId));
  // If all of it goes on, there is nothing to let go.
  const isAnyGoing = left.length === 0 || going.orderIds.length > 0;
  const wasOn = isAnyGoing && (await retireOrder(account, going));
  if (wasOn && unread !== undefined) tellUnread(account, going, unread);
  const write = () =>
    account.journal.release(state, async (all) => {
      // Another process of this run may delete an heir meanwhile: it tells that before it looks at the journal.
      await account.hearOthers();
      claims = await findClaims(account, all, state, taken);
      return heirsIn(claims, left);
    });

  for (;;) {
    const known = claims;
    let failure = await write();
    // It may be written all the same: only its answer was lost.
    if (failure !== undefined && left.length > 0) failure = await write();
    const late = [...claims.keys()].filter((name) => !left.includes(name));
    tellLateClaims(account, state, claims, late);
    // Whoever it was left to is deleted as well, and has left it to this one. Or that could not be written down: then
    // whoever is deleted later would leave it to this one, unless this very run has met it.
    const isGone = (name: string) =>
      failure === undefined ? !claims.has(name) : known.get(name)?.bought !== undefined;
    const gone = left.filter(isGone);
    left = left.filter((name) => !gone.includes(name));
    await retirePart(account, state, claims, left);
    if (gone.length === 0) return;
    const isGoing = (name: string) => gone.includes(name);
    if (failure !== undefined) {
      tellUnleft(
        account,
        [...known].filter(([name]) => isGoing(name)),
        failure,
      );
    }
    await retireOrder(account, withOrders(state, isGoing));
  }
}

/** Whoever an order is left to may have let a part of it go: nobody has that any more. */
async function retirePart(
  account: Account,
  state: OrderState,
  claims: Claims,
  left: readonly string[],
): Promise<void> {
  const isLetGo = (proxy: PlacedProxy) =>
    left.includes(proxy.orderId) && claims.has(proxy.orderId) && !isKept(claims, proxy);
  if (!left.some((name) => claims.get(name)?.letGo !== undefined)) return;
  const part = withProxies(state, isLetGo);
  let letGo: PlacedProxy[] = [...part.proxies, ...part.released];
  // A state may know only a part of an order, or none yet.
  await retireOrder(account, part, (records) => {
    const listed = records.filter(isLetGo);
    letGo = [...letGo, ...listed];
    return listed;
  });
  const since = await readForClaims(account).then(
    (intents) => findClaims(account, intents, state),
    () => claims,
  );
  tellTakenBack(account, state, since, letGo);
}

/** Tells people of proxies that somebody has taken while they were let go. */
function tellTakenBack(
  account: Account,
  state: OrderState,
  since: Claims,
  letGo: readonly PlacedProxy[],
): void {
  const taken = letGo.filter((proxy) => isKept(since, proxy));
  tellLateClaims(
    account,
    state,
    since,
    taken.map(({ orderId }) => orderId),
  );
}

/**
 * Lets proxies of a resource go that goes on with others. Throws if nobody can say who else has them, or write down that this
 * one has not: then the state stays as it is, and it is done again.
 * @param released what it has let go before
 * @returns those that stay on, because somebody else has them
 */
export async function letProxiesGo(
  account: Account,
  state: OrderState,
  { going, released }: Record<"going" | "released", readonly ProxyRecord[]>,
): Promise<readonly ProxyRecord[]> {
  const isGoing = (name: string) => going.some(({ orderId }) => orderId === name);
  const findOthers = async (): Promise<Claims> => {
    if (going.length === 0) return new Map();
    // Another process of this run may delete somebody who has them.
    await account.hearOthers();
    const intents = await readForClaims(account).catch((error: unknown) => {
      throw refuseUnseen(state, error);
    });
    const claims = await findClaims(account, intents, state);
    return new Map([...claims].filter(([name]) => isGoing(name)));
  };
  const end = (kept: readonly ProxyRecord[]) =>
    endRenewals(
      account,
      state,
      going.filter((record) => !kept.includes(record)),
    );

  const before = await findOthers();
  await tellClaims(account, state, before);
  const kept = going.filter((record) => isKept(before, record));
  await end(kept);
  // Whoever has them may let them go at the same time: of two, the later one to write that down sees it of the other.
  const write = () => account.journal.followNewest({ ...state, released: [...released, ...going] });
  const failure = kept.length > 0 ? (await write()) && (await write()) : undefined;
  if (failure !== undefined) throw refuseUnseen(state, failure);
  const since = await findOthers();
  const switchedOff = going.filter((record) => !kept.includes(record));
  tellTakenBack(account, state, since, switchedOff);
  const still = kept.filter((record) => isKept(since, record));
  if (still.length < kept.length) await end(still);
  return still;
}

function refuseUnseen({ orderNumber }: OrderState, why: unknown): ProxyRentalError {
  return new ProxyRentalError(
    "JOURNAL_UNAVAILABLE",
    `who else has proxies of order ${orderNumber} stands in the journal, and that can't be read or written now (${reasonOf(why)}). Nothing was bought, and the state stays as it is; the auto-extension of proxies that were to go may be off by now. Run again.`,
  );
}
