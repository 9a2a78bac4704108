import { Big } from "big.js";
import type { PricedItem } from "./pricing.ts";

/** Who caused a charge: a caller of the API, somebody else with the same account, or automatic extension. */
export type ChargeOrigin = "api" | "foreign" | "automatic";

export interface LedgerEntry extends PricedItem {
  /** ISO 8601, by the service's clock. */
  at: string;
  kind: "order" | "extension";
  origin: ChargeOrigin;
  orderNumber: string;
  /** Decimal, two places. */
  price: string;
  /** Decimal, two places. */
  balanceAfter: string;
}

/** Money that was paid in or out, and was no charge. */
export interface Payment {
  /** ISO 8601, by the service's clock. */
  at: string;
  /** Decimal, two places; negative for money that was paid out. */
  amount: string;
  /** Decimal, two places. */
  balanceAfter: string;
}

/** Everything about an account's money. */
export interface LedgerRecord {
  /** Decimal, two places. */
  opening: string;
  entries: LedgerEntry[];
  payments: Payment[];
}

/** The account's money. Only `charge` spends, and each charge leaves an entry. */
export class Ledger {
  readonly #opening: Big;
  readonly #entries: LedgerEntry[];
  readonly #payments: Payment[];
  #balance: Big;

  constructor({ opening, entries, payments }: LedgerRecord) {
    this.#opening = new Big(opening);
    this.#entries = [...entries];
    this.#payments = [...payments];
    this.#balance = this.expectBalance();
  }

  get balance(): Big {
    return this.#balance;
  }

  get entries(): LedgerEntry[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  get record(): LedgerRecord {
    return {
      opening: this.#opening.toFixed(2),
      entries: this.entries,
      payments: this.#payments.map((payment) => ({ ...payment })),
    };
  }

  covers(price: Big): boolean {
    return this.#balance.gte(price);
  }

  charge(entry: Omit<LedgerEntry, "price" | "balanceAfter">, price: Big): void {
    this.#balance = this.#balance.minus(price);
    this.#entries.push({
      ...entry,
      price: price.toFixed(2),
      balanceAfter: this.#balance.toFixed(2),
    });
  }

  /** Pays in or out. That is no charge, so it leaves no entry. */
  setBalance(balance: Big, at: string): void {
    const amount = balance.minus(this.#balance);
    this.#balance = balance;
    this.#payments.push({ at, amount: amount.toFixed(2), balanceAfter: balance.toFixed(2) });
  }

  /** What the balance must be, by all that was ever written down. */
  expectBalance(): Big {
    const paid = this.#payments.reduce((sum, { amount }) => sum.plus(amount), this.#opening);
    return this.#entries.reduce((rest, { price }) => rest.minus(price), paid);
  }
}
