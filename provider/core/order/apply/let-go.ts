import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { type Claims, findClaims, findClaimsIn, heirsIn, isKept } from "../adopt/claims.ts";
import { tellClaims, tellLateClaims, tellUnleft } from "../adopt/tell-claims.ts";
import { type OrderState, type ReleasedProxy, withOrders, withProxies } from "../model/state.ts";
import { endRenewals, retireOrder } from "./retire.ts";

/**
 * Lets all orders of a state go that is deleted, except what somebody else has: that goes on.
 * @param taken the names of what the resource takes anew
 */
export async function letOrderGo(
  account: Account,
  state: OrderState,
  taken: ReadonlySet<string>,
): Promise<void> {
  let claims = await findClaims(account, state, { taken });
  await tellClaims(account, state, claims);
  let left = [...claims.keys()];
  const going = withOrders(state, (orderId) => !claims.has(orderId));
  // If all of it goes on, there is nothing to let go.
  if (left.length === 0 || going.orderIds.length > 0) await retireOrder(account, going);
  const write = () =>
    account.journal.release(state, async (all) => {
      // Another process of this run may delete an heir meanwhile: it tells that before it looks at the journal.
      await account.hearOthers();
      claims = await findClaimsIn(account, all, state, taken);
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
  const isLetGo = (proxy: ReleasedProxy) =>
    left.includes(proxy.orderId) && claims.has(proxy.orderId) && !isKept(claims, proxy);
  if (!left.some((name) => claims.get(name)?.letGo !== undefined)) return;
  const part = withProxies(state, isLetGo);
  // A state may know only a part of an order, or none yet.
  await retireOrder(account, part, (records) => records.filter(isLetGo));
  const since = await findClaims(account, state, { before: claims });
  tellTakenBack(account, state, since, [...part.proxies, ...part.released]);
}

/** Tells people of proxies that somebody has taken while they were let go. */
function tellTakenBack(
  account: Account,
  state: OrderState,
  since: Claims,
  letGo: readonly ReleasedProxy[],
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
 * Lets proxies of a resource go that goes on with others.
 * @param released what it has let go before
 * @returns those that stay on, because somebody else has them
 */
export async function letProxiesGo(
  account: Account,
  state: OrderState,
  { going, released }: Record<"going" | "released", readonly ProxyRecord[]>,
): Promise<readonly ProxyRecord[]> {
  const isGoing = (name: string) => going.some(({ orderId }) => orderId === name);
  const findOthers = async (before?: Claims): Promise<Claims> => {
    if (going.length === 0) return new Map();
    // Another process of this run may delete somebody who has them.
    await account.hearOthers();
    const claims = await findClaims(account, state, { before });
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
  const write = () => account.journal.follow({ ...state, released: [...released, ...going] });
  // Whoever has them may let them go at the same time: of two, the later one to write that down sees it of the other. If it
  // can't be written down, whoever is deleted later would leave them to this one.
  const failure = kept.length > 0 ? (await write()) && (await write()) : undefined;
  if (failure !== undefined) tellUnleft(account, before, failure);
  const since = await findOthers(before);
  const switchedOff = going.filter((record) => !kept.includes(record));
  tellTakenBack(account, state, since, switchedOff);
  const still = failure === undefined ? kept.filter((record) => isKept(since, record)) : [];
  if (still.length < kept.length) await end(still);
  return still;
}
