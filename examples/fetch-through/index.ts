import { formatProxies, ProxyOrder } from "pulumi-proxyrental";

const order = new ProxyOrder("readers", {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "search monitoring",
});

// A secret. read-through.ts reads it:
//   pulumi stack output proxies --json --show-secrets | node read-through.ts https://example.com
export const proxies = formatProxies(order, "undici");
