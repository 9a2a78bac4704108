import { findOrphans } from "../orphans/orphan.ts";
import { quoteForShell } from "../settings.ts";
import { describeWaiting, findAccounted, type KnownOrder } from "../state-file.ts";
import { countOf, type Found } from "./findings.ts";
import type { TypeReading } from "./page-reading.ts";

/** The states that were given; undefined if none were. */
export type GivenStates = { known: readonly KnownOrder[]; files: readonly string[] } | undefined;

/** Orders of the account that none of the given states has. */
export function judgeStrays(
  states: GivenStates,
  foreign: ReadonlySet<string>,
  readings: readonly TypeReading[],
  now: Date,
): Found[] {
  const about = "orphans";
  if (states === undefined) {
    const text =
      "No state was given, so nobody has looked for orders that no stack has: give what `pulumi stack export` writes with --state.";
    return [{ about, mark: "notAsked", text }];
  }
  const { known, files } = states;
  const isAccounted = findAccounted(known, foreign);
  const listings = readings.map(({ proxyType, first }) => ({
    proxyType,
    records: first?.records ?? [],
  }));
  const orphans = listings.flatMap(({ proxyType, records }) =>
    findOrphans(proxyType, records, isAccounted, now),
  );
  const waiting = describeWaiting(known, listings);
  if (orphans.length === 0) {
    return [
      {
        about,
        mark: "well",
        text: `Every order of the account that has not ended is in ${files.length === 1 ? "the given state" : "the given states"}, or is declared somebody else's.`,
      },
    ];
  }
  const ids = orphans.map(({ orderId }) => orderId).join(", ");
  return [
    {
      about,
      mark: "look",
      text: `${countOf(orphans.length, "order")} of the account ${orphans.length === 1 ? "is" : "are"} in no given state: ${ids}.${waiting === "" ? "" : ` ${waiting}`}`,
      todo: `npx pulumi-proxyrental orphans ${files.map(quoteForShell).join(" ")}`,
    },
  ];
}
