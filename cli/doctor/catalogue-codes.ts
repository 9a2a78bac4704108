import type { ProxyType } from "../../provider/client/index.ts";
import type { Catalogue } from "./catalogue-reading.ts";
import type { Found } from "./findings.ts";
import type { TypeReading } from "./page-reading.ts";

/** The rent periods of the service's document ("Limits", 1). */
const documentedPeriods: Readonly<Record<ProxyType, readonly number[]>> = {
  IPv4: [30, 60, 90, 180, 360],
  IPv6: [90, 180, 360],
  MOBILE: [30, 360],
  ISP: [30, 60, 90, 180, 360],
};

/** Whether the catalogue has what the account's orders and its own lists refer to. */
export function judgeCodes(
  { countries, rentPeriodDays, mobileOperators }: Catalogue,
  readings: readonly TypeReading[],
): Found[] {
  const strange = readings.flatMap(({ proxyType, first }) => {
    const offered = new Set(countries[proxyType].map(({ alpha3code }) => alpha3code));
    const periods = new Set(rentPeriodDays[proxyType]);
    const records = first?.records ?? [];
    const codes = new Set(
      records.map(({ country }) => country).filter((code) => !offered.has(code)),
    );
    const days = new Set(
      records
        .map(({ extendInfo }) => extendInfo.extendDays)
        .filter((count) => count > 0 && !periods.has(count)),
    );
    return [
      ...[...codes].map(
        (code) =>
          `${proxyType} proxies are listed in ${code}, which is no country of ${proxyType} any more`,
      ),
      ...[...days].map(
        (count) =>
          `${proxyType} proxies are extended by ${count} days, which is no rent period of ${proxyType}`,
      ),
    ];
  });
  const mobile = new Set(countries.MOBILE.map(({ alpha3code }) => alpha3code));
  const operators = Object.keys(mobileOperators).filter((code) => !mobile.has(code));
  if (operators.length > 0)
    strange.push(
      `there are operators in ${operators.join(", ")}, where no MOBILE proxies are offered`,
    );
  const found = strange.map(
    (text): Found => ({
      about: "catalogue",
      mark: "look",
      text: `The catalogue and the account disagree: ${text}.`,
    }),
  );
  const other = findOtherPeriods(rentPeriodDays);
  if (other.length > 0) {
    found.push({
      about: "rentPeriods",
      mark: "look",
      text: `The document has other rent periods: ${other.join("; ")}. The provider goes by the service's.`,
    });
  }
  if (found.length > 0) return found;
  return [
    {
      about: "catalogue",
      mark: "well",
      text: "The catalogue has every country and period that the account's orders refer to, and the periods of the document.",
    },
  ];
}

function findOtherPeriods(rentPeriodDays: Catalogue["rentPeriodDays"]): string[] {
  return (Object.keys(documentedPeriods) as ProxyType[]).flatMap((type) => {
    const said = [...rentPeriodDays[type]].sort((a, b) => a - b).join(", ");
    const documented = documentedPeriods[type].join(", ");
    // What could not be read is told elsewhere.
    return said === "" || said === documented
      ? []
      : [`${type} ${documented}, and the service ${said}`];
  });
}
