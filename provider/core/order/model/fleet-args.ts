import type { InputFailure } from "../../values/inputs.ts";

/** The arguments of a fleet as the program gave them. */
export interface GivenFleet {
  args: Readonly<Record<string, unknown>>;
  /** The names of all arguments. */
  accepted: readonly string[];
  /** Whether a value comes later: an output or a promise. */
  isLater: (value: unknown) => boolean;
}

/**
 * What is wrong with the arguments that decide which resources there are. Each order checks its own arguments at
 * preview. This uses no schemas, so that a program with a fleet starts as fast as one that declares its orders.
 */
export function findFleetFailures({ args, accepted, isLater }: GivenFleet): InputFailure[] {
  const strangers = Object.keys(args)
    .filter((name) => !accepted.includes(name))
    .map((property) => ({
      property,
      reason: `is not an argument; accepted: ${accepted.join(", ")}`,
    }));
  return [
    ...strangers,
    ...findCountryFailures(args.countries, isLater),
    ...findAutoExtendFailures(args.autoExtend, isLater),
    ...findMaxSpendFailures(args.maxSpend, isLater),
  ];
}

const acceptedCountries = "a number of proxies for each country, for instance { USA: 50, DEU: 20 }";

function findCountryFailures(countries: unknown, isLater: GivenFleet["isLater"]): InputFailure[] {
  const refuse = (reason: string) => [{ property: "countries", reason }];
  if (countries === undefined || countries === null) {
    return refuse(`is required: ${acceptedCountries}`);
  }
  if (isLater(countries)) {
    return refuse(
      `must be known when the program runs, because each country is a resource; only its numbers may be outputs: ${acceptedCountries}`,
    );
  }
  if (!isPlain(countries)) {
    return refuse(`must be ${acceptedCountries}, not ${JSON.stringify(countries)}`);
  }
  const entries = Object.entries(countries);
  if (entries.length === 0) return refuse(`must name a country: ${acceptedCountries}`);
  return entries.flatMap(([country, quantity]) => {
    const property = `countries.${country}`;
    if (!/^[A-Z]{3}$/.test(country)) {
      const reason = "must be an ISO 3166-1 alpha-3 code in capitals, for instance countries.USA";
      return [{ property, reason }];
    }
    if (isLater(quantity) || isCount(quantity)) return [];
    const reason = `must be a whole number of proxies, at least 1, not ${JSON.stringify(quantity)}; to have none, take the country out`;
    return [{ property, reason }];
  });
}

function findAutoExtendFailures(
  autoExtend: unknown,
  isLater: GivenFleet["isLater"],
): InputFailure[] {
  if (autoExtend === undefined || typeof autoExtend === "boolean") return [];
  const property = "autoExtend";
  const accepted = "true, false or { rentPeriodDays: 60 }";
  if (isLater(autoExtend)) {
    const reason = `must be known when the program runs, because each extension is a resource: ${accepted}`;
    return [{ property, reason }];
  }
  const { rentPeriodDays, ...rest } = isPlain(autoExtend) ? autoExtend : {};
  const fits = isLater(rentPeriodDays) || isCount(rentPeriodDays);
  if (fits && Object.keys(rest).length === 0) return [];
  return [{ property, reason: `must be ${accepted}, not ${JSON.stringify(autoExtend)}` }];
}

function findMaxSpendFailures(maxSpend: unknown, isLater: GivenFleet["isLater"]): InputFailure[] {
  if (maxSpend === undefined || isLater(maxSpend)) return [];
  if (typeof maxSpend === "number" && Number.isFinite(maxSpend) && maxSpend >= 0) return [];
  const reason = `must be an amount in account currency, at least 0, not ${JSON.stringify(maxSpend)}`;
  return [{ property: "maxSpend", reason }];
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
