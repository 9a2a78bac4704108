export const proxyTypes = ["IPv4", "IPv6", "MOBILE", "ISP"] as const;
export type ProxyType = (typeof proxyTypes)[number];

export interface Country {
  name: string;
  alpha3code: string;
}

export interface MobileOperator {
  mobileOperator: string;
  /** Seconds. */
  rotationTimes: number[];
}

export interface PromoCode {
  code: string;
  /** Understood as the uses that are left. The document only says "number of uses". */
  countUses: number;
  startDate: string;
  endDate: string;
  endless: boolean;
  /** Percent. */
  discount: number;
  descriptionsByLocale: Record<string, string>;
}

/** What an order of a real account was seen to cost. */
export interface SeenPrice {
  proxyType: ProxyType;
  country: string;
  rentPeriodDays: number;
  quantity: number;
  price: number;
}

/** What proxies cost. Decimals are texts, because 0.16 is no binary fraction. */
export interface Prices {
  /** The price of one proxy for 30 days. */
  monthly: Record<ProxyType, string>;
  /** By alpha-3 code; 1 if there is none. */
  countryFactors: Record<string, string>;
  /** By days: the factor for the price of 30 days; days / 30 if there is none. */
  periodFactors: Record<number, string>;
  /** The tier with the highest `from` that a quantity reaches is used. */
  quantityTiers: { from: number; factor: string }[];
  /** They win over all of the above for the types that they have. See `priceAsSeen`. */
  seen: SeenPrice[];
}

/** What can be rented, and for how much. */
export interface Catalogue {
  countries: Record<ProxyType, Country[]>;
  rentPeriodDays: Record<ProxyType, number[]>;
  mobileOperators: Record<string, MobileOperator[]>;
  promoCodes: PromoCode[];
  prices: Prices;
}
