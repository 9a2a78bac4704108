import * as pulumi from "@pulumi/pulumi";
import { ProxyOrder } from "pulumi-proxyrental";

const config = new pulumi.Config();

// pulumi config set quantity 8, and the preview shows what the three further ones cost. Set it to 4, and four
// are let go for nothing; they stay paid, and come back for nothing until they end.
const fleet = new ProxyOrder("crawlers", {
  proxyType: "IPv4",
  country: "USA",
  quantity: config.getNumber("quantity") ?? 5,
  rentPeriodDays: 30,
  goal: "search monitoring",
  maxPrice: 20,
});

export const held = fleet.proxies.apply((proxies) => proxies.length);
export const letGo = fleet.released.apply((proxies) => proxies.length);
export const orders = fleet.purchases.apply((purchases) =>
  purchases.map(({ orderNumber, quantity }) => `${orderNumber}: ${quantity}`),
);
