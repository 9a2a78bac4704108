import { isIP, SocketAddress } from "node:net";
import { z } from "zod";
import { parseJson } from "../given-file.ts";

/** The two usual forms in which a page tells its caller's address, beside the bare text. */
const toldSchema = z.union([
  z.object({ ip: z.string() }).transform(({ ip }) => ip),
  z.object({ origin: z.string() }).transform(({ origin }) => origin),
]);

/**
 * The address that an answer tells: all of its text, or `ip` or `origin` of its JSON. Of several addresses, which a proxy
 * on the way has added, the last is the one that reached the page. Undefined if it tells none.
 */
export function readToldAddress(body: string): string | undefined {
  const told = toldSchema.safeParse(parseJson(body));
  const text = told.success ? told.data : body;
  const last = text.split(",").at(-1)?.trim() ?? "";
  // An address with a zone means something on one machine only.
  return isIP(last) === 0 || last.includes("%") ? undefined : toOneForm(last);
}

/** Whether two addresses are one, in whatever form each is written. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || toOneForm(one) === toOneForm(other);
}

/** IPv6 has many forms of an address. A server that listens for both families writes IPv4 within IPv6. */
function toOneForm(address: string): string {
  const family = isIP(address);
  if (family !== 6) return address;
  const { address: canonical } = new SocketAddress({ address, family: "ipv6" });
  return /^::ffff:([\d.]+)$/i.exec(canonical)?.[1] ?? canonical;
}
