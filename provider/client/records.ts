/*
 * The service's records as plain types: what the package's public face is made of. They stand apart from
 * the schemas, so that the compiler of a user's project never has to read the types of a library.
 */

/** The four kinds of proxies that the service rents (source: "Proxy type"). */
export const proxyTypes = ["IPv4", "IPv6", "MOBILE", "ISP"] as const;

/** One of `IPv4`, `IPv6`, `MOBILE`, `ISP`. */
export type ProxyType = (typeof proxyTypes)[number];

/**
 * What the account may still spend.
 *
 * @inline
 */
export interface Balance {
  /** What the account may still spend, in `currency`. */
  balance: number;
  /** ISO currency code. */
  currency: string;
}

/** A country in which a proxy type is offered. */
export interface Country {
  /** The country's name. */
  name: string;
  /** ISO 3166-1 alpha-3 code, as an order takes it. */
  alpha3code: string;
}

/** A discount code. */
export interface PromoCode {
  /** The code, as an order or an extension takes it. */
  code: string;
  /** Number of uses, where the service says it. */
  countUses?: number | null | undefined;
  /** From when it is valid, ISO 8601 with offset. */
  startDate?: string | null | undefined;
  /** Until when it is valid, ISO 8601 with offset. */
  endDate?: string | null | undefined;
  /** Whether its validity has no end. */
  endless?: boolean | null | undefined;
  /** What it takes off a price, in percent. */
  discount: number;
  /** What the service says of it, by locale, for instance `en`. */
  descriptionsByLocale?: Record<string, string> | null | undefined;
}

/** A mobile operator, and how often its proxies can rotate. */
export interface MobileOperator {
  /** The operator's tag, as an order takes it. */
  mobileOperator: string;
  /** After how many seconds it can change a proxy's address. */
  rotationTimes: number[];
}

/** Operators by alpha-3 country code. */
export type MobileOperators = Record<string, MobileOperator[]>;

/** A numbered remark of the service. */
export interface ServiceProblem {
  /** The service's number for it; 16 is too little money. */
  code: number;
  /** What it says, in the service's words. */
  message: string;
}

/** Login and password of one proxy. */
export interface Credential {
  /** The login. */
  login: string;
  /** The password. */
  password: string;
}

/** A proxy that the account rents, without its login. */
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
