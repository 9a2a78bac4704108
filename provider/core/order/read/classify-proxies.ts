import type { ProxyRecord } from "../../../client/index.ts";
import { ofOrders } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import { addressOf } from "../../proxies/address.ts";
import { endOf, hasEnded, isBackwards } from "../../values/dates.ts";
import { rememberOf } from "../../values/remember.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";
import { findGoneIds, isDeclaredGone } from "./gone.ts";
import { withPaidEnd } from "./paid-end.ts";

/**
 * What a listed proxy is to the resource whose order it is of:
 * - `held`, `released`: it lives, and the resource holds it or has let it go;
 * - `past`: it has ended;
 * - `renewing`: it has ended, although its auto-extension is on, or was on then;
 * - `gone`: it has ended, and is declared gone;
 * - `undead`: it is declared gone, and lives.
 */
type ListedClass = "held" | "released" | "past" | "renewing" | "gone" | "undead";

/**
 * What has become of a recorded proxy:
 * - `listed`: it is there, and lives;
 * - `unlisted`: it should be there, and is not; what the service has exchanged looks like that;
 * - `cutShort`: it has ended by the listing, and was recorded as paid for longer;
 * - `over`: it has ended for certain, or is declared gone.
 */
type RecordedClass = "listed" | "unlisted" | "cutShort" | "over";

/** A proxy and its one class. */
export interface Classified<Proxy, Class> {
  proxy: Proxy;
  as: Class;
}

/** Every listed proxy of a resource's orders and every recorded one, each with its class. */
interface ClassifiedProxies {
  listed: Classified<ProxyRecord, ListedClass>[];
  /** Those that are recorded as held. */
  recordedHeld: Classified<ReleasedProxy, RecordedClass>[];
  /** Those that are recorded as let go. */
  recordedReleased: Classified<ReleasedProxy, RecordedClass>[];
}

/** Whether the service may have extended a proxy whose automatic extension is off. */
export type MayBeExtended = (proxy: ReleasedProxy) => boolean;

/** Compares each proxy of a resource with a complete listing. */
export function classifyProxies(
  state: OrderState,
  { records, asOf }: Pick<Snapshot, "records" | "asOf">,
  goneOrders: ReadonlySet<string>,
  mayBeExtended: MayBeExtended = () => false,
): ClassifiedProxies {
  const goneIds = findGoneIds(state, goneOrders);
  const isGone = (proxy: ReleasedProxy) => isDeclaredGone(proxy, goneIds, goneOrders);
  const own = ofOrders(records, state.orderIds);
  const { lastOf } = rowIndex(records);
  // What has been extended under another id leaves a remainder under the former one.
  const isLast = (row: ProxyRecord) => (lastOf.get(addressOf(row)) ?? row) === row;
  const classifyOwn = (row: ProxyRecord) =>
    classifyRow(row, isGone(row), isLast(row) && mayBeExtended(row), asOf);
  const rowClasses = new Map(own.map((row) => [row, classifyOwn(row)]));
  const rowOf = findRows(records, [...state.proxies, ...state.released]);
  const classify = (proxy: ReleasedProxy): Classified<ReleasedProxy, RecordedClass> => {
    if (isGone(proxy)) return { proxy, as: "over" };
    const row = rowOf(proxy);
    if (row === undefined) {
      return { proxy, as: classifyUnseen(state, proxy, mayBeExtended(proxy), asOf) };
    }
    return { proxy, as: classifySeen(proxy, row, rowClasses.get(row)) };
  };
  const recordedReleased = state.released.map(classify);
  const remaining = recordedReleased.filter(({ as }) => as !== "over").map(({ proxy }) => proxy);
  const living = own.filter((row) => rowClasses.get(row) === "living");
  const { held, released } = share(state, living, remaining);
  return {
    listed: [
      ...held.map((proxy) => ({ proxy, as: "held" as const })),
      ...released.map((proxy) => ({ proxy, as: "released" as const })),
      ...[...rowClasses].flatMap(([proxy, as]) => (as === "living" ? [] : [{ proxy, as }])),
    ],
    recordedHeld: state.proxies.map(classify),
    recordedReleased,
  };
}

/** What one row says by itself. Which of the living ones are held is decided for all of them together. */
type RowClass = Exclude<ListedClass, "held" | "released"> | "living";

function classifyRow(
  row: ProxyRecord,
  isGone: boolean,
  mayBeExtended: boolean,
  asOf: Date | undefined,
): RowClass {
  const isPast = hasEnded(row, asOf);
  if (isGone) return isPast ? "gone" : "undead";
  if (!isPast) return "living";
  return row.extendInfo.autoExtend || mayBeExtended ? "renewing" : "past";
}

