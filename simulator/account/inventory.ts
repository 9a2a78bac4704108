import type { Settings } from "../settings.ts";
import type { Identities } from "./identity.ts";
import { dayMs, type Order, type RentedProxy } from "./order.ts";

/** How many were ever made. The next identity follows from it. */
export interface InventoryCounters {
  proxiesMade: number;
  idsChanged: number;
}

/** The account's proxies by their ids. Makes them, and gives them other ids. */
export class Inventory {
  readonly #settings: Settings;
  readonly #identities: Identities;
  readonly #proxies = new Map<string, RentedProxy>();
  #counters: InventoryCounters;

  constructor(
    settings: Settings,
    identities: Identities,
    counters: InventoryCounters = { proxiesMade: 0, idsChanged: 0 },
  ) {
    this.#settings = settings;
    this.#identities = identities;
    this.#counters = { ...counters };
  }

  get counters(): InventoryCounters {
    return { ...this.#counters };
  }

  find(ipAddressId: string): RentedProxy | undefined {
    return this.#proxies.get(ipAddressId);
  }

  /** Adds the next proxy to an order. */
  make(order: Order, orderIndex: number): void {
    const proxyIndex = this.#counters.proxiesMade;
    this.#counters.proxiesMade += 1;
    const index = order.proxies.length;
    const { deliveryDelayMs, deliveryBatch } = this.#settings;
    const batchDelayMs = deliveryBatch
      ? Math.floor(index / deliveryBatch.size) * deliveryBatch.everyMs
      : 0;
    const proxy: RentedProxy = {
      ipAddressId: this.#identities.ipAddressId(proxyIndex),
      order,
      ...this.#identities.address(order.proxyType, orderIndex, index, proxyIndex),
      ...this.#identities.credentials(proxyIndex),
      deliverAtMs: order.placedAtMs + deliveryDelayMs + batchDelayMs,
      startMs: order.placedAtMs,
      endMs: order.placedAtMs + order.rentPeriodDays * dayMs,
      autoExtend: false,
      extendDays: 0,
      state: "undelivered",
    };
    order.proxies.push(proxy);
    this.add(proxy);
  }

  /** Adds a proxy that was made before. */
  add(proxy: RentedProxy): void {
    this.#proxies.set(proxy.ipAddressId, proxy);
  }

  /** Gives the same proxies new ids. The old ids find nothing any more. */
  changeIds(proxies: Iterable<RentedProxy>): void {
    for (const proxy of proxies) {
      this.#proxies.delete(proxy.ipAddressId);
      proxy.ipAddressId = this.#identities.laterIpAddressId(this.#counters.idsChanged);
      this.#counters.idsChanged += 1;
      this.add(proxy);
    }
  }

  remove(proxies: Iterable<RentedProxy>): void {
    for (const proxy of proxies) this.#proxies.delete(proxy.ipAddressId);
  }
}
