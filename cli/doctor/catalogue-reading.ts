import {
  type Country,
  type MobileOperators,
  type PromoCode,
  type ProxyType,
  proxyTypes,
  type ServiceError,
} from "../../provider/client/index.ts";
import type { Found } from "./findings.ts";
import { notSeen, type OpenAnswers } from "./open-answers.ts";
import type { Exchange, RawCaller } from "./raw-calls.ts";

/** What the service says can be rented. What can't be read is empty. */
export interface Catalogue {
  types: string[];
  countries: Record<ProxyType, Country[]>;
  rentPeriodDays: Record<ProxyType, number[]>;
  mobileOperators: MobileOperators;
  promoCodes: PromoCode[];
}

/** The catalogue, what is to be said of it, and in which form it gives the lists of ISP. */
export interface CatalogueReading {
  catalogue: Catalogue;
  found: Found[];
  ispNeedsUsersPrefix: OpenAnswers["ispNeedsUsersPrefix"];
}

/** Reads all that can be rented. ISP's lists are asked for in both forms. */
export async function readCatalogue(calls: RawCaller): Promise<CatalogueReading> {
  const found: Found[] = [];
  const keep = <Answer>(
    what: string,
    exchange: { answer?: Answer; error?: ServiceError },
    none: Answer,
  ) => {
    if (exchange.error) found.push(tellUnreadable(what, exchange.error));
    return exchange.answer ?? none;
  };
  const types = keep("The list of proxy types", await calls.ask("listProxyTypes"), []);
  const mobileOperators = keep("The list of operators", await calls.ask("listMobileOperators"), {});
  const promoCodes = keep("The list of promo codes", await calls.ask("listPromoCodes"), []);
  const countries: Catalogue["countries"] = { IPv4: [], IPv6: [], MOBILE: [], ISP: [] };
  const rentPeriodDays: Catalogue["rentPeriodDays"] = { IPv4: [], IPv6: [], MOBILE: [], ISP: [] };
  for (const proxyType of ["IPv4", "IPv6", "MOBILE"] as const) {
    countries[proxyType] = keep(
      `The countries of ${proxyType}`,
      await calls.ask("listCountries", { proxyType }),
      [],
    );
    rentPeriodDays[proxyType] = keep(
      `The rent periods of ${proxyType}`,
      await calls.ask("listRentPeriods", { proxyType }),
      [],
    );
  }
  const isp = await readIsp(calls);
  countries.ISP = isp.countries;
  rentPeriodDays.ISP = isp.rentPeriodDays;
  found.push(...isp.found, ...judgeTypes(types));
  const catalogue = { types, countries, rentPeriodDays, mobileOperators, promoCodes };
  return { catalogue, found, ispNeedsUsersPrefix: isp.ispNeedsUsersPrefix };
}

function tellUnreadable(what: string, error: ServiceError): Found {
  return { about: "catalogue", mark: "wrong", text: `${what} can't be read: ${error.message}.` };
}

/** Whether the service has refused the path or the form, and is not just unwell. */
export function isRefusal(error: ServiceError | undefined): boolean {
  return error?.code === "SERVICE_REFUSED" || error?.httpStatus === 404;
}

async function readIsp(calls: RawCaller) {
  const proxyType = "ISP" as const;
  const prefix = "/users";
  const plain = {
    countries: await calls.ask("listCountries", { proxyType }),
    periods: await calls.ask("listRentPeriods", { proxyType }),
  };
  const users = {
    countries: await calls.ask("listCountries", { proxyType, prefix }),
    periods: await calls.ask("listRentPeriods", { proxyType, prefix }),
  };
  const { answer, found } = judgeIspForms(plain, users);
  return {
    countries: plain.countries.answer ?? users.countries.answer ?? [],
    rentPeriodDays: plain.periods.answer ?? users.periods.answer ?? [],
    ispNeedsUsersPrefix: answer,
    found,
  };
}

type IspLists = { countries: Exchange<"listCountries">; periods: Exchange<"listRentPeriods"> };

function judgeIspForms(
  plain: IspLists,
  users: IspLists,
): { answer: OpenAnswers["ispNeedsUsersPrefix"]; found: Found[] } {
  const works = ({ countries, periods }: IspLists) => !(countries.error || periods.error);
  const isRefused = ({ countries, periods }: IspLists) =>
    isRefusal(countries.error) || isRefusal(periods.error);
  if (works(plain)) {
    const how = works(users)
      ? "both forms of the path were answered"
      : "only the path without /users was answered";
    return { answer: { answer: false, how }, found: [] };
  }
  if (works(users) && isRefused(plain)) {
    return { answer: { answer: true, how: "only the path with /users was answered" }, found: [] };
  }
  const error =
    plain.countries.error ?? plain.periods.error ?? users.countries.error ?? users.periods.error;
  const found =
    error === undefined || works(users)
      ? []
      : [tellUnreadable("The countries and rent periods of ISP", error)];
  return { answer: notSeen("the lists of ISP could not be read in both forms"), found };
}

function judgeTypes(types: readonly string[]): Found[] {
  if (types.length === 0) return [];
  const known: readonly string[] = proxyTypes;
  const strange = types.filter((type) => !known.includes(type));
  const missing = known.filter((type) => !types.includes(type));
  const about = "types";
  if (strange.length === 0 && missing.length === 0) {
    return [{ about, mark: "well", text: `The service rents ${types.join(", ")}.` }];
  }
  const texts = [
    ...(strange.length === 0
      ? []
      : [`it rents ${strange.join(", ")}, which this package does not know`]),
    ...(missing.length === 0 ? [] : [`it does not rent ${missing.join(", ")}`]),
  ];
  return [
    {
      about,
      mark: "look",
      text: `The service's types are not those of its document: ${texts.join("; ")}.`,
    },
  ];
}
