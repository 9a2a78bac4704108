import { z } from "zod";
import type { OrderRequest, ProxyType } from "../../../client/index.ts";
import {
  countryArg,
  describeProxies,
  maxPriceArg,
  promoCodeArg,
  proxyTypeArg,
} from "../../proxies/proxy-args.ts";
import {
  acceptedBy,
  accepts,
  acceptsHidden,
  type GivenInputs,
  type InputFailure,
  parseInputs,
} from "../../values/inputs.ts";

const MAX_GOAL_LENGTH = 1_000;

/** The longest that a user may have it wait. */
export const MAX_DELIVERY_TIMEOUT_SECONDS = 24 * 60 * 60;

/** How long to wait for the proxies of a paid order if the user does not say. */
export const DEFAULT_DELIVERY_TIMEOUT_SECONDS = 120;

/** Every argument of an order: how it is read, what is accepted, and what it means. */
export const orderArgsSchema = z.object({
  proxyType: proxyTypeArg.describe("The type of the proxies. Changing it means buying again."),
  country: countryArg.describe(
    "Where the proxies are: an ISO 3166-1 alpha-3 code in capitals, such as `USA`, from `getCountries`. Changing it means buying again.",
  ),
  quantity: accepts(z.int().min(1), "a whole number of proxies, at least 1").describe(
    "Number of proxies. More: those that were let go and are still paid come back free of charge, and the rest is bought as a further order, at the price in the preview. Fewer: those that end first are let go for nothing; they stay paid until they end. IPv6 proxies are let go and come back by whole orders.",
  ),
  rentPeriodDays: accepts(z.int().min(1), "a whole number of days, at least 1").describe(
    "For how many days the proxies are rented: one of `getRentPeriods`. The price is for all of them. A change is recorded for the next purchase.",
  ),
  goal: acceptsHidden(
    z.string().trim().min(1).max(MAX_GOAL_LENGTH),
    `a text of 1 to ${MAX_GOAL_LENGTH} characters that says what the proxies are for`,
  ).describe(
    "What the proxies are for, in your words. A change is recorded for the next purchase.",
  ),
  promoCode: promoCodeArg.describe(
    "A promo code, from `getPromoCodes`. One that is not valid is refused at preview (`PROMO_CODE_NOT_VALID`), because the service would take the order and charge it in full. A change is recorded for the next purchase.",
  ),
  authType: accepts(
    z
      .enum(["LOGIN", "IP"])
      .meta({ typeName: "AuthType", typeDescription: "How proxies know their user." })
      .default("LOGIN"),
    "LOGIN (the default) or IP",
  ).describe(
    "How the proxies know their user: `LOGIN` by login and password, `IP` by the address that the user comes from. Changing it means buying again.",
  ),
  authIp: accepts(z.union([z.ipv4(), z.ipv6()]).optional(), "an IPv4 or IPv6 address").describe(
    "The address that the user comes from, with authType `IP`. Changing it means buying again.",
  ),
  protocol: accepts(
    z
      .enum(["HTTP", "SOCKS"])
      .meta({
        typeName: "ProxyProtocol",
        typeDescription: "The protocols that IPv6 proxies can speak.",
      })
      .optional(),
    "HTTP or SOCKS",
  ).describe("Which protocol the proxies speak; for `IPv6` only. Changing it means buying again."),
  mobileOperator: accepts(
    z.string().min(1).optional(),
    "the tag of an operator that getMobileOperators lists",
  ).describe(
    "The tag of a mobile operator in the country, from `getMobileOperators`; for `MOBILE` only. Changing it means buying again.",
  ),
  rotationTime: accepts(z.int().min(0).optional(), "a whole number of seconds").describe(
    "After how many seconds a proxy changes its address: one of the operator's `rotationTimes`; for `MOBILE` only. Changing it means buying again.",
  ),
  maxPrice: maxPriceArg.describe(
    "The most that one purchase may cost in total, in account currency. A higher price is refused (`PRICE_ABOVE_CAP`), at preview and right before the purchase. Default: no cap but the balance and `proxyrental:maxSpend`.",
  ),
  allowReplacement: accepts(z.boolean().optional(), "true or false").describe(
    "Whether an edit that can't be made to a paid order may buy a new one and let the old one run out. Without it such an edit is refused (`EDIT_REFUSED`). Default: false.",
  ),
  adoptOrderNumber: accepts(
    z.string().trim().min(1).optional(),
    "the number of an order that the account holds, as a text",
  ).describe(
    "Take over an order that the account holds already, by its order id in the listing or its number in the journal; never buys. `proxyType`, `country` and `quantity` must be the order's. Taking the argument out later changes nothing; naming another order releases this one and takes over that one. Default: buy.",
  ),
  deliveryTimeoutSeconds: accepts(
    z.int().min(1).max(MAX_DELIVERY_TIMEOUT_SECONDS).optional(),
    `a whole number of seconds from 1 to ${MAX_DELIVERY_TIMEOUT_SECONDS}`,
  ).describe(
    `How long to wait, in seconds, until the proxies of a paid order are listed. The next \`pulumi up\` waits for what is missing then; nothing is bought again. Default: ${DEFAULT_DELIVERY_TIMEOUT_SECONDS}.`,
  ),
});

