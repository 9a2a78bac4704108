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
  /**
   * Call this with each auto-extension that is checked. It replaces what the same owner declared before, and what a state has of
   * it: call `keep` after it if one has. The engine replaces a resource by checking it once more as a new one.
   */
  declare(owner: string, wanted: Declared): Promise<Contradiction | undefined>;
  /** Whether the program has declared it in this run. A refresh compares before the program is asked. */
  isDeclared(owner: string): boolean;
  /** Call this with what a state has of an owner, and with what it gets by this run. */
  keep(owner: string, kept: Declared): Promise<void>;
  /** Call this if what an owner declares is refused, and no state gets it. What a state has of it stays. */
  withdraw(owner: string, refused: Declared): Promise<void>;
  /**
   * A resource of the program that wants this proxy extended, beside what the owner edits or deletes. The flag stays on.
   * @param isDelete whether the owner is deleted. The engine deletes last, so what no state has by then, none will have: its
   * flag would belong to nobody. It may be a former state of a resource that goes on: then the owner itself is the keeper.
   */
  keeperOf(proxy: TypedProxy, owner: string, isDelete: boolean): string | undefined;
  /** Whether anything of the run, or a state of it, has this proxy. */
  isWanted(proxy: TypedProxy): boolean;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** Makes the memory of one run. */
export function createDeclarations({ tell, hear }: RunTalk): Declarations {
  const declared = new Map<string, Declared>();
  const inStates = new Map<string, Declared>();

  /** @param owner whom to leave out; undefined for nobody */
  function* others(
    wishes: ReadonlyMap<string, Declared>,
    { proxyType, ipAddressId }: TypedProxy,
    owner: string | undefined,
  ): Generator<[string, Declared]> {
    for (const [other, wants] of wishes) {
      if (other === owner || wants.proxyType !== proxyType) continue;
      if (wants.ipAddressIds.includes(ipAddressId)) yield [other, wants];
    }
  }

  async function put(
    owner: string,
    { proxyType, ipAddressIds, rentPeriodDays, autoExtend }: Declared,
    stage?: "kept" | "withdrawn",
  ): Promise<void> {
    const wanted = { proxyType, ipAddressIds, rentPeriodDays, autoExtend };
    const fact = { kind: "renews", owner, ...wanted, ...(stage && { stage }) } as const;
    take(fact);
    await tell(fact).catch(() => undefined);
  }

  function take(fact: Extract<AccountFact, { kind: "renews" }>): void {
    if (fact.stage === "kept") inStates.set(fact.owner, fact);
    else if (fact.stage === "withdrawn") declared.delete(fact.owner);
    else {
      declared.set(fact.owner, fact);
      inStates.delete(fact.owner);
    }
  }

  return {
    async declare(owner, wanted) {
      // This tells before it hears. If two are checked at the same moment, at least one of them knows both.
      await put(owner, wanted);
      await hear();
      const { proxyType } = wanted;
      for (const ipAddressId of wanted.ipAddressIds) {
        for (const [other, wants] of others(declared, { proxyType, ipAddressId }, owner)) {
          if (!isSameWish(wants, wanted)) return { ipAddressId, other, wants };
        }
      }
      return undefined;
    },

    isDeclared: (owner) => declared.has(owner),

    keep: (owner, kept) => put(owner, kept, "kept"),

    withdraw: (owner, refused) => put(owner, refused, "withdrawn"),

    keeperOf(proxy, owner, isDelete) {
      const wishes = isDelete ? inStates : new Map([...inStates, ...declared]);
      for (const [other, { autoExtend }] of others(wishes, proxy, isDelete ? undefined : owner)) {
        if (autoExtend) return other;
      }
      return undefined;
    },

    isWanted(proxy) {
      const [one] = others(new Map([...inStates, ...declared]), proxy, undefined);
      return one !== undefined;
    },

    hear(fact) {
      if (fact.kind === "renews") take(fact);
    },
  };
}

/** The days of a proxy that is not extended mean nothing. */
function isSameWish(a: Declared, b: Declared): boolean {
  return a.autoExtend === b.autoExtend && (!a.autoExtend || a.rentPeriodDays === b.rentPeriodDays);
}
