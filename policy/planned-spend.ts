import type { ResourceValidationArgs } from "@pulumi/policy";
import { z } from "zod";
import { notKnown, type Props, parseInput, readKnown } from "./inputs.ts";

/** What may be paid for a purchase. */
export interface Price {
  amount: number;
  currency: string | undefined;
  /** False if not the price is known, but what it can't exceed. */
  exact: boolean;
}

/** What the plan of one resource means for the account. */
export interface PlannedSpend {
  /**
   * - the price;
   * - `free`: nothing is bought;
   * - `open`: something may be bought, at a price that is not known at preview;
   * - `unreadable`: the provider has put no quote into the plan that these policies understand.
   */
  price: Price | "free" | "open" | "unreadable";
  /** Whether money may be spent: not if nothing is bought, and not if an order is taken over. */
  spends: boolean;
  /** What the plan does, in the provider's words; undefined while it is not known. */
  effect: string | undefined;
  /** How many proxies are bought or paid for longer; undefined while it is not known. */
  quantity: number | undefined;
  /** Undefined while it is not known. */
  rentPeriodDays: number | undefined;
  /** How many days of one proxy are bought at most; undefined while it is not known. */
  proxyDays: number | undefined;
  /** How many times in a row an extension pays for its proxies; 1 for an order. */
  rounds: number;
  /** The account's balance before this run; undefined if the plan does not tell it. */
  balance: number | undefined;
  /** The monthly budget of its account; undefined if the plan tells none. */
  budget: MonthlyBudget | undefined;
  /** What was paid for what is held before this plan. */
  costBasis: CostBasis | undefined;
  /** Undefined while it is not known. */
  proxyType: string | undefined;
  /** Undefined while it is not known, and always for an extension, which may be of any country. */
  country: string | undefined;
}

/** What an account may spend in a month. */
export interface MonthlyBudget {
  monthly: number;
  /** What was spent in the month before this run; undefined if the plan does not tell it. */
  spent?: number | undefined;
}

/** What is held, and what was paid for it. */
interface CostBasis {
  price: number;
  quantity: number;
  rentPeriodDays: number;
}

const amount = z.number().min(0);

// Everything but `none` counts as buying. So an effect that does not exist yet would be judged too.
const quoteSchema = z.object({
  effect: z.string(),
  price: amount.optional(),
  priceAtMost: amount.optional(),
  currency: z.string().optional(),
  quantity: amount.optional(),
  balance: z.number().optional(),
  budget: z.object({ monthly: amount, spent: amount.optional() }).optional().catch(undefined),
  owned: z
    .object({ price: amount, quantity: amount, rentPeriodDays: z.number().positive() })
    .optional()
    .catch(undefined),
});

type Quote = z.infer<typeof quoteSchema>;

/** An order that is taken over was paid earlier. */
const takenOver: ReadonlySet<string> = new Set(["recover", "adopt"]);

const roundsSchema = z.array(z.object({ quantity: amount }));

/** Parses what would be bought from checked inputs. They hold secrets, so nothing else is taken from them. */
export function parsePlannedSpend({ props }: Pick<ResourceValidationArgs, "props">): PlannedSpend {
  const read = readKnown(() => quoteSchema.safeParse(props.quote));
  const quote = read === notKnown ? undefined : read.data;
  const price = read === notKnown ? "open" : read.success ? parsePrice(read.data) : "unreadable";
  const rentPeriodDays = parseOr(props, "rentPeriodDays", z.number().positive());
  const rounds = parseOr(props, "rounds", roundsSchema) ?? [];
  return {
    price,
    spends: price !== "free" && !(quote && takenOver.has(quote.effect)),
    effect: quote?.effect,
    quantity: quote?.quantity,
    rentPeriodDays,
    proxyDays: countProxyDays(quote, rounds, rentPeriodDays),
    rounds: Math.max(1, rounds.length),
    balance: quote?.balance,
    budget: quote?.budget,
    costBasis: quote?.owned,
    proxyType: parseOr(props, "proxyType", z.string()),
    country: parseOr(props, "country", z.string()),
  };
}

function parsePrice({ effect, price, priceAtMost, currency }: Quote): PlannedSpend["price"] {
  if (effect === "none") return "free";
  if (price !== undefined) return { amount: price, currency, exact: true };
  if (priceAtMost !== undefined) return { amount: priceAtMost, currency, exact: false };
  return effect === "unknown" ? "open" : "unreadable";
}

/** An extension may pay for some of its proxies several times. */
function countProxyDays(
  quote: Quote | undefined,
  rounds: readonly { quantity: number }[],
  rentPeriodDays: number | undefined,
): number | undefined {
  if (quote?.quantity === undefined || rentPeriodDays === undefined) return undefined;
  // For an order that grows it is not known how many are bought, but only how many it is to hold.
  if (quote.effect === "unknown" && quote.owned !== undefined) return undefined;
  const paid = rounds.reduce((sum, { quantity }) => sum + quantity, 0);
  return (rounds.length > 0 ? paid : quote.quantity) * rentPeriodDays;
}

function parseOr<Value>(props: Props, name: string, schema: z.ZodType<Value>): Value | undefined {
  const value = parseInput(props, name, schema);
  return value === notKnown ? undefined : value;
}
