import { isDeepStrictEqual } from "node:util";
import type { NamesOfType, PurchasedOrder } from "../records/intent.ts";
import type { HeldOrder } from "../records/run-fact.ts";

/** Orders that resources have, found by any name. */
export class OrdersByName {
  readonly #orders = new Map<string, HeldOrder[]>();

  add(...orders: readonly HeldOrder[]): this {
    for (const order of orders) {
      for (const key of new Set(keysOf(order))) {
        const named = this.#orders.get(key) ?? [];
        if (named.some((one) => isDeepStrictEqual(one, order))) continue;
        this.#orders.set(key, [...named, order]);
      }
    }
    return this;
  }

  /** All but these orders of these states. */
  without(orders: readonly HeldOrder[]): OrdersByName {
    const all = new Set([...this.#orders.values()].flat());
    const isLeft = (one: HeldOrder) => !orders.some((order) => isOfSameState(one, order));
    return new OrdersByName().add(...[...all].filter(isLeft));
  }

  get size(): number {
    return this.#orders.size;
  }

  has(order: PurchasedOrder): boolean {
    return keysOf(order).some((key) => this.#orders.get(key)?.some((one) => isOrder(one, order)));
  }
}

/**
 * Whether an order that a resource has is the one that is looked for. Of what was bought, the purchase tells. Where that of the
 * other one is not known, only the listed ids do: the number that was told for the one may be the listed id of the other.
 */
export function isOrder(held: HeldOrder, sought: PurchasedOrder): boolean {
  if (held.requestId === undefined) return isSameOrder(held, sought);
  if (sought.requestId === undefined) return isSameOrder(asListed(held), sought);
  return held.requestId === sought.requestId && isSameOrder(held, sought);
}

/** Whether an order is the same, and had by the same state: a resource may have two. */
export function isOfSameState(a: HeldOrder, b: HeldOrder): boolean {
  return a.requestId === b.requestId && a.handOver === b.handOver && isSameOrder(a, b);
}

/** Whether two orders have a name in common, and one type. */
export function isSameOrder(a: NamesOfType, b: NamesOfType): boolean {
  return a.proxyType === b.proxyType && a.names.some((name) => b.names.includes(name));
}

/** An order by its listed ids alone; by its number if it has none yet. */
function asListed({ proxyType, names: [number, ...orderIds] }: HeldOrder): NamesOfType {
  return { proxyType, names: orderIds.length > 0 ? orderIds : [number] };
}

/** The service may give orders of two types one number. */
function keysOf({ proxyType, names }: NamesOfType): string[] {
  return names.map((name) => `${proxyType} ${name}`);
}
