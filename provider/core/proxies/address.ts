import type { ProxyRecord } from "../../client/index.ts";

/** Finds a proxy by its id, or by its address if the service has given it a new id. */
export function findProxy(
  listed: readonly ProxyRecord[],
  { ipAddressId, address }: { ipAddressId: string; address: string },
): ProxyRecord | undefined {
  return (
    listed.find((record) => record.ipAddressId === ipAddressId) ??
    listed.find((record) => addressOf(record) === address)
  );
}

/** Address and port. They stay the same when the service changes an id. */
export function addressOf({
  ipAddressIp,
  httpsPort,
}: Pick<ProxyRecord, "ipAddressIp" | "httpsPort">): string {
  return `${ipAddressIp} ${httpsPort}`;
}