/** The class of a recorded proxy that is no longer listed, under any order. */
function classifyUnseen(
  state: OrderState,
  proxy: ReleasedProxy,
  mayBeExtended: boolean,
  asOf: Date | undefined,
): RecordedClass {
  const isOpen = proxy.extendInfo.autoExtend || mayBeExtended;
  return hasEnded(withPaidEnd(state, proxy), asOf) && !isOpen ? "over" : "unlisted";
}

/** The class of a recorded proxy, by its row. `as` is undefined for a row of another order. */
function classifySeen(
  proxy: ReleasedProxy,
  row: ProxyRecord,
  as: RowClass | undefined,
): RecordedClass {
  if (as === "living") return "listed";
  if (as !== "past" && as !== "renewing") return "unlisted";
  return row.ipAddressId === proxy.ipAddressId && isBackwards(row, proxy) ? "cutShort" : "over";
}

/**
 * Tells held proxies from released ones. A proxy that the service has exchanged replaces a missing one of the same
 * order, and a held one first. An order that is listed although nothing of it was recorded any more counts as let go:
 * it is paid, so it is not bought again.
 */
function share(
  { proxies, released: letGo, holdings }: OrderState,
  living: readonly ProxyRecord[],
  remaining: readonly ReleasedProxy[],
): { held: ProxyRecord[]; released: ProxyRecord[] } {
  const isReleased = among(remaining, proxies);
  const isRecorded = among(proxies, remaining);
  const found = living.filter(isReleased);
  const isFound = among(found, []);
  const lost = Map.groupBy(
    remaining.filter((proxy) => !isFound(proxy)),
    ({ orderId }) => orderId,
  );
  const strange = Map.groupBy(
    living.filter((record) => !isReleased(record) && !isRecorded(record)),
    ({ orderId }) => orderId,
  );
  const recordedOrders = new Set([...proxies, ...letGo].map(({ orderId }) => orderId));
  const surplus = Math.max(0, living.length - found.length - holdings.held);
  const others = [...strange]
    .flatMap(([orderId, records]) =>
      recordedOrders.has(orderId) ? records.slice(0, lost.get(orderId)?.length ?? 0) : records,
    )
    .slice(0, surplus);
  const released = new Set([...found, ...others]);
  return { held: living.filter((record) => !released.has(record)), released: [...released] };
}

/**
 * Whether a proxy is one of these, by its id, or by its address if the service has changed the id. One that has the id of one of
 * the others is that one, wherever it is now.
 */
function among(
  proxies: readonly ReleasedProxy[],
  others: readonly ReleasedProxy[],
): (proxy: ReleasedProxy) => boolean {
  const addresses = new Set(proxies.map(addressOf).filter((address) => address !== ""));
  const [ids, otherIds] = [idsOf(proxies), idsOf(others)];
  return (proxy) => {
    if (ids.has(proxy.ipAddressId)) return true;
    return !otherIds.has(proxy.ipAddressId) && addresses.has(addressOf(proxy));
  };
}

function idsOf(proxies: readonly ReleasedProxy[]): ReadonlySet<string> {
  return new Set(proxies.map(({ ipAddressId }) => ipAddressId));
}

/**
 * Finds the row of a proxy by its id, or by its address if the service has changed the id. A row with the id of another
 * recorded proxy is that one, which may have moved there. And a row of the same address that ends earlier is a remainder under
 * an older id.
 */
function findRows(
  records: readonly ProxyRecord[],
  recorded: readonly ReleasedProxy[],
): (proxy: ReleasedProxy) => ProxyRecord | undefined {
  const { byId, lastOf } = rowIndex(records);
  const ids = idsOf(recorded);
  return (proxy) => {
    const row = byId.get(proxy.ipAddressId) ?? lastOf.get(addressOf(proxy));
    if (row === undefined || row.ipAddressId === proxy.ipAddressId) return row;
    if (ids.has(row.ipAddressId)) return undefined;
    return proxy.dateEnd !== undefined && endOf(row) < endOf(proxy) ? undefined : row;
  };
}

/** The rows by their ids, and of each address the one that ends last. All orders of a stack look into one listing. */
const rowIndex = rememberOf((records: readonly ProxyRecord[]) => {
  const byId = new Map(records.map((record) => [record.ipAddressId, record]));
  const lastOf = new Map<string, ProxyRecord>();
  for (const record of records) {
    const address = addressOf(record);
    const other = lastOf.get(address);
    if (address !== "" && (other === undefined || endOf(other) < endOf(record))) {
      lastOf.set(address, record);
    }
  }
  return { byId, lastOf };
});
