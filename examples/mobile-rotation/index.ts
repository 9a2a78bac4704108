import * as pulumi from "@pulumi/pulumi";
import { formatProxies, getMobileOperators, getRentPeriods, ProxyOrder } from "pulumi-proxyrental";

// If another one is the fastest one day, the edit of the paid order is refused: name the operator then.
const country = "POL";
const { mobileOperators } = await getMobileOperators();
const offers = (mobileOperators[country] ?? []).flatMap(({ mobileOperator, rotationTimes }) =>
  rotationTimes.map((rotationTime) => ({ mobileOperator, rotationTime })),
);
const [fastest] = offers.sort((a, b) => a.rotationTime - b.rotationTime);
if (fastest === undefined) throw new pulumi.RunError(`no mobile operator in ${country} at present`);

const { rentPeriodDays } = await getRentPeriods({ proxyType: "MOBILE" });
const phone = new ProxyOrder("phone", {
  proxyType: "MOBILE",
  country,
  quantity: 1,
  rentPeriodDays: Math.min(...rentPeriodDays),
  goal: "app testing",
  ...fastest,
});

export const operator = fastest.mobileOperator;
export const newAddressEverySeconds = fastest.rotationTime;
export const browserProxies = formatProxies(phone, "playwright");
