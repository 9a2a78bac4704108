import type { ProxyType } from "../../client/index.ts";
import type { AccountFact } from "../records/run-fact.ts";
import type { RunTalk } from "./run-talk.ts";

/** What one auto-extension of the program wants of its proxies. */
interface Declared {
  proxyType: ProxyType;
  ipAddressIds: string[];
  rentPeriodDays: number;
  autoExtend: boolean;
}

/** The service's document does not say that ids are unique across types. */
type TypedProxy = Pick<Declared, "proxyType"> & { ipAddressId: string };

/** A proxy for which two resources want different things. */
export interface Contradiction {
  ipAddressId: string;
  other: string;
  wants: Declared;
}

/** Which proxies the program's auto-extensions declare in this run, in any of its processes. */
export interface Declarations {
  /** Call this with each auto-extension that is checked. It replaces what the same owner declared before. */
  declare(owner: string, wanted: Declared): Promise<Contradiction | undefined>;
  /** Another resource of the program that wants this proxy extended. Its flag stays on. */
  keeperOf(proxy: TypedProxy, owner: string): string | undefined;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** Makes the memory of one run. */
export function createDeclarations({ tell, hear }: RunTalk): Declarations {
  const declared = new Map<string, Declared>();

  function* others(
    { proxyType, ipAddressId }: TypedProxy,
    owner: string,
  ): Generator<[string, Declared]> {
    for (const [other, wants] of declared) {
      if (other === owner || wants.proxyType !== proxyType) continue;
      if (wants.ipAddressIds.includes(ipAddressId)) yield [other, wants];
    }
  }

  return {
    async declare(owner, { proxyType, ipAddressIds, rentPeriodDays, autoExtend }) {
      const wanted = { proxyType, ipAddressIds, rentPeriodDays, autoExtend };
      declared.set(owner, wanted);
      // This tells before it hears. If two are checked at the same moment, at least one of them knows both.
      await tell({ kind: "renews", owner, ...wanted }).catch(() => undefined);
      await hear();
      for (const ipAddressId of wanted.ipAddressIds) {
        for (const [other, wants] of others({ proxyType, ipAddressId }, owner)) {
          if (!isSameWish(wants, wanted)) return { ipAddressId, other, wants };
        }
      }
      return undefined;
    },

    keeperOf(proxy, owner) {
      for (const [other, { autoExtend }] of others(proxy, owner)) {
        if (autoExtend) return other;
      }
      return undefined;
    },

    hear(fact) {
      if (fact.kind === "renews") declared.set(fact.owner, fact);
    },
  };
}

/** The days of a proxy that is not extended mean nothing. */
function isSameWish(a: Declared, b: Declared): boolean {
  return a.autoExtend === b.autoExtend && (!a.autoExtend || a.rentPeriodDays === b.rentPeriodDays);
}
