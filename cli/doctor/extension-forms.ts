import { type ProxyType, proxyTypes, type ServiceError } from "../../provider/client/index.ts";
import type { Catalogue } from "./catalogue-reading.ts";
import { isRefusal } from "./catalogue-reading.ts";
import type { Found } from "./findings.ts";
import { notSeen, type OpenAnswers } from "./open-answers.ts";
import type { TypeReading } from "./page-reading.ts";
import type { RawCaller } from "./raw-calls.ts";

/** In which form the price of an extension can be asked. */
export interface ExtensionReading {
  ipv6IdsAs: OpenAnswers["ipv6IdsAs"];
  found: Found[];
}

/** Asks what it would cost to extend one order of each type that the account holds. Spends nothing. */
export async function readExtensions(
  calls: RawCaller,
  catalogue: Catalogue,
  readings: readonly TypeReading[],
): Promise<ExtensionReading> {
  const found: Found[] = [];
  let ipv6IdsAs: OpenAnswers["ipv6IdsAs"] = notSeen("the account holds no IPv6 proxies");
  const answered: ProxyType[] = [];
  for (const proxyType of proxyTypes) {
    const ids = findSmallestOrder(readings, proxyType);
    const periods = catalogue.rentPeriodDays[proxyType];
    if (ids === undefined || periods.length === 0) continue;
    const ask = async (form: string | string[]) => {
      const body = { proxyType, IpAddressIds: form, rentPeriodDays: Math.min(...periods) };
      return (await calls.ask("calculateExtension", { body })).error;
    };
    const asList = await ask(ids);
    const asString = proxyType === "IPv6" ? await ask(ids.join(",")) : asList;
    if (proxyType === "IPv6") ipv6IdsAs = judgeForms(asList, asString);
    if (asList && asString) found.push(tellRefused(proxyType, asString));
    else answered.push(proxyType);
  }
  if (answered.length > 0)
    found.push({
      about: "extension",
      mark: "well",
      text: `The price of an extension was told for ${answered.join(", ")}.`,
    });
  return { ipv6IdsAs, found };
}

/** An order whole: the document says that IPv6 is extended so. */
function findSmallestOrder(
  readings: readonly TypeReading[],
  wanted: ProxyType,
): string[] | undefined {
  const records = readings.find(({ proxyType }) => proxyType === wanted)?.first?.records ?? [];
  const orders = [...Map.groupBy(records, ({ orderId }) => orderId).values()];
  const [smallest] = orders.toSorted((a, b) => a.length - b.length);
  return smallest?.map(({ ipAddressId }) => ipAddressId);
}

function judgeForms(
  asList: ServiceError | undefined,
  asString: ServiceError | undefined,
): OpenAnswers["ipv6IdsAs"] {
  const how = "by calculations of an extension in both forms";
  if (!asList && !asString) return { answer: "either", how };
  if (!asList && isRefusal(asString)) return { answer: "list", how };
  if (!asString && isRefusal(asList)) return { answer: "string", how };
  return notSeen("neither form was answered");
}

function tellRefused(proxyType: ProxyType, error: ServiceError): Found {
  return {
    about: "extension",
    mark: "look",
    text: `The price of an extension of ${proxyType} can't be asked: ${error.message}.`,
  };
}
