import { formatProxies, ProxyFleet } from "pulumi-proxyrental";

// Each country is an order of its own: add one, and only that one is bought; take one out, and its proxies
// are no longer extended.
const fleet = new ProxyFleet("prices", {
  proxyType: "ISP",
  countries: { USA: 3, DEU: 2 },
  rentPeriodDays: 30,
  goal: "price comparison",
  maxPrice: 25,
  autoExtend: true,
});

export const paidUntil = fleet.expiresAtByCountry;
export const germanAddresses = fleet.proxiesByCountry.DEU.apply((proxies) =>
  proxies.map((proxy) => proxy.ipAddressIp),
);
export const list = formatProxies(fleet, "user:pass@host:port");
