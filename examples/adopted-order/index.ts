import * as pulumi from "@pulumi/pulumi";
import { IpAutoExtend, ProxyOrder } from "pulumi-proxyrental";

const config = new pulumi.Config();

// This order was bought by hand, or by a stack that is gone. `npx pulumi-proxyrental adopt` writes a program like this one
// for everything that the account holds.
const order = new ProxyOrder("bought-by-hand", {
  proxyType: "IPv4",
  country: "USA",
  quantity: 3,
  // The service does not tell this about an order. Only the next purchase uses it.
  rentPeriodDays: 30,
  goal: "price comparison",
  adoptOrderNumber: config.require("order"),
});

new IpAutoExtend("keep", {
  proxyType: "IPv4",
  ipAddressIds: order.ipAddressIds,
  rentPeriodDays: 30,
});

export const urls = order.urls;
