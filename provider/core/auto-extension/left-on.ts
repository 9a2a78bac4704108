import { type ProxyType, proxyTypes } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { findProxy } from "../proxies/address.ts";
import { describeProxies } from "../proxies/proxy-args.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import { nameOf, stackOf } from "../values/owner.ts";
import type { AutoExtensionState, ExtendedProxy } from "./state.ts";

/** Watches for what earlier runs have switched on and no state has: it goes on costing money, and belongs to nobody. */
export interface LeftOnWatch {
  /**
   * Call this with each state that the engine gives.
   * @param owner its resource, by the newest name
   */
  saw(
    owner: string,
    state: Pick<AutoExtensionState, "owner" | "proxyType" | "proxies">,
  ): Promise<void>;
}

/** A flag that no state was seen to have. */
type UnsavedFlag = KnownFlag & { unsaved: NonNullable<KnownFlag["unsaved"]> };

/** Makes the watch of one process. What is left on is named at the end of the run, when all states were shown. */
export function watchLeftOn(account: Account): LeftOnWatch {
  const { journal, stacks, story } = account;
  const metOwners = new Set<string>();
  const metProxies = new Map<ProxyType, ExtendedProxy[]>();

  async function readUnsaved(proxyType: ProxyType): Promise<UnsavedFlag[]> {
    const flags = [...(await journal.flags.readAll(proxyType)).values()];
    return flags.filter(isUnsaved);
  }

  /** Whether the run that has switched it on goes on, or may have saved it: the state of its resource would show that. */
  async function mayBeSaved({ unsaved: { owner, runId } }: UnsavedFlag): Promise<boolean> {
    if ((await journal.isOfThisRun({ runId })) || (await journal.isRunAlive(runId))) return true;
    return !metOwners.has(owner) && (await journal.hasEnded({ runId }));
  }

  async function isLeftOn(flag: UnsavedFlag, stack: string): Promise<boolean> {
    const { proxyType, ipAddressId, unsaved } = flag;
    if (stackOf(unsaved.owner) !== stack) return false;
    if (unsaved.scope !== journal.scope || unsaved.project !== journal.project) return false;
    if (findProxy(metProxies.get(proxyType) ?? [], flag)) return false;
    if (account.declarations.isWanted({ proxyType, ipAddressId })) return false;
    return !(await mayBeSaved(flag));
  }

  /** What a listing shows as off has gone off since. */
  async function findLeftOn(stack: string): Promise<UnsavedFlag[]> {
    const left: UnsavedFlag[] = [];
    for (const proxyType of proxyTypes) {
      const own: UnsavedFlag[] = [];
      for (const flag of await readUnsaved(proxyType)) {
        if (await isLeftOn(flag, stack)) own.push(flag);
      }
      if (own.length === 0) continue;
      const seen = await account.listing.complete(proxyType).catch(() => undefined);
      const isOn = (flag: UnsavedFlag) =>
        seen === undefined || findProxy(seen.records, flag)?.extendInfo.autoExtend === true;
      left.push(...own.filter(isOn));
    }
    return left;
  }

  stacks.onceShown(async (stack) => {
    const find = async () => {
      const left = await findLeftOn(stack);
      return left.length === 0 ? undefined : explainLeftOn(left);
    };
    story.warnAtEnd(stack, { id: `left on in ${stack}`, find });
  });

  return {
    async saw(owner, state) {
      const { proxyType, proxies } = state;
      metOwners.add(owner).add(state.owner);
      metProxies.set(proxyType, [...(metProxies.get(proxyType) ?? []), ...proxies]);
      const unsaved = await readUnsaved(proxyType);
      await journal.flags.saw(unsaved.filter((flag) => findProxy(proxies, flag) !== undefined));
    },
  };
}

function isUnsaved(flag: KnownFlag): flag is UnsavedFlag {
  return flag.autoExtend && flag.unsaved !== undefined;
}

function explainLeftOn(left: readonly UnsavedFlag[]): string {
  const byOwner = Map.groupBy(left, ({ unsaved, proxyType }) => `${proxyType} ${unsaved.owner}`);
  const parts = [...byOwner.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const ids = [first, ...more].map(({ ipAddressId }) => ipAddressId);
    const what = `${describeProxies(ids.length, first.proxyType)} (${ids.join(", ")})`;
    return [`${what} for ${nameOf(first.unsaved.owner)}`];
  });
  return `an earlier run has switched automatic extension on, and no state has that: ${parts.join("; ")}. It goes on costing money. Switch it off at the service, or with an IpAutoExtend of these ids (autoExtend: false)`;
}
