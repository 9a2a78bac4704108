import type { Big } from "big.js";
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

/** The account's money. Only `charge` spends, and each charge leaves an entry. */
export class Ledger {
  #balance: Big;
  readonly #entries: LedgerEntry[] = [];

  constructor(balance: Big) {
    this.#balance = balance;
  }

  get balance(): Big {
    return this.#balance;
  }

  get entries(): LedgerEntry[] {
    return this.#entries.map((entry) => ({ ...entry }));
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

  /** A payment in or out that is no charge: it leaves no entry. */
  setBalance(balance: Big): void {
    this.#balance = balance;
  }
}
