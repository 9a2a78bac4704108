import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import type { Heirs } from "../../journal/state-knowledge.ts";
import {
  type Claims,
  findClaims,
  findHeirs,
  findKept,
  heirsIn,
  tellClaims,
  tellLateHeirs,
  tellUnleft,
} from "../adopt/claims.ts";
import { type OrderState, withOrders } from "../model/state.ts";
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
  const { journal } = account;
  const claims = await findClaims(account, state, taken);
  await tellClaims(account, state, claims);
  let left = [...claims.keys()];
  const going = withOrders(state, (orderId) => !claims.has(orderId));
  // If all of it goes on, there is nothing to let go.
  if (left.length === 0 || going.orderIds.length > 0) await retireOrder(account, going);
  await endWhatHeirsLetGo(account, state, heirsIn(claims));
  for (;;) {
    const { heirs, failure } = await journal.release(state, async (all) => {
      // Another process of this run may delete an heir meanwhile: it tells that before it looks at the journal.
      await account.hearOthers();
      return findHeirs(account, all, { state, taken, left });
    });
    // Whoever it was left to is deleted as well, and has left it to this one. Or that could not be written down: then
    // whoever is deleted later would leave it to this one, unless this very run has met it.
    const isGone = (name: string) =>
      failure ? claims.get(name)?.bought !== undefined : heirs.get(name) === "gone";
    const gone = left.filter(isGone);
    tellLateHeirs(account, { state, left }, heirs);
    if (!failure) await endWhatHeirsLetGo(account, state, heirs);
    if (gone.length === 0) return;
    const isGoing = (name: string) => gone.includes(name);
    if (failure) {
      tellUnleft(account, new Map([...claims].filter(([name]) => isGoing(name))), failure);
    }
    left = left.filter((name) => !isGoing(name));
    await retireOrder(account, withOrders(state, isGoing));
  }
}

/** Whoever an order is left to may have let a part of it go: nobody has that any more. */
async function endWhatHeirsLetGo(account: Account, state: OrderState, heirs: Heirs): Promise<void> {
  const left = [...state.proxies, ...state.released].filter(({ orderId }) => {
    const heir = heirs.get(orderId);
    return heir !== undefined && heir !== "gone";
  });
  const kept = findKept(left, heirs);
  const going = left.filter((proxy) => !kept.includes(proxy));
  if (going.length > 0) await endRenewals(account, { ...state, proxies: left }, going, true);
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
  const findOthers = async (): Promise<Claims> =>
    going.length === 0
      ? new Map()
      : new Map([...(await findClaims(account, state))].filter(([name]) => isGoing(name)));
  const end = (kept: readonly ProxyRecord[]) =>
    endRenewals(
      account,
      state,
      going.filter((record) => !kept.includes(record)),
    );

  const claims = await findOthers();
  await tellClaims(account, state, claims);
  const kept = findKept(going, heirsIn(claims));
  await end(kept);
  tellLateHeirs(account, { state, left: [...claims.keys()] }, heirsIn(await findOthers()));
  if (kept.length === 0) return kept;
  // Whoever has them may let them go at the same time: of two, the later one to write that down sees it of the other.
  await account.journal.follow({ ...state, released: [...released, ...going] });
  const still = findKept(kept, heirsIn(await findOthers()));
  if (still.length < kept.length) await end(still);
  return still;
}
