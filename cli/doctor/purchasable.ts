import type { ProxyType } from "../../provider/client/index.ts";
import type { Catalogue } from "./catalogue-reading.ts";
import type { Exchange, RawCaller } from "./raw-calls.ts";

/** An order whose price can be asked. */
export interface Item {
  proxyType: ProxyType;
  country: string;
  quantity: number;
  rentPeriodDays: number;
}

/** The goal of what is only calculated. */
const GOAL = "doctor";

/** The service's code for too little money: what it says of the rest is true all the same. */
const FUNDS_CODE = 16;

/** Asks what an order would cost. Spends nothing. */
export function calculate(
  calls: RawCaller,
  { mobileOperators }: Catalogue,
  item: Item,
): Promise<Exchange<"calculateOrder">> {
  const [operator] = mobileOperators[item.country] ?? [];
  const body = {
    ...item,
    goal: GOAL,
    ...(item.proxyType === "MOBILE" &&
      operator !== undefined && {
        mobileOperator: operator.mobileOperator,
        rotationTime: operator.rotationTimes[0],
      }),
  };
  return calls.ask("calculateOrder", { body });
}

/** Whether the order would go through, if the account had the money. */
export function isAccepted({ answer }: Exchange<"calculateOrder">): boolean {
  return (
    answer !== undefined &&
    answer.price !== null &&
    answer.warnings.every(({ code }) => code === FUNDS_CODE)
  );
}

/** The countries in which an order of a type can be asked for: a MOBILE one needs an operator. */
export function countriesFor(
  { countries, mobileOperators }: Catalogue,
  proxyType: ProxyType,
): string[] {
  const codes = countries[proxyType].map(({ alpha3code }) => alpha3code);
  if (proxyType !== "MOBILE") return codes;
  return codes.filter((code) =>
    mobileOperators[code]?.some(({ rotationTimes }) => rotationTimes.length > 0),
  );
}

/** The shortest order of a type in its first country; undefined if the catalogue offers none. */
export function findSample(
  catalogue: Catalogue,
  proxyType: ProxyType,
): Omit<Item, "quantity"> | undefined {
  const [country] = countriesFor(catalogue, proxyType);
  const periods = catalogue.rentPeriodDays[proxyType];
  if (country === undefined || periods.length === 0) return undefined;
  return { proxyType, country, rentPeriodDays: Math.min(...periods) };
}
