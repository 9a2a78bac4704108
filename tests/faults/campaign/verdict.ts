/** What has gone wrong. Every list must stay empty. */
export interface Verdict {
  /** Orders that were paid although the resource had one already, or an earlier one was still to be found. */
  duplicates: string[];
  /** Paid orders that are in no state and no journal, and that no run has named. */
  unreported: string[];
  /** Any other promise that was broken. */
  broken: string[];
}
