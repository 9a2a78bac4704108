/*
 * The service's records as plain types: what the package's public face is made of. They stand apart from
 * the schemas, so that the compiler of a user's project never has to read the types of a library.
 */

/** The four kinds of proxies that the service rents (source: "Proxy type"). */
export const proxyTypes = ["IPv4", "IPv6", "MOBILE", "ISP"] as const;

/** One of `IPv4`, `IPv6`, `MOBILE`, `ISP`. */
export type ProxyType = (typeof proxyTypes)[number];

/** What the account may still spend. */
export interface Balance {
  /** Amount in `currency`. */
  balance: number;
  /** ISO currency code. */
  currency: string;
}

/** A country in which a proxy type is offered (source: "Country"). */
export interface Country {
  name: string;
  alpha3code: string;
}

/** A discount code (source: "Promo code"). */
export interface PromoCode {
  code: string;
  countUses?: number | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  endless?: boolean | null | undefined;
  /** Percent. */
  discount: number;
  descriptionsByLocale?: Record<string, string> | null | undefined;
}

/** A mobile operator (source: "Mobile operator listing"). */
export interface MobileOperator {
  mobileOperator: string;
  /** Seconds. */
  rotationTimes: number[];
}

/** Operators by alpha-3 country code. */
export type MobileOperators = Record<string, MobileOperator[]>;

/** A numbered remark of the service: an error or a warning. */
export interface ServiceProblem {
  code: number;
  message: string;
}

/** Login and password of one proxy. */
export interface Credential {
  login: string;
  password: string;
}

/** The service's record of one proxy (source: "IP address record"), without its login. */
export interface RentedProxy {
  ipAddressId: string;
  ipAddressIp: string;
  /** The order it belongs to. */
  orderId: string;
  /** Alpha-3 country code. */
  country: string;
  /** ISO 8601 with offset; absent while the service has not set it. */
  dateStart?: string | undefined;
  /** ISO 8601 with offset; absent while the service has not set it. */
  dateEnd?: string | undefined;
  httpsPort?: string | undefined;
  socks5Port?: string | undefined;
  comment?: string | undefined;
  /** Whether it is extended automatically, and by how many days each time. */
  extendInfo: { autoExtend: boolean; extendDays: number };
}
