import { Big } from "big.js";
import type { ProxyType } from "../catalogue.ts";

export interface PricedItem {
  proxyType: ProxyType;
  country: string;
  quantity: number;
  rentPeriodDays: number;
}

// All of this is made up: the document shows no prices. Strings, because 0.16 is no binary fraction.
const monthlyPrice: Record<ProxyType, string> = {
  IPv4: "1.40",
  IPv6: "0.16",
  MOBILE: "42.00",
  ISP: "2.30",
};

const countryFactor: Record<string, string> = {
  DEU: "1.05",
  GBR: "1.10",
  JPN: "1.30",
  UKR: "0.85",
  POL: "0.90",
  IND: "0.80",
};

/** Longer is cheaper by the day. */
const periodFactor: Record<number, string> = {
  30: "1",
  60: "1.95",
  90: "2.85",
  180: "5.50",
  360: "10.50",
};

const quantityTiers = [
  { from: 100, factor: "0.90" },
  { from: 25, factor: "0.95" },
];

const halfUp = 1;

/** The service's prices, exact to the cent. */
export class PriceList {
  readonly #factors: Map<ProxyType, Big>;

  constructor(factors: Partial<Record<ProxyType, string>> = {}) {
    const entries = Object.entries(factors) as [ProxyType, string][];
    this.#factors = new Map(entries.map(([proxyType, factor]) => [proxyType, new Big(factor)]));
  }

  get factors(): Partial<Record<ProxyType, string>> {
    return Object.fromEntries([...this.#factors].map(([type, factor]) => [type, factor.toFixed()]));
  }

  /** Moves every price of a type, as a service does between a preview and a purchase. */
  setFactor(proxyType: ProxyType, factor: string | number): void {
    this.#factors.set(proxyType, new Big(factor));
  }

  price(item: PricedItem, discountPercent: number): Big {
    const tier = quantityTiers.find((candidate) => item.quantity >= candidate.from);
    return new Big(monthlyPrice[item.proxyType])
      .times(countryFactor[item.country] ?? "1")
      .times(periodFactor[item.rentPeriodDays] ?? new Big(item.rentPeriodDays).div(30))
      .times(tier?.factor ?? "1")
      .times(this.#factors.get(item.proxyType) ?? "1")
      .times(item.quantity)
      .times(new Big(100).minus(discountPercent))
      .div(100)
      .round(2, halfUp);
  }
}
