import * as pulumi from "@pulumi/pulumi";
import { ProxyOrder } from "pulumi-proxyrental";

const config = new pulumi.Config();

// Run "pulumi config set quantity 8", and the preview shows the price of three more proxies. Then set it to 4, and
// four are released. That costs nothing. Released proxies stay paid until they end; until then you can have them back
// for nothing.
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
