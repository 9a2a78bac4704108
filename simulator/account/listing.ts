import type { Order, RentedProxy } from "./order.ts";

export interface ListingPage {
  totalElements: number;
  totalPages: number;
  proxies: RentedProxy[];
}

/**
 * The proxies of one type as the service lists them: delivered, not expired, grouped by order. The rows are made once
 * after each change, so that a page costs its own size and not the size of the account.
 */
export class Listing {
  #orders: Order[] = [];
  #rows: RentedProxy[] | null = [];

  add(order: Order): void {
    this.#orders.push(order);
    this.#rows = null;
  }

  /** Call this whenever the state of a proxy has changed, or a proxy was taken out of its order. */
  refresh(): void {
    this.#rows = null;
  }

  page(page: number, size: number): ListingPage {
    const rows = this.#assembleRows();
    return {
      totalElements: rows.length,
      totalPages: Math.ceil(rows.length / size),
      proxies: rows.slice(page * size, (page + 1) * size),
    };
  }

  #assembleRows(): RentedProxy[] {
    if (this.#rows !== null) return this.#rows;
    this.#orders = this.#orders.filter((order) =>
      order.proxies.some((proxy) => proxy.state !== "expired"),
    );
    const rows: RentedProxy[] = [];
    for (const order of this.#orders) {
      for (const proxy of order.proxies) if (proxy.state === "listed") rows.push(proxy);
    }
    this.#rows = rows;
    return rows;
  }
}
