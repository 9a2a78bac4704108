import type { MobileOperators, ProxyType } from "../../client/index.ts";
import type { FreeService } from "../ports.ts";
import { type InputFailure, listAccepted } from "../values/inputs.ts";
import { remember } from "../values/remember.ts";

/** The arguments that the service's lists decide about. An undefined one is not checked. */
export interface Wanted {
  proxyType?: ProxyType | undefined;
  country?: string | undefined;
  rentPeriodDays?: number | undefined;
  mobileOperator?: string | undefined;
  rotationTime?: number | undefined;
}

/** What the service offers. It is asked once a process, and only when something might be bought. */
export interface Catalogue {
  /** Which of these arguments the service does not offer. */
  failuresOf(wanted: Wanted): Promise<InputFailure[]>;
}

/** What the service offers for one proxy type. */
export interface Offer {
  countries: string[];
  rentPeriodDays: number[];
  operators: MobileOperators;
}

/** Makes a catalogue that remembers what it has read. */
export function createCatalogue(service: FreeService): Catalogue {
  const proxyTypes = remember(() => service.listProxyTypes());
  const operators = remember(() => service.listMobileOperators());
  const offer = remember(async (proxyType: ProxyType): Promise<Offer> => {
    const [countries, rentPeriodDays, offeredOperators] = await Promise.all([
      service.listCountries(proxyType),
      service.listRentPeriods(proxyType),
      proxyType === "MOBILE" ? operators() : {},
    ]);
    const codes = countries.map((country) => country.alpha3code);
    return { countries: codes, rentPeriodDays, operators: offeredOperators };
  });

  return {
    async failuresOf(wanted) {
      const { proxyType } = wanted;
      if (proxyType === undefined) return [];
      // Asked at once with the types: a first plan waits for each answer. Without its type an offer may fail.
      const ofType = offer(proxyType);
      ofType.catch(() => undefined);
      const offered = await proxyTypes();
      if (!offered.includes(proxyType)) {
        const reason = `${proxyType} is not offered; accepted: ${listAccepted(offered)}`;
        return [{ property: "proxyType", reason }];
      }
      return findNotOffered(wanted, await ofType);
    },
  };
}

/** Compares arguments with an offer. Decides nothing about undefined ones. */
export function findNotOffered(wanted: Wanted, offer: Offer): InputFailure[] {
  const failures: InputFailure[] = [];
  const { proxyType, country, rentPeriodDays, mobileOperator, rotationTime } = wanted;
  const check = <T extends string | number>(
    property: keyof Wanted,
    value: T | undefined,
    accepted: readonly T[],
    where: string,
  ) => {
    if (value === undefined || accepted.includes(value)) return;
    const reason = `${value} is not offered ${where}; accepted: ${listAccepted(accepted)}`;
    failures.push({ property, reason });
  };

  check("country", country, offer.countries, `for ${proxyType}`);
  check("rentPeriodDays", rentPeriodDays, offer.rentPeriodDays, `for ${proxyType}`);
  if (country === undefined || !offer.countries.includes(country)) return failures;
  const operators = offer.operators[country] ?? [];
  const tags = operators.map((operator) => operator.mobileOperator);
  check("mobileOperator", mobileOperator, tags, `in ${country}`);
  const operator = operators.find((entry) => entry.mobileOperator === mobileOperator);
  if (operator) {
    check("rotationTime", rotationTime, operator.rotationTimes, `by ${operator.mobileOperator}`);
  }
  return failures;
}
