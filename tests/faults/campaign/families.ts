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
  /** The program is run from another folder. */
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
  /** Calls to the journal's store fail, or single requests of them: one, or all for a while. */
  "stores",
  /** Every run must name the paid orders that the journal knows and the state does not. */
  "reports",
] as const;

/** One kind of trouble. */
export type Family = (typeof families)[number];

/** Which kinds a schedule plays. */
export type Families = ReadonlySet<Family>;

/** The families that `campaign.test.ts` plays. */
export const testedFamilies: Families = new Set<Family>(families);
