import type { Calculation } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { describeProxies } from "../../proxies/proxy-args.ts";
import { findGateFailures } from "../../spending/gates.ts";
import {
  type ExtensionQuote,
  isPriced,
  type PricedQuote,
  quoteAccount,
} from "../../spending/quote.ts";
import { rethrowExplained } from "../../values/errors.ts";
import type { InputFailure } from "../../values/inputs.ts";
import { addMoney, formatMoney } from "../../values/money.ts";
import type { DatedProxy } from "../model/rounds.ts";
import type { CheckedExtension } from "../model/state.ts";

/** The result of a check: inputs for preview, policies and create, or what is wrong with them. */
export interface ExtensionCheck {
  checked: Partial<CheckedExtension>;
  failures: InputFailure[];
  /** What people are told of the plan: sentences without the resource's name. @default nothing */
  lines?: readonly string[];
}

/** Arguments that would pay for something, before the price is known. */
export type UnpricedExtension = Omit<CheckedExtension, "quote" | "rounds">;

/** Plans a payment: asks for the price of every round, passes the gates, and adds it to the run's sum. */
export async function priceRounds(
  account: Account,
  unpriced: UnpricedExtension,
  rounds: readonly DatedProxy[][],
): Promise<ExtensionCheck> {
  const { owner, maxPrice, promoCode } = unpriced;
  const calculations = await Promise.all(
    rounds.map((round) => askPrice(account, unpriced, round)),
  ).catch(rethrowExplained);
  const total = sumCalculations(calculations);
  const balance = account.balance.first(total.balance);
  const quote: ExtensionQuote = {
    effect: "extend",
    quantity: rounds[0]?.length ?? 0,
    price: total.price ?? undefined,
    currency: total.currency,
    discount: total.discount,
    promoCodeStatus: total.promoCodeStatus ?? undefined,
    ...(await quoteAccount(account, balance)),
  };
  const priced = rounds.map((round, index) => ({
    quantity: round.length,
    price: calculations[index]?.price ?? 0,
  }));
  const checked = { ...unpriced, rounds: priced, quote };
  const failed = calculations
    .map((calculation) => findGateFailures({ promoCode }, calculation))
    .find((failures) => failures.length > 0);
  const failures: InputFailure[] = failed ?? findGateFailures({ promoCode, maxPrice }, total);
  if (failures.length > 0 || !isPriced(quote)) return { checked, failures };

  const usedUp = await account.promoUses.plan(owner, promoCode, rounds.length);
  if (usedUp) return { checked, failures: [usedUp] };
  const shortage = await account.spendLimit.plan(owner, quote, balance);
  if (shortage) return { checked, failures: [shortage] };
  return { checked, failures, lines: [describeExtension(unpriced, rounds, quote)] };
}

function askPrice(
  { service }: Pick<Account, "service">,
  { proxyType, rentPeriodDays, promoCode }: UnpricedExtension,
  round: readonly DatedProxy[],
): Promise<Calculation> {
  const ipAddressIds = round.map((proxy) => proxy.ipAddressId);
  return service.calculateExtension({ proxyType, ipAddressIds, rentPeriodDays, promoCode });
}

/** All rounds as one calculation. It has no usable price if one of them has none, or if they differ in currency. */
export function sumCalculations(calculations: readonly Calculation[]): Calculation {
  const [first, ...others] = calculations;
  if (first === undefined) throw new TypeError("there is nothing to pay for");
  const prices = calculations.map(({ price }) => price).filter((price) => price !== null);
  const summable =
    prices.length === calculations.length &&
    prices.every(Number.isFinite) &&
    others.every(({ currency }) => currency === first.currency);
  return {
    ...first,
    price: summable ? addMoney(...prices) : null,
    discount: Math.min(...calculations.map(({ discount }) => discount ?? 0)),
    warnings: calculations.flatMap(({ warnings }) => warnings),
  };
}

function describeExtension(
  { proxyType, rentPeriodDays, paidThrough }: UnpricedExtension,
  rounds: readonly DatedProxy[][],
  { quantity, price, currency }: PricedQuote,
): string {
  const uniform = rounds.every((round) => round.length === quantity);
  const periods =
    rounds.length === 1
      ? `by ${rentPeriodDays} days`
      : `${uniform ? "" : "up to "}${rounds.length} times ${rentPeriodDays} days`;
  return `extends ${describeProxies(quantity, proxyType)} to at least ${paidThrough}, ${periods}, for ${formatMoney(price, currency)}`;
}
