import type { Account } from "../account.ts";
import { describeProxies } from "../proxies/proxy-args.ts";
import type { CheckedAutoExtension } from "./state.ts";

/** Whose flags were switched. */
type Switched = Pick<CheckedAutoExtension, "owner" | "proxyType">;

/** What automatic extension does: "5 IPv4 proxies by 30 days each time they end". */
export function describeExtending(
  proxies: string,
  { rentPeriodDays }: Pick<CheckedAutoExtension, "rentPeriodDays">,
): string {
  return `${proxies} by ${rentPeriodDays} days each time they end`;
}

/** Tells for how many proxies it was switched on, if for any. It costs nothing yet. */
export async function tellSwitchedOn(
  { story }: Pick<Account, "story">,
  { owner, proxyType, rentPeriodDays }: Switched & Pick<CheckedAutoExtension, "rentPeriodDays">,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const what = describeExtending(describeProxies(count, proxyType), { rentPeriodDays });
  await story.did(owner, { id: "on", line: `extends ${what} from now on` });
}

/** Tells for how many proxies it was switched off, if for any. */
export async function tellSwitchedOff(
  { story }: Pick<Account, "story">,
  { owner, proxyType }: Switched,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const line = `no longer extends ${describeProxies(count, proxyType)}`;
  await story.did(owner, { id: "off", line });
}
