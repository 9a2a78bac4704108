/** What may go wrong, or be asked for, beyond edits, lost answers, kills and reruns. */
export const families = [
  /** Listings that are empty with success, as they were a while ago, or with earlier ends. */
  "listings",
  /** A wrong `Date` header: in one answer, or in all by the same hours. */
  "dates",
  /** Our own clock is wrong by hours, and is set while nothing runs. */
  "clocks",
  /** A second account of the service, whose stack shares the journal. */
  "accounts",
  /** Several processes of one run: explicit providers, one for the refresh and others for the rest. */
  "providers",
  /** The program is run from another folder. */
  "checkouts",
  /** Orders that are renamed with an alias, extensions and auto-extensions without one. */
  "renames",
  /** `pulumi state delete`. */
  "deletions",
  /** A run that is cancelled and lives on beside the next one. */
  "overlaps",
  /** A preview first, and then the update in a process of its own, with something in between. */
  "phases",
  /** Promo codes with few uses. */
  "promos",
  /** Prices that move, also between confirmation and charge; and a limit on spending. */
  "prices",
  /** IpExtension. */
  "extensions",
  /** IpAutoExtend. */
  "autoExtensions",
  /** Every run names what the journal has paid and no state knows. */
  "reports",
] as const;

/** One kind of trouble. */
export type Family = (typeof families)[number];

/** Which kinds a schedule plays. */
export type Families = ReadonlySet<Family>;

/** What the tests play. */
export const testedFamilies: Families = new Set<Family>(families);
