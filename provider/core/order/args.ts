import { z } from "zod";
import type { OrderRequest, ProxyType } from "../../client/index.ts";
import {
  acceptedBy,
  accepts,
  acceptsHidden,
  type GivenInputs,
  type InputFailure,
  readInputs,
} from "../inputs.ts";
import {
  countryArg,
  describeProxies,
  maxPriceArg,
  promoCodeArg,
  proxyTypeArg,
} from "../proxy-args.ts";

const MAX_GOAL_LENGTH = 1_000;

const MAX_DELIVERY_TIMEOUT_SECONDS = 24 * 60 * 60;

/** How long to wait for the proxies of a paid order where the user does not say. */
export const DEFAULT_DELIVERY_TIMEOUT_SECONDS = 120;

/** Every argument of an order: how it is read, and what is accepted. */
export const orderArgsSchema = z.object({
  proxyType: proxyTypeArg,
  country: countryArg,
  quantity: accepts(z.int().min(1), "a whole number of proxies, at least 1"),
  rentPeriodDays: accepts(z.int().min(1), "a whole number of days, at least 1"),
  goal: acceptsHidden(
    z.string().trim().min(1).max(MAX_GOAL_LENGTH),
    `a text of 1 to ${MAX_GOAL_LENGTH} characters that says what the proxies are for`,
  ),
  promoCode: promoCodeArg,
  authType: accepts(z.enum(["LOGIN", "IP"]).default("LOGIN"), "LOGIN (the default) or IP"),
  authIp: accepts(z.union([z.ipv4(), z.ipv6()]).optional(), "an IPv4 or IPv6 address"),
  protocol: accepts(z.enum(["HTTP", "SOCKS"]).optional(), "HTTP or SOCKS"),
  mobileOperator: accepts(
    z.string().min(1).optional(),
    "the tag of an operator that getMobileOperators lists",
  ),
  rotationTime: accepts(z.int().min(0).optional(), "a whole number of seconds"),
  maxPrice: maxPriceArg,
  allowReplacement: accepts(z.boolean().optional(), "true or false"),
  adoptOrderNumber: accepts(
    z.string().trim().min(1).optional(),
    "the number of an order that the account holds, as a text",
  ),
  deliveryTimeoutSeconds: accepts(
    z.int().min(1).max(MAX_DELIVERY_TIMEOUT_SECONDS).optional(),
    `a whole number of seconds from 1 to ${MAX_DELIVERY_TIMEOUT_SECONDS}`,
  ),
});

/** What a user may say of an order, checked. */
export type OrderArgs = z.infer<typeof orderArgsSchema>;

/** What is bought: changing one of these on a paid order would mean buying again. */
const identifying = [
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

/** What the listing shows of an order: of one that was taken over, only this is known to be so. */
const listedIdentity: readonly IdentifyingArg[] = ["proxyType", "country"];

/** What matters only at the moment of a purchase, and is otherwise recorded for the next one. */
const recordedForPurchase = [
  "rentPeriodDays",
  "goal",
  "promoCode",
] as const satisfies (keyof OrderArgs)[];

/** Reads what the program gave; every failure at once. Unknown arguments are left out of `args`. */
export function readOrderArgs(given: GivenInputs): {
  args: Partial<OrderArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = readInputs(orderArgsSchema.shape, given);
  const args: Partial<OrderArgs> = values;
  return { args, failures: [...failures, ...misfits(args, given)] };
}

/** The part of the arguments that the service is told; checked inputs hold more, which is not its business. */
export function toOrderRequest(args: OrderArgs): OrderRequest {
  const { proxyType, country, quantity, rentPeriodDays, goal, promoCode } = args;
  const { authType, authIp, protocol, mobileOperator, rotationTime } = args;
  const request = { proxyType, country, quantity, rentPeriodDays, goal, promoCode };
  return { ...request, authType, authIp, protocol, mobileOperator, rotationTime };
}

/** Which arguments differ in a way that would mean buying again. */
export function changedIdentity(
  before: Partial<OrderArgs> & { holdings?: { adopted?: number | undefined } | undefined },
  after: Partial<OrderArgs>,
  unknown: ReadonlySet<string> = new Set(),
): IdentifyingArg[] {
  const names = before.holdings?.adopted === undefined ? identifying : listedIdentity;
  return names.filter((name) => !unknown.has(name) && before[name] !== after[name]);
}

/** Whether an argument that decides over buying is not known yet. */
export function leavesPurchaseOpen(unknown: ReadonlySet<string>): boolean {
  return unknown.has("quantity") || identifying.some((name) => unknown.has(name));
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
function misfits(args: Partial<OrderArgs>, given: GivenInputs): InputFailure[] {
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
