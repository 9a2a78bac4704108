import * as pulumi from "@pulumi/pulumi";
import { IpExtension, ProxyOrder } from "pulumi-proxyrental";

const config = new pulumi.Config();

const order = new ProxyOrder("campaign", {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "ad verification",
});

// Only proxies that end sooner are extended, by as many periods as they need. The preview shows the price. In the run
// that buys the order the proxies are not known yet, so the plan counts maxPrice.
const extension = new IpExtension("campaign-through", {
  proxyType: "IPv4",
  ipAddressIds: order.ipAddressIds,
  rentPeriodDays: 30,
  paidThrough: config.require("through"),
  maxPrice: 30,
});

export const paidUntil = extension.paidUntil;
