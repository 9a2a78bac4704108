import type { Catalogue, Country, MobileOperator, Prices, PromoCode } from "./catalogue.ts";

const countryNames: Record<string, string> = {
  BRA: "Brazil",
  CAN: "Canada",
  DEU: "Germany",
  ESP: "Spain",
  FRA: "France",
  GBR: "United Kingdom",
  IND: "India",
  ITA: "Italy",
  JPN: "Japan",
  KAZ: "Kazakhstan",
  NLD: "Netherlands",
  POL: "Poland",
  UKR: "Ukraine",
  USA: "United States",
};

/** A country by its code. The name of an unknown one is its code. */
export function nameCountry(alpha3code: string): Country {
  return { name: countryNames[alpha3code] ?? alpha3code, alpha3code };
}

function namedCountries(...codes: string[]): Country[] {
  return codes.map(nameCountry);
}

const mobileOperators: Record<string, MobileOperator[]> = {
  DEU: [
    { mobileOperator: "telekom", rotationTimes: [120, 300, 600] },
    { mobileOperator: "vodafone", rotationTimes: [300, 1800] },
  ],
  GBR: [{ mobileOperator: "ee", rotationTimes: [180, 600] }],
  POL: [
    { mobileOperator: "orange", rotationTimes: [120, 600] },
    { mobileOperator: "play", rotationTimes: [300] },
  ],
  UKR: [
    { mobileOperator: "kyivstar", rotationTimes: [60, 300] },
    { mobileOperator: "lifecell", rotationTimes: [300, 900] },
  ],
  USA: [
    { mobileOperator: "tmobile", rotationTimes: [300, 600, 1800] },
    { mobileOperator: "verizon", rotationTimes: [600] },
  ],
};

const always = {
  startDate: "2020-01-01T00:00:00.000+00:00",
  endDate: "2099-12-31T23:59:59.999+00:00",
};

function describeDiscount(percent: number): Record<string, string> {
  return {
    en: `${percent}% off every order`,
    uk: `${percent}% знижки на кожне замовлення`,
    ru: `${percent}% скидки на каждый заказ`,
  };
}

function promoCode(
  code: string,
  discount: number,
  rest: Omit<PromoCode, "code" | "discount" | "descriptionsByLocale">,
): PromoCode {
  return { code, discount, ...rest, descriptionsByLocale: describeDiscount(discount) };
}

const promoCodes: PromoCode[] = [
  promoCode("SPRING10", 10, { ...always, endless: true, countUses: 1000 }),
  promoCode("TWICE15", 15, { ...always, endless: false, countUses: 2 }),
  promoCode("GRATIS100", 100, { ...always, endless: false, countUses: 5 }),
  promoCode("WINTER25", 25, {
    startDate: "2020-12-01T00:00:00.000+00:00",
    endDate: "2021-02-28T23:59:59.999+00:00",
    endless: false,
    countUses: 50,
  }),
  promoCode("USEDUP20", 20, { ...always, endless: false, countUses: 0 }),
];

const prices: Prices = {
  monthly: {
    IPv4: "1.40",
    IPv6: "0.16",
    MOBILE: "42.00",
    ISP: "2.30",
  },
  countryFactors: {
    DEU: "1.05",
    GBR: "1.10",
    JPN: "1.30",
    UKR: "0.85",
    POL: "0.90",
    IND: "0.80",
  },
  // A longer period is cheaper by the day.
  periodFactors: {
    30: "1",
    60: "1.95",
    90: "2.85",
    180: "5.50",
    360: "10.50",
  },
  quantityTiers: [
    { from: 100, factor: "0.90" },
    { from: 25, factor: "0.95" },
  ],
  seen: [],
};

/**
 * The rent periods are those of the document. The rest is invented, in the documented shapes. The document shows no
 * prices.
 */
export const defaultCatalogue: Catalogue = {
  countries: {
    IPv4: namedCountries(
      "USA",
      "DEU",
      "GBR",
      "FRA",
      "NLD",
      "POL",
      "UKR",
      "ESP",
      "ITA",
      "BRA",
      "IND",
      "JPN",
      "CAN",
      "KAZ",
    ),
    IPv6: namedCountries("USA", "DEU", "NLD", "GBR", "FRA", "JPN"),
    MOBILE: namedCountries(...Object.keys(mobileOperators)),
    ISP: namedCountries("USA", "GBR", "DEU", "FRA", "CAN"),
  },
  rentPeriodDays: {
    IPv4: [30, 60, 90, 180, 360],
    IPv6: [90, 180, 360],
    MOBILE: [30, 360],
    ISP: [30, 60, 90, 180, 360],
  },
  mobileOperators,
  promoCodes,
  prices,
};