/** What a user may say of an order, checked. */
export type OrderArgs = z.infer<typeof orderArgsSchema>;

/** The arguments that say what is bought. To change one on a paid order means to buy again. */
export const identifying = [
  "proxyType",
  "country",
  "authType",
  "authIp",
  "protocol",
  "mobileOperator",
  "rotationTime",
] as const satisfies (keyof OrderArgs)[];

/** An argument that says what is bought. */
export type IdentifyingArg = (typeof identifying)[number];

/** Of these, what the listing shows. Of an order that was taken over, only this is known for certain. */
const listedIdentity: readonly IdentifyingArg[] = ["proxyType", "country"];

/** The arguments that matter only in a purchase. An edit is recorded for the next one. */
const recordedForPurchase = [
  "rentPeriodDays",
  "goal",
  "promoCode",
] as const satisfies (keyof OrderArgs)[];

/** Parses what the program gave, and gives all failures at once. Unknown arguments are left out of `args`. */
export function parseOrderArgs(given: GivenInputs): {
  args: Partial<OrderArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = parseInputs(orderArgsSchema.shape, given);
  const args: Partial<OrderArgs> = values;
  return { args, failures: [...failures, ...findMisfits(args, given)] };
}

/** The arguments that the service is told. Checked inputs hold more, which the service need not know. */
export function toOrderRequest(args: OrderArgs): OrderRequest {
  const { proxyType, country, quantity, rentPeriodDays, goal, promoCode } = args;
  const { authType, authIp, protocol, mobileOperator, rotationTime } = args;
  const request = { proxyType, country, quantity, rentPeriodDays, goal, promoCode };
  return { ...request, authType, authIp, protocol, mobileOperator, rotationTime };
}

/** Which arguments differ so that it would mean to buy again. */
export function changedIdentity(
  before: Partial<OrderArgs> & { holdings?: { adopted?: number | undefined } | undefined },
  after: Partial<OrderArgs>,
  unknown: ReadonlySet<string> = new Set(),
): IdentifyingArg[] {
  const names = before.holdings?.adopted === undefined ? identifying : listedIdentity;
  return names.filter((name) => !unknown.has(name) && before[name] !== after[name]);
}

/** Whether an argument that decides which order is held is not known yet. */
export function leavesPurchaseOpen(unknown: ReadonlySet<string>): boolean {
  return [...identifying, "quantity", "adoptOrderNumber"].some((name) => unknown.has(name));
}

/** Which arguments differ that only the next purchase will use. */
export function changedForLater(before: Partial<OrderArgs>, after: Partial<OrderArgs>): string[] {
  return recordedForPurchase.filter((name) => before[name] !== after[name]);
}

/** What an order holds, in a few words: "5 IPv4 proxies in USA". */
export function describeHeld({
  quantity,
  proxyType,
  country,
}: Pick<OrderArgs, "quantity" | "proxyType" | "country">): string {
  return `${describeProxies(quantity, proxyType)} in ${country}`;
}

/** An order in a few words: "5 IPv4 proxies in USA for 30 days". */
export function describeOrder(
  args: Pick<OrderArgs, "quantity" | "proxyType" | "country" | "rentPeriodDays">,
): string {
  return `${describeHeld(args)} for ${args.rentPeriodDays} days`;
}

/** Arguments that do not go together. */
export function findMisfits(args: Partial<OrderArgs>, given: GivenInputs): InputFailure[] {
  const failures: InputFailure[] = [];
  const isGiven = (name: keyof OrderArgs) =>
    given.unknown.has(name) || (given.known[name] ?? undefined) !== undefined;
  const need = (name: keyof OrderArgs, condition: string) => {
    if (!isGiven(name)) {
      failures.push({
        property: name,
        reason: `is required ${condition}: ${acceptedBy(orderArgsSchema.shape[name])}`,
      });
    }
  };
  const refuse = (name: keyof OrderArgs, condition: string) => {
    if (isGiven(name))
      failures.push({ property: name, reason: `is accepted ${condition}; leave it out` });
  };

  if (args.authType === "IP") need("authIp", 'with authType "IP"');
  if (args.authType === "LOGIN") refuse("authIp", 'only with authType "IP"');
  const { proxyType } = args;
  if (proxyType === undefined) return failures;
  for (const [name, onlyFor] of Object.entries(onlyForType)) {
    const property = name as keyof typeof onlyForType;
    if (proxyType === onlyFor) need(property, `for proxyType ${onlyFor}`);
    else refuse(property, `only for proxyType ${onlyFor}`);
  }
  return failures;
}

const onlyForType = {
  protocol: "IPv6",
  mobileOperator: "MOBILE",
  rotationTime: "MOBILE",
} as const satisfies Partial<Record<keyof OrderArgs, ProxyType>>;
