import { formatProxies, ProxyFleet } from "pulumi-proxyrental";

// Each country is a separate order. If you add a country, only its order is bought. If you take one out, its proxies
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
