import {
  getCountries,
  getMobileOperators,
  getRentPeriods,
  IpAutoExtend,
  ProxyOrder,
} from "pulumi-proxyrental";

// What is on offer comes from the service, so the program stays right when the offer changes.
const { countries } = await getCountries({ proxyType: "IPv4" });
const { rentPeriodDays } = await getRentPeriods({ proxyType: "IPv4" });
const { mobileOperators } = await getMobileOperators();

const shortest = Math.min(...rentPeriodDays);
const [firstCountry, secondCountry] = countries.map((country) => country.alpha3code);
if (firstCountry === undefined || secondCountry === undefined) {
  throw new Error("IPv4 proxies are offered in fewer than two countries");
}

const first = new ProxyOrder("ipv4-first", {
  proxyType: "IPv4",
  country: firstCountry,
  quantity: 5,
  rentPeriodDays: shortest,
  goal: "price comparison",
});
