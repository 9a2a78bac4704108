import { z } from "zod";

/** Proxies that were let go together, and are still paid. */
const releaseSchema = z.object({
  count: z.number().describe("How many were let go together."),
  until: z.string().optional().describe("When they end; absent until a refresh has seen it."),
});

/** What check must know of the state. The engine shows it only the old inputs. */
export const holdingsSchema = z.object({
  held: z.number().describe("How many proxies the resource holds."),
  released: z
    .array(releaseSchema)
    .describe("What it has let go of and could take back free of charge."),
  adopted: z
    .number()
    .optional()
    .describe("How many were taken over with an order that something else has bought."),
});

/** See `holdingsSchema`. */
export type Holdings = z.infer<typeof holdingsSchema>;

type Release = z.infer<typeof releaseSchema>;

/** What another quantity means, cheapest first. */
export interface Resize {
  /** How many released proxies come back. They are paid already. */
  takeBack: number;
  /** How many must be bought, because there are no released ones for them. */
  buy: number;
  /** How many are let go. */
  release: number;
  /** What is held and released afterwards. */
  holdings: Holdings;
}

/** The holdings of a fresh purchase. */
export function holdAll(quantity: number): Holdings {
  return { held: quantity, released: [] };
}

/**
 * Decides what another quantity means. Released proxies that have not ended come back first, and of these the ones
 * that are paid longest. It asks nobody, so check and diff decide alike.
 * @param inWholeReleases whether a release comes back whole or not at all, as orders of IPv6 proxies do.
 * @param now the service's time.
 */
export function planResize(
  { held, released, ...rest }: Holdings,
  quantity: number,
  inWholeReleases: boolean,
  now: Date,
): Resize {
  const release = Math.max(0, held - quantity);
  if (release > 0) {
    const holdings = { ...rest, held: quantity, released: [...released, { count: release }] };
    return { takeBack: 0, buy: 0, release, holdings };
  }
  const living = released.filter(
    ({ until }) => until === undefined || Date.parse(until) > now.getTime(),
  );
  const needed = quantity - held;
  const kept = inWholeReleases ? withoutWhole(living, needed) : withoutLongest(living, needed);
  const takeBack = countReleased(living) - countReleased(kept);
  return {
    takeBack,
    buy: needed - takeBack,
    release: 0,
    holdings: { ...rest, held: quantity, released: kept },
  };
}

/** How many proxies are released in all. */
export function countReleased(released: readonly Release[]): number {
  return released.reduce((sum, { count }) => sum + count, 0);
}

function withoutLongest(released: readonly Release[], needed: number): Release[] {
  let missing = needed;
  const kept: Release[] = [];
  for (const { count, ...rest } of released.toSorted(byEnd).toReversed()) {
    const taken = Math.min(count, missing);
    missing -= taken;
    if (taken < count) kept.unshift({ ...rest, count: count - taken });
  }
  return kept;
}

function withoutWhole(released: readonly Release[], needed: number): Release[] {
  const taken = pickUpTo(released.toSorted(byEnd).toReversed(), ({ count }) => count, needed);
  return released.filter((release) => !taken.includes(release));
}

/** What has no known end comes last. */
function byEnd(a: Release, b: Release): number {
  const endOf = ({ until }: Release) => (until ? Date.parse(until) : Number.POSITIVE_INFINITY);
  return endOf(a) === endOf(b) ? 0 : endOf(a) - endOf(b);
}

/** Picks whole things whose sizes come as near to a limit as possible without passing it; earlier ones first. */
export function pickUpTo<Thing>(
  things: readonly Thing[],
  sizeOf: (thing: Thing) => number,
  limit: number,
): Thing[] {
  const best = new Map<number, Thing[]>([[0, []]]);
  for (const thing of things) {
    for (const [sum, picked] of [...best]) {
      const next = sum + sizeOf(thing);
      if (next <= limit && !best.has(next)) best.set(next, [...picked, thing]);
    }
  }
  return best.get(Math.max(...best.keys())) ?? [];
}
