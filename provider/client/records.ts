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
  /** The login. */
  login: string;
  /** The password. */
  password: string;
}

/** A proxy that the account rents (source: "IP address record"), without its login. */
export interface RentedProxy {
  /** Names the proxy in extensions and auto-extensions. */
  ipAddressId: string;
  /** The proxy's IP address. */
  ipAddressIp: string;
  /** The order it belongs to, as the listing names it. */
  orderId: string;
  /** ISO 3166-1 alpha-3 code. */
  country: string;
  /** Since when it is rented, ISO 8601 with offset; absent while the service does not say. */
  dateStart?: string | undefined;
  /** Until when it is paid, ISO 8601 with offset; absent while the service does not say. */
  dateEnd?: string | undefined;
  /** Port for HTTP and HTTPS. */
  httpsPort?: string | undefined;
  /** Port for SOCKS5. */
  socks5Port?: string | undefined;
  /** Free text that the service's record carries. */
  comment?: string | undefined;
  /** Whether it is extended automatically, and by how many days each time. */
  extendInfo: AutoExtension;
}

/** Whether a proxy is extended automatically. */
export interface AutoExtension {
  /** Whether the proxy is extended automatically, and charged for, before it ends. */
  autoExtend: boolean;
  /** Length of each automatic extension, in days. */
  extendDays: number;
}
