import * as pulumi from "@pulumi/pulumi";
import {
  formatProxies,
  getCountries,
  getMobileOperators,
  getRentPeriods,
  IpAutoExtend,
  ProxyOrder,
  type ProxyType,
} from "pulumi-proxyrental";

// The service says what it offers, so this program runs on any account. Your own names its countries, and gives each order a
// maxPrice: if the service begins to offer another country, this one buys there, and lets the last one go.
async function shortestPeriod(proxyType: ProxyType): Promise<number> {
  const { rentPeriodDays } = await getRentPeriods({ proxyType });
  return Math.min(...rentPeriodDays);
}

const { countries } = await getCountries({ proxyType: "IPv4" });
const { mobileOperators } = await getMobileOperators();
const rentPeriodDays = await shortestPeriod("IPv4");

const fleet = countries.slice(0, 2).map(
  ({ alpha3code: country }) =>
    new ProxyOrder(`ipv4-${country.toLowerCase()}`, {
      proxyType: "IPv4",
      country,
      quantity: 5,
      rentPeriodDays,
      goal: "price comparison",
    }),
);

const [mobileCountry = "", operators = []] = Object.entries(mobileOperators)[0] ?? [];
const mobile = new ProxyOrder("mobile", {
  proxyType: "MOBILE",
  country: mobileCountry,
  quantity: 1,
  rentPeriodDays: await shortestPeriod("MOBILE"),
  goal: "app testing",
  mobileOperator: operators[0]?.mobileOperator ?? "",
  rotationTime: operators[0]?.rotationTimes[0] ?? 0,
});

const ipv6Countries = await getCountries({ proxyType: "IPv6" });
const ipv6 = new ProxyOrder("ipv6", {
  proxyType: "IPv6",
  country: ipv6Countries.countries[0]?.alpha3code ?? "",
  quantity: 10,
  rentPeriodDays: await shortestPeriod("IPv6"),
  goal: "search monitoring",
  protocol: "HTTP",
});

const [first] = fleet;
if (first) {
  new IpAutoExtend("keep-first", {
    proxyType: "IPv4",
    ipAddressIds: first.ipAddressIds,
    rentPeriodDays,
  });
}

export const orderNumbers = pulumi.all([...fleet, mobile, ipv6].map((order) => order.orderNumber));
export const addresses = pulumi
  .all(fleet.map((order) => order.proxies))
  .apply((orders) => orders.flat().map((proxy) => `${proxy.ipAddressIp}:${proxy.httpsPort}`));
export const paidUntil = pulumi.all(fleet.map((order) => order.expiresAt));
export const urls = pulumi.all(fleet.map((order) => order.urls));
export const socks5Proxies = pulumi.all(
  fleet.map((order) => formatProxies(order, "undici", { scheme: "socks5" })),
);
