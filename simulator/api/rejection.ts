import { mostLiveProxies } from "../live/live-proxies.ts";

/** `{code, message}`, as in the service's `error` and `warnings`. */
export interface ServiceError {
  code: number;
  message: string;
}

/** The codes in the service's document. */
const documented = {
  apiKey: { code: 2, message: "Error api key" },
  proxyType: { code: 4, message: "Incorrect proxy type" },
  mobileOperator: { code: 8, message: "Incorrect mobile operator" },
  protocol: { code: 13, message: "Incorrect protocol" },
  goal: { code: 14, message: "Incorrect goal" },
  funds: { code: 16, message: "Insufficient funds on balance" },
} as const satisfies Record<string, ServiceError>;

const documentedList = Object.values(documented);

export type DocumentedCode = (typeof documentedList)[number]["code"];

export const documentedCodes = documentedList.map(({ code }) => code);

export function documentedError(code: DocumentedCode): ServiceError {
  const found = documentedList.find((error) => error.code === code);
  if (found === undefined) throw new RangeError(`The document shows no code ${code}`);
  return found;
}

/**
 * Invented codes: the document says that there are more codes, and shows neither their numbers nor their messages.
 * The service will hardly use numbers above 9000, so nobody relies on these by accident.
 */
const invented = {
  country: { code: 9001, message: "Incorrect country" },
  quantity: { code: 9002, message: "Incorrect quantity" },
  rentPeriodDays: { code: 9003, message: "Incorrect rent period" },
  authType: { code: 9004, message: "Incorrect authorization type" },
  authIp: { code: 9005, message: "Incorrect authorization IP" },
  ipAddressIds: { code: 9006, message: "Incorrect IP addresses" },
  wholeOrder: { code: 9007, message: "All IP addresses of the order must be extended" },
  page: { code: 9008, message: "Incorrect page" },
  autoExtend: { code: 9009, message: "Incorrect auto-extension" },
  promoCode: { code: 9010, message: "Incorrect promo code" },
  liveRoom: {
    code: 9011,
    message: `No room: a simulator keeps ${mostLiveProxies} live proxies at a time, all accounts together`,
  },
} satisfies Record<string, ServiceError>;

export const serviceErrors = { ...documented, ...invented };

type Reason = keyof typeof serviceErrors;

/** The rules throw this. It becomes an answer with `success: false` and the endpoint's empty fields. */
export class Rejection extends Error {
  readonly error: ServiceError;

  constructor(reason: Reason) {
    super(serviceErrors[reason].message);
    this.error = serviceErrors[reason];
  }
}

/** The code for a missing or wrong field. */
const reasonByField: ReadonlyMap<PropertyKey, Reason> = new Map<PropertyKey, Reason>([
  ["proxyType", "proxyType"],
  ["country", "country"],
  ["quantity", "quantity"],
  ["rentPeriodDays", "rentPeriodDays"],
  ["goal", "goal"],
  ["promoCode", "promoCode"],
  ["mobileOperator", "mobileOperator"],
  // The document has no code for the rotation time. It belongs to the operator.
  ["rotationTime", "mobileOperator"],
  ["protocol", "protocol"],
  ["authType", "authType"],
  ["authIp", "authIp"],
  ["IpAddressIds", "ipAddressIds"],
  ["ipAddressIds", "ipAddressIds"],
  ["autoExtend", "autoExtend"],
  ["page", "page"],
  ["size", "page"],
]);

/** The rejection for the first wrong field. A body that is no object has no proxy type either. */
export function rejectShape(issues: readonly { path: readonly PropertyKey[] }[]): Rejection {
  const field = issues[0]?.path[0];
  return new Rejection((field !== undefined && reasonByField.get(field)) || "proxyType");
}
