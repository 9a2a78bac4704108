export const proxyTypes = ["IPv4", "IPv6", "MOBILE", "ISP"] as const;
export type ProxyType = (typeof proxyTypes)[number];

interface Country {
  name: string;
  alpha3code: string;
}

interface MobileOperator {
  mobileOperator: string;
  /** Seconds. */
  rotationTimes: number[];
}

export interface PromoCode {
  code: string;
  /** Taken as the uses that are left; the document only says "number of uses". */
  countUses: number;
  startDate: string;
  endDate: string;
  endless: boolean;
  /** Percent. */
  discount: number;
  descriptionsByLocale: Record<string, string>;
}

/** What can be rented. Rent periods are the document's; the rest is made up, in the documented shapes. */
export interface Catalogue {
  countries: Record<ProxyType, Country[]>;
  rentPeriodDays: Record<ProxyType, number[]>;
  mobileOperators: Record<string, MobileOperator[]>;
  promoCodes: PromoCode[];
}

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

function namedCountries(...codes: string[]): Country[] {
  return codes.map((alpha3code) => ({ name: countryNames[alpha3code] ?? alpha3code, alpha3code }));
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
};
