import { Big } from "big.js";
import type { Prices, ProxyType } from "../catalogue/catalogue.ts";
import { priceAsSeen } from "./seen-prices.ts";

export interface PricedItem {
  proxyType: ProxyType;
  country: string;
  quantity: number;
  rentPeriodDays: number;
}

const halfUp = 1;

/** The service's prices, exact to the cent. */
export class PriceList {
  readonly #prices: Prices;
  readonly #factors: Map<ProxyType, Big>;

  constructor(prices: Prices, factors: Partial<Record<ProxyType, string>> = {}) {
    this.#prices = prices;
    const entries = Object.entries(factors) as [ProxyType, string][];
    this.#factors = new Map(entries.map(([proxyType, factor]) => [proxyType, new Big(factor)]));
  }

  get factors(): Partial<Record<ProxyType, string>> {
    return Object.fromEntries([...this.#factors].map(([type, factor]) => [type, factor.toFixed()]));
  }

  /** Changes every price of a type, as a service may do between a preview and a purchase. */
  setFactor(proxyType: ProxyType, factor: string | number): void {
    this.#factors.set(proxyType, new Big(factor));
  }

  price(item: PricedItem, discountPercent: number): Big {
    return (priceAsSeen(this.#prices.seen, item) ?? this.#multiply(item))
      .times(this.#factors.get(item.proxyType) ?? "1")
      .times(new Big(100).minus(discountPercent))
      .div(100)
      .round(2, halfUp);
  }

  #multiply({ proxyType, country, rentPeriodDays, quantity }: PricedItem): Big {
    const { monthly, countryFactors, periodFactors, quantityTiers } = this.#prices;
    const [tier] = quantityTiers
      .filter(({ from }) => quantity >= from)
      .toSorted((a, b) => b.from - a.from);
    return new Big(monthly[proxyType])
      .times(countryFactors[country] ?? "1")
      .times(periodFactors[rentPeriodDays] ?? new Big(rentPeriodDays).div(30))
      .times(tier?.factor ?? "1")
      .times(quantity);
  }
}
