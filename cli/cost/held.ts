import { growthPercent, subtractMoney } from "../../provider/core/values/money.ts";

/** What is held, per 30 days. */
export interface HeldFigures {
  rates: { currency: string; amount: number }[];
  /** Whether something is held at a price that is not told. Then the rates are only the least. */
  isOpen: boolean;
}

/** What is held per 30 days on the base branch, and with the change, in one currency. */
export interface HeldAgainstBase {
  currency: string;
  base: number;
  /** Whether `base` is only the least that it can be. */
  isBaseOpen: boolean;
  proposed: number;
  /** The same of `proposed`. */
  isProposedOpen: boolean;
  /** Undefined if a part of either is not told. */
  difference: number | undefined;
  /** Undefined if the difference is, or if nothing was held on the base branch. */
  percent: number | undefined;
}

/** Compares what is held on two branches, each currency for itself. */
export function compareHeld(base: HeldFigures, proposed: HeldFigures): HeldAgainstBase[] {
  const currencies = new Set([...base.rates, ...proposed.rates].map(({ currency }) => currency));
  const isOpen = base.isOpen || proposed.isOpen;
  return Array.from(currencies, (currency) => {
    const [earlier, later] = [amountIn(base, currency), amountIn(proposed, currency)];
    return {
      ...{ currency, base: earlier, isBaseOpen: base.isOpen },
      ...{ proposed: later, isProposedOpen: proposed.isOpen },
      difference: isOpen ? undefined : subtractMoney(later, earlier),
      percent: isOpen ? undefined : growthPercent(earlier, later),
    };
  });
}

function amountIn({ rates }: HeldFigures, currency: string): number {
  return rates.find((rate) => rate.currency === currency)?.amount ?? 0;
}
