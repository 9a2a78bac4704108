import type { ResourceValidationArgs } from "@pulumi/policy";
import { z } from "zod";

/** What may be paid for a purchase. */
export interface Price {
  amount: number;
  currency: string | undefined;
  /** False where the price is not known, but what it cannot exceed is. */
  exact: boolean;
}

/** What the plan of one resource means for the account. */
export interface Purchase {
  /**
   * - the price;
   * - `free`: nothing is bought;
   * - `open`: something may be bought, at a price that is not known at preview;
   * - `unreadable`: the provider has put no quote into the plan that these policies understand.
   */
  price: Price | "free" | "open" | "unreadable";
  /** Undefined while it is not known. */
  proxyType: string | undefined;
  /** Undefined while it is not known, and always of an extension, which may be of any. */
  country: string | undefined;
}

/** Our resources that can buy, as the dynamic host and as a plugin call them. */
const buyingTypes: ReadonlySet<string> = new Set(
  ["ProxyOrder", "IpExtension"].flatMap((kind) => [
    `pulumi-nodejs:dynamic/proxyrental:${kind}`,
    `proxyrental:index:${kind}`,
  ]),
);

const amount = z.number().min(0);

// Everything but `none` counts as buying, also effects that do not exist yet: they would be held too.
const quoteSchema = z.object({
  effect: z.string(),
  price: amount.optional(),
  priceAtMost: amount.optional(),
  currency: z.string().optional(),
});

/** Whether a resource, by its type, is one that spends money. */
export function canBuy(type: string): boolean {
  return buyingTypes.has(type);
}

/** Reads from checked inputs what would be bought. The inputs hold secrets: nothing else leaves this room. */
export function readPurchase({ props }: Pick<ResourceValidationArgs, "props">): Purchase {
  return {
    price: readPrice(props),
    proxyType: readText(props, "proxyType"),
    country: readText(props, "country"),
  };
}

function readPrice(props: Props): Purchase["price"] {
  const quote = readKnown(() => quoteSchema.safeParse(props.quote));
  if (quote === notKnown) return "open";
  if (!quote.success) return "unreadable";
  const { effect, price, priceAtMost, currency } = quote.data;
  if (effect === "none") return "free";
  if (price !== undefined) return { amount: price, currency, exact: true };
  if (priceAtMost !== undefined) return { amount: priceAtMost, currency, exact: false };
  return effect === "unknown" ? "open" : "unreadable";
}

function readText(props: Props, name: string): string | undefined {
  const text = readKnown(() => z.string().safeParse(props[name]).data);
  return text === notKnown ? undefined : text;
}

type Props = ResourceValidationArgs["props"];

const notKnown = Symbol("not known");

/**
 * The SDK throws where an unknown value is read, and then lets a mandatory policy pass with an advice. What
 * it throws belongs to its copy of the package, so anything thrown by a mere reading counts.
 */
function readKnown<Value>(read: () => Value): Value | typeof notKnown {
  try {
    return read();
  } catch {
    return notKnown;
  }
}
