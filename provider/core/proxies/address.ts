import type { ProxyRecord } from "../../client/index.ts";

/** A proxy as it is known from earlier: how it was named, where it was, and of which order. */
export interface KnownProxy {
  ipAddressId: string;
  /** Its address and port; "" if nobody has told both. */
  address: string;
  /** The order as the listing names it. Release 0.1.0 has not recorded it. */
  orderId?: string | undefined;
}

/** A proxy as it is listed, or as a state records it. */
type PlacedProxy = Pick<ProxyRecord, "ipAddressId" | "ipAddressIp" | "httpsPort"> &
  Pick<KnownProxy, "orderId">;

/**
 * Finds a proxy by its id, or by its address if the service has given it a new id. Once a proxy has ended, the service may
 * give its address to another order. So at an address only a proxy of the same order is the same one. If the order was not
 * recorded, nothing tells the two cases apart, and nothing is found.
 */
export function findProxy<Placed extends PlacedProxy>(
  listed: readonly Placed[],
  known: KnownProxy,
): Placed | undefined {
  const { orderId } = known;
  const isOfOrder = (proxy: Placed) => orderId !== undefined && proxy.orderId === orderId;
  return findById(listed, known) ?? listed.find((proxy) => isAt(known, proxy) && isOfOrder(proxy));
}

/**
 * Finds what may be the proxy: by its id, or whatever is at its address. For those who wait while there is a doubt. What
 * is found may be another order's, so nothing is paid for it, and nothing is switched.
 */
export function findPossible(
  listed: readonly ProxyRecord[],
  known: KnownProxy,
): ProxyRecord | undefined {
  return findById(listed, known) ?? listed.find((record) => isAt(known, record));
}

/** Says for people what is at the addresses of proxies that are not found; "" if there is nothing. */
export function describeInPlace(
  listed: readonly ProxyRecord[],
  missing: readonly KnownProxy[],
): string {
  const found = missing.flatMap((known) => {
    const record = findProxy(listed, known) === undefined && findPossible(listed, known);
    if (!record) return [];
    return [`${record.ipAddressId} of order ${record.orderId} in place of ${known.ipAddressId}`];
  });
  if (found.length === 0) return "";
  return `. Others are at these addresses now: ${found.join(", ")}. They are taken for other proxies, and left as they are. If one is the same proxy under a new id, name it by that id`;
}

/** A recorded proxy, to look for it in a listing. */
export function toKnown(proxy: PlacedProxy): KnownProxy {
  const { ipAddressId, orderId } = proxy;
  return { ipAddressId, orderId, address: addressOf(proxy) };
}

/**
 * Address and port, which stay the same when the service changes an id; "" if the port is not told. Without it, several
 * proxies may share an address, so it names none.
 */
export function addressOf({
  ipAddressIp,
  httpsPort,
}: Pick<ProxyRecord, "ipAddressIp" | "httpsPort">): string {
  return httpsPort === undefined ? "" : `${ipAddressIp} ${httpsPort}`;
}

/** All that names a proxy: its id, and its address. */
export function namesOfProxy({
  ipAddressId,
  address,
}: Pick<KnownProxy, "ipAddressId" | "address">): string[] {
  return address === "" ? [ipAddressId] : [ipAddressId, address];
}

function findById<Placed extends PlacedProxy>(
  listed: readonly Placed[],
  { ipAddressId }: KnownProxy,
): Placed | undefined {
  return listed.find((record) => record.ipAddressId === ipAddressId);
}

function isAt({ address }: KnownProxy, record: PlacedProxy): boolean {
  return address !== "" && addressOf(record) === address;
}
