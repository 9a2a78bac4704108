import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { notKnown, parseInput } from "./inputs.ts";
import { parsePlannedSpend } from "./planned-spend.ts";
import { kindOf } from "./resource-kind.ts";
import { definePolicy } from "./spend-policy.ts";

/** Special-purpose addresses (RFC 6890 and its registries). No request of yours arrives from one. */
const special = new BlockList();
for (const range of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
]) {
  const [net = "", prefix] = range.split("/");
  special.addSubnet(net, Number(prefix), "ipv4");
}
for (const range of [
  "::/128",
  "::1/128",
  "64:ff9b:1::/48",
  "100::/64",
  "2001:db8::/32",
  "fc00::/7",
]) {
  const [net = "", prefix] = range.split("/");
  special.addSubnet(net, Number(prefix), "ipv6");
}
for (const [net, prefix] of [
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  special.addSubnet(net, prefix, "ipv6");
}

/**
 * Refuses a purchase for an address from which nobody on the internet can come: the proxies would be paid, and nobody
 * could use them. An address that is not known yet is refused too. It is not shown.
 */
export const publicAuthIp = definePolicy({
  name: "public-auth-ip",
  description: "Proxies are opened to a public address.",
  config: z.strictObject({}),
  judge(args) {
    if (kindOf(args.type) !== "ProxyOrder" || !parsePlannedSpend(args).spends) return undefined;
    const authIp = parseInput(args.props, "authIp", z.unknown());
    if (authIp === undefined) return undefined;
    if (authIp === notKnown) {
      return "its authIp is not known yet. Give one that is known at preview.";
    }
    if (typeof authIp === "string" && isPublic(authIp)) return undefined;
    return "its authIp is not a public address, so nobody could use what is paid for. Give the address that your requests arrive from on the internet.";
  },
});

function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  return !special.check(address, version === 4 ? "ipv4" : "ipv6");
}
