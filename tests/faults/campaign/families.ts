/** What a schedule may play beside edits, lost answers, kills and reruns. */
export const families = [
  /** Listings that report success, but are empty, out of date, or show ends that are too early. */
  "listings",
  /** A wrong `Date` header in one answer, or in all answers by the same number of hours. */
  "dates",
  /** This machine's clock is wrong by hours, and is set between runs. */
  "clocks",
  /** A second account of the service, whose stack shares the journal. */
  "accounts",
  /** Several provider processes in one run: explicit providers, and a process that only refreshes. */
  "providers",
  /** The program is run from another folder, or from an earlier one again. */
  "checkouts",
  /** Orders are renamed with an alias, extensions and auto-extensions without one. */
  "renames",
  /** `pulumi state delete`. */
  "deletions",
  /** `pulumi stack import` of the state before the last update. */
  "putBacks",
  /** A resource takes over what another one has, in any stack of the account, or what somebody else has bought. */
  "handOvers",
  /** A run is cancelled, and goes on while the next one runs. */
  "overlaps",
  /** Several stacks of one account, whose runs go on at the same time. */
  "neighbours",
  /** A run stands still for seconds or minutes, as a process that is stopped or a machine that sleeps. */
  "pauses",
  /** A preview, and then the update in another process. Something may happen between them. */
  "phases",
  /** Promo codes with few uses. */
  "promos",
  /** Prices move, also between confirmation and charge, and spending is limited. */
  "prices",
  /** IpExtension. */
  "extensions",
  /** IpAutoExtend. */
  "autoExtensions",
  /** Listings that show automatic extension as it was, and a person who switches it in the account. */
  "flags",
  /** An IpExtension or IpAutoExtend is replaced because a person asks for it: the new one first. */
  "taints",
  /** Calls to the journal's store fail, or single requests of them: one, or all for a while. */
  "stores",
  /** Every run must name the paid orders that the journal knows and the state does not. */
  "reports",
] as const;

/** One kind of trouble. */
export type Family = (typeof families)[number];

/** Which kinds a schedule plays. */
export type Families = ReadonlySet<Family>;

/** `mixed`: each schedule plays all families, or half or a quarter of them; its seed chooses. */
export type ChosenFamilies = Families | "mixed";

/**
 * The families of one schedule. Each kind of trouble is rarer the more kinds there are, so what only two of them bring about
 * together is played too seldom where all are.
 * @param random gives a number from 0 to 1, without 1
 */
export function chooseFamilies(chosen: ChosenFamilies, random: () => number): Families {
  if (chosen !== "mixed") return chosen;
  const share = [1, 0.5, 0.25][Math.floor(random() * 3)] ?? 1;
  return new Set(families.filter(() => random() < share));
}

/** Gives some things where a family is played, and nothing where it is not. */
export function whenIn<One>(families: Families): (family: Family, some: One[]) => One[] {
  return (family, some) => (families.has(family) ? some : []);
}
