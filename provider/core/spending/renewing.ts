import type { ProxyType } from "../../client/index.ts";
import { addMoney, formatMoney, roundMoney, shareMoney } from "../values/money.ts";

/** The month of the rates. Rent periods are multiples of it. */
const MONTH_DAYS = 30;

/** What proxies of a type cost per 30 days. Without an amount, nobody can tell yet. */
export interface Monthly {
  proxyType: ProxyType;
  amount?: number | undefined;
}

/** What all that renews by itself costs per 30 days. */
export interface RenewingSum {
  /** The sum of all that is told. */
  amount: number;
  /** Whether a part of it is only the most that it can be. */
  isAtMost: boolean;
  /** Whether a part of it can't be told at all. */
  isOpen: boolean;
}

/** A price for some days, per 30 days. */
export function perMonth(price: number, days: number): number {
  return shareMoney(price, MONTH_DAYS, days);
}

/**
 * Adds up what renews by itself. If the proxies of a renewal are not known yet, they come from orders of this plan. So
 * it costs at most what all these orders of its type cost.
 * @param orders the orders that the plan changes, with what they cost afterwards.
 */
export function addRenewing(renewals: readonly Monthly[], orders: readonly Monthly[]): RenewingSum {
  const told = renewals.flatMap(({ amount }) => amount ?? []);
  const openTypes = new Set(
    renewals.filter(({ amount }) => amount === undefined).map(({ proxyType }) => proxyType),
  );
  const sources = orders.filter(({ proxyType }) => openTypes.has(proxyType));
  const bounds = sources.flatMap(({ amount }) => amount ?? []);
  const hasSource = (type: ProxyType) => sources.some(({ proxyType }) => proxyType === type);
  return {
    amount: addMoney(...told, ...bounds),
    isAtMost: bounds.length > 0,
    isOpen: bounds.length < sources.length || ![...openTypes].every(hasSource),
  };
}

/** A rate for people. What is not told is never called 0. */
export function describeRate({
  amount,
  currency,
  isAtMost,
  isOpen,
}: RenewingSum & { currency: string }): string {
  if (isOpen && amount === 0) return "not known yet";
  // It is for comparisons, so a part of a cent does not matter.
  const cents = roundMoney(Math.round(amount * 100) / 100);
  const told = `${isAtMost ? "up to " : ""}${formatMoney(cents, currency)}`;
  return isOpen ? `${told} and what is not known yet` : told;
}
