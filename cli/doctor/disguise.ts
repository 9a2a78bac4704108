import { redactKey } from "../../provider/client/index.ts";

/** What is replaced, each kind by names of its own. */
type Secret = "id" | "order" | "address" | "login" | "password" | "comment" | "promo";

/** Replaces what is somebody's own: the same by the same, wherever it stands. */
export interface Disguise {
  /** One value of a kind; an empty text says nothing, and stays. */
  replace(kind: Secret, value: string): string;
  /** The text of a field as it may be told. */
  text(field: string, value: string): string;
  /** A JSON document of the service, or for it. */
  document(json: unknown): unknown;
}

/** Fields that hold something of the account's own. */
const secretFields: Readonly<Record<string, Secret>> = {
  ipAddressId: "id",
  ipAddressIds: "id",
  IpAddressIds: "id",
  ipAddressIp: "address",
  authIp: "address",
  orderId: "order",
  orderNumber: "order",
  login: "login",
  password: "password",
  comment: "comment",
  code: "promo",
  promoCode: "promo",
};

const word = /^[\w-]{1,40}$/;
const date = /^[\d\-:.,TZ+ /]{1,40}$/;
/** Written for people: it may stay but for what is known to be somebody's own. */
const remark = /^/;
/** A word that others use too: a comment may be the same word. */
const name = /^/;

/** Documented fields whose texts may stay, if they have this form. Of any other field only the form stays. */
const plainFields: Readonly<Record<string, RegExp>> = {
  ...{ proxyType: word, proxyTypes: word, country: word, alpha3code: word },
  ...{ currency: /^[A-Z]{3}$/, currencyCode: /^[A-Z]{3}$/, promoCodeStatus: word },
  ...{ dateStart: date, dateEnd: date, startDate: date, endDate: date },
  ...{ httpsPort: /^\d{1,5}$/, socks5Port: /^\d{1,5}$/, goal: /^doctor$/ },
  ...{ name, mobileOperator: name, message: remark },
};

/** Fields whose numbers and truths may stay. */
const plainNumbers: ReadonlySet<string> = new Set([
  ...[
    "success",
    "balance",
    "price",
    "discount",
    "code",
    "rentPeriodDays",
    "quantity",
    "countUses",
    "endless",
  ],
  ...[
    "totalElements",
    "totalPages",
    "page",
    "size",
    "rotationTimes",
    "rotationTime",
    "autoExtend",
    "extendDays",
  ],
]);

/** The name of a field that nobody has foreseen may be somebody's own too, as a map's key is. */
const fieldName = /^[A-Za-z][A-Za-z_]{0,40}$/;

/** What is nobody else's. */
const own: readonly Secret[] = ["address", "login", "password"];
const every: readonly Secret[] = [...own, "id", "order", "comment", "promo"];

/** What stands in the place of a text that nobody has foreseen. */
const HIDDEN = "<text>";

/** A shorter text is a part of other words. */
const LEAST_SWEPT = 4;

/** Makes a disguise for all that was exchanged with an account. It has to see all of it first, to know it again in other texts. */
export function createDisguise(apiKey: string, all: readonly unknown[]): Disguise {
  const names = new Map<string, string>();
  const counts = new Map<Secret, number>();

  function replace(kind: Secret, value: string): string {
    const slot = `${kind} ${value}`;
    const known = value === "" ? "" : names.get(slot);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = nameOf(kind, value, count);
    names.set(slot, name);
    return name;
  }

  /** Takes what is known to be somebody's own out of a text that was written for people. */
  function sweep(written: string, kinds: readonly Secret[]): string {
    const known = [...names.keys()].flatMap((slot) => {
      const [kind = "", ...rest] = slot.split(" ");
      return kinds.some((one) => one === kind) ? [rest.join(" ")] : [];
    });
    return known
      .filter((secret) => secret.length >= LEAST_SWEPT)
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), redactKey(written, apiKey))
      .replaceAll(/\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f]*:[\da-f:]*|\S+@\S+/gi, HIDDEN);
  }

  function hide(field: string, value: unknown): unknown {
    if (value === null) return null;
    if (Array.isArray(value)) return value.map((item) => hide(field, item));
    if (typeof value === "object") return hideFields(field, value);
    const kind = Object.hasOwn(secretFields, field) ? secretFields[field] : undefined;
    if (typeof value === "string") return hideText(field, kind, value);
    if (kind !== undefined && kind !== "promo")
      return Number(replace(kind, String(value)).replaceAll(/\D/g, ""));
    if (plainNumbers.has(field)) return value;
    return typeof value === "number" ? 0 : false;
  }

  function hideText(field: string, kind: Secret | undefined, value: string): string {
    // The ids of an extension may be one text.
    if (kind === "id")
      return value
        .split(",")
        .map((id) => replace(kind, id))
        .join(",");
    if (kind !== undefined) return replace(kind, value);
    const form = Object.hasOwn(plainFields, field) ? plainFields[field] : undefined;
    if (form?.test(value) !== true) return value === "" ? "" : HIDDEN;
    if (form === remark) return sweep(value, every);
    return form === name ? sweep(value, own) : value;
  }

  function isPlainName(field: string): boolean {
    const isDocumented = [secretFields, plainFields].some((table) => Object.hasOwn(table, field));
    return isDocumented || (fieldName.test(field) && sweep(field, own) === field);
  }

  function hideFields(field: string, value: object): object {
    const isKeyed = field === "mobileOperators" || field === "descriptionsByLocale";
    return Object.fromEntries(
      Object.entries(value).map(([name, inner], index) => [
        isPlainName(name) ? name : `field${index}`,
        hide(isKeyed ? "" : name, inner),
      ]),
    );
  }

  const disguise = {
    replace,
    text: (field: string, value: string) => String(hide(field, value)),
    document: (json: unknown) => hide("", json),
  };
  // The first pass learns what must stand in no text.
  for (const json of all) disguise.document(json);
  return disguise;
}

function nameOf(kind: Secret, value: string, count: number): string {
  switch (kind) {
    case "id":
    case "order":
      return nameId(kind, value, count);
    case "address":
      return nameAddress(value, count);
    case "promo":
      return `PROMO-${count}`;
    default:
      return `${kind}-${count}`;
  }
}

/** An id keeps its form, as far as it is a usual one. */
function nameId(kind: Secret, value: string, count: number): string {
  if (/^\d+$/.test(value)) return String(count).padStart(value.length, "0");
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) {
    return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  }
  return `${kind}-${count}`;
}

/** Networks that are set aside for measurements (RFC 2544, RFC 5180): nobody has such an address. */
function nameAddress(value: string, count: number): string {
  if (value.includes(":")) return `2001:2::${count.toString(16)}`;
  if (/^[\d.]+$/.test(value))
    return `198.${18 + Math.floor(count / 65_536)}.${Math.floor(count / 256) % 256}.${count % 256}`;
  return `proxy-${count}.invalid`;
}
