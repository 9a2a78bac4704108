import {
  LOOK_MAX_AGE_MS,
  type Look,
  lookForPeople,
  readConsistent,
} from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { hasEnded, MOST_APART_MS } from "../../values/dates.ts";
import { rethrowExplained } from "../../values/errors.ts";
import type { GivenInputs } from "../../values/inputs.ts";
import { changedIdentity } from "../model/args.ts";
import type { CheckedOrder, OrderState } from "../model/state.ts";
import { timeForReleases } from "./check-resize.ts";

/** Looks at the account, if a diff depends on which proxies have ended. Otherwise nobody is asked. */
export async function lookForDiff(
  account: Pick<Account, "listing" | "clock">,
  state: OrderState,
  wanted: Partial<CheckedOrder>,
  unknown: GivenInputs["unknown"],
): Promise<Look> {
  const { listing, clock } = account;
  const { proxyType, proxies } = state;
  if (changedIdentity(state, wanted, unknown).length > 0) return lookForPeople(account, proxyType);
  if (wanted.quantity === state.quantity) return { now: clock.now(), records: [] };
  // Even if this machine's clock is behind the service's.
  const latest = new Date(clock.now().getTime() + MOST_APART_MS);
  if (!proxies.some((proxy) => hasEnded(proxy, latest))) {
    return { now: await timeForReleases(account, state), records: [] };
  }
  // A recorded end may be over because the proxy was extended since.
  const reading = readConsistent(listing, proxyType, LOOK_MAX_AGE_MS);
  const seen = await reading.catch(rethrowExplained);
  return { now: await listing.time(proxyType, seen), records: seen.records };
}
