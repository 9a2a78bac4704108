import type { ProxyRecord } from "../../../client/index.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";
import { type Classified, classifyProxies, type MayBeExtended } from "./classify-proxies.ts";
import { countCancelled, findAwaited } from "./gone.ts";

/** The proxies of a resource, as recorded and as listed. */
export interface ListingComparison {
  /** Listed and living: what the resource holds. */
  held: ProxyRecord[];
  /** Listed and living: what it has let go of. */
  released: ProxyRecord[];
  /** How many held ones have ended for certain, or are declared gone. */
  ended: number;
  /** While an order is awaited: in the place of how many of them others of their orders are listed. */
  replaced: number;
  /** Whether a paid order is still to be delivered. */
  isAwaited: boolean;
  /** How many should be listed, and are not. An awaited order is not counted. */
  missing: number;
  /** The recorded ones that should be listed and are not; what the service has exchanged is among them. */
  unlisted: ReleasedProxy[];
  /** Those that have ended by the listing, although their auto-extension is on, or was on then. */
  renewing: ProxyRecord[];
  /** Recorded ones that have ended by the listing, and were recorded as paid for longer: a doubt. */
  cutShort: ReleasedProxy[];
  /** Those that are declared gone, but are listed and living. */
  undead: ProxyRecord[];
}

/** Compares a resource with a complete listing. */
export function compareWithListing(
  state: OrderState,
  snapshot: Pick<Snapshot, "records" | "asOf">,
  goneOrders: ReadonlySet<string>,
  mayBeExtended?: MayBeExtended,
): ListingComparison {
  const { listed, recordedHeld, recordedReleased } = classifyProxies(
    state,
    snapshot,
    goneOrders,
    mayBeExtended,
  );
  const recorded = [...recordedHeld, ...recordedReleased];
  const held = pick(listed, "held");
  const released = pick(listed, "released");
  const awaited = findAwaited(state, goneOrders);
  const ended = pick(recordedHeld, "over").length + countCancelled(state, goneOrders);
  const remainsReleased = state.released.length - pick(recordedReleased, "over").length;
  const isDelivered = ({ orderId }: ReleasedProxy) => !awaited?.orderIds.includes(orderId);
  const expected = awaited
    ? remaining(recorded).filter(isDelivered).length
    : state.holdings.held - ended + remainsReleased;
  const remainsHeld = remaining(recordedHeld).filter(isDelivered).length;
  const unrecorded = Math.max(0, held.filter(isDelivered).length - remainsHeld);
  const replaced = awaited ? Math.min(ended, unrecorded) : 0;
  return {
    ...{ held, released, ended, replaced },
    isAwaited: awaited !== undefined,
    missing: Math.max(0, expected - [...held, ...released].filter(isDelivered).length),
    unlisted: pick(recorded, "unlisted"),
    renewing: pick(listed, "renewing"),
    cutShort: pick(recorded, "cutShort"),
    undead: pick(listed, "undead"),
  };
}

function remaining<Proxy>(recorded: readonly Classified<Proxy, string>[]): Proxy[] {
  return recorded.flatMap(({ proxy, as }) => (as === "over" ? [] : [proxy]));
}

function pick<Proxy, Class>(proxies: readonly Classified<Proxy, Class>[], wanted: Class): Proxy[] {
  return proxies.flatMap(({ proxy, as }) => (as === wanted ? [proxy] : []));
}
