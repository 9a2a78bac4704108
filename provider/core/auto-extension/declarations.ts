import type { AutoExtensionArgs } from "./args.ts";

/** What one auto-extension of the program wants of its proxies. */
type Declared = Pick<
  AutoExtensionArgs,
  "proxyType" | "ipAddressIds" | "rentPeriodDays" | "autoExtend"
>;

/** A proxy of which two resources want different things. */
export interface Contradiction {
  ipAddressId: string;
  other: string;
  wants: Declared;
}

/** Which proxies the program's auto-extensions declare in this run. */
export interface Declarations {
  /** To be called with each that is checked; it takes the place of what the same owner declared before. */
  declare(owner: string, wanted: Declared): Contradiction | undefined;
  /** Another resource of the program that wants this proxy extended: what it asks for stays on. */
  keeperOf(ipAddressId: string, owner: string): string | undefined;
}

/** Makes the memory of one run. */
export function createDeclarations(): Declarations {
  const declared = new Map<string, Declared>();

  function* others(ipAddressId: string, owner: string): Generator<[string, Declared]> {
    for (const [other, wants] of declared) {
      if (other !== owner && wants.ipAddressIds.includes(ipAddressId)) yield [other, wants];
    }
  }

  return {
    declare(owner, wanted) {
      declared.set(owner, wanted);
      for (const ipAddressId of wanted.ipAddressIds) {
        for (const [other, wants] of others(ipAddressId, owner)) {
          if (!isSameWish(wants, wanted)) return { ipAddressId, other, wants };
        }
      }
      return undefined;
    },

    keeperOf(ipAddressId, owner) {
      for (const [other, { autoExtend }] of others(ipAddressId, owner)) {
        if (autoExtend) return other;
      }
      return undefined;
    },
  };
}

/** The days of what is not extended mean nothing. */
function isSameWish(a: Declared, b: Declared): boolean {
  if (a.proxyType !== b.proxyType) return true;
  return a.autoExtend === b.autoExtend && (!a.autoExtend || a.rentPeriodDays === b.rentPeriodDays);
}
