import type { Big } from "big.js";
import type { ProxyType } from "../catalogue/catalogue.ts";
import type { Clock } from "../clock.ts";
import type { ProxyFault } from "../live/proxy-fault.ts";
import type { Settings } from "../settings.ts";
import { type AccountRecord, type OrderRecord, recordOrder } from "./account-record.ts";
import { Identities } from "./identity.ts";
import { Inventory } from "./inventory.ts";
import { type ChargeOrigin, Ledger } from "./ledger.ts";
import { deliverDue, expireDue, findNextMoment, groupRenewals } from "./lifetime.ts";
import { Listing, type ListingPage } from "./listing.ts";
import {
  dayMs,
  describeItem,
  formatTimestamp,
  groupByOrder,
  type Order,
  type OrderDetails,
  type RentedProxy,
} from "./order.ts";
import type { Premises } from "./premises.ts";
import { type PricedItem, PriceList } from "./pricing.ts";
import { PromoBook } from "./promo-book.ts";
import { Schedule } from "./schedule.ts";

/** Who an account is. */
export interface AccountIdentity {
  /** Its name at the control API. */
  readonly name: string;
  readonly apiKey: string;
}

/** One account and all it holds. The rules about requests are not here: the caller has checked them. */
export class Account implements AccountIdentity {
  readonly name: string;
  readonly apiKey: string;
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly prices: PriceList;
  readonly promoBook: PromoBook;
  readonly schedule: Schedule;
  readonly #seed: number;
  readonly #identities: Identities;
  readonly #premises: Premises | undefined;
  readonly #orders: Order[] = [];
  readonly #inventory: Inventory;
  readonly #listings: Record<ProxyType, Listing>;

  /** A new account, or one that goes on from what was saved. */
  constructor(
    { name, apiKey }: AccountIdentity,
    record: AccountRecord,
    settings: Settings,
    clock: Clock,
    premises?: Premises,
  ) {
    this.name = name;
    this.apiKey = apiKey;
    this.settings = settings;
    this.schedule = new Schedule(clock);
    this.#premises = premises;
    this.#seed = record.seed;
    this.ledger = new Ledger(record.money);
    this.prices = new PriceList(settings.catalogue.prices, record.priceFactors);
    this.promoBook = new PromoBook(settings.catalogue.promoCodes, record.promoCodeUses);
    this.#identities = new Identities(record.seed);
    this.#inventory = new Inventory(settings, this.#identities, record.counters);
    this.#listings = {
      IPv4: new Listing(),
      IPv6: new Listing(),
      MOBILE: new Listing(),
      ISP: new Listing(),
    };
    for (const order of record.orders) this.#restoreOrder(order);
  }

  /** The key, if the seed has made it. A key that somebody has chosen may be a secret, and nobody is told. */
  get madeKey(): string | undefined {
    return this.apiKey === this.#identities.apiKey() ? this.apiKey : undefined;
  }

  /** All that another account needs to go on from here, except calls that were put off. */
  get record(): AccountRecord {
    return {
      seed: this.#seed,
      money: this.ledger.record,
      priceFactors: this.prices.factors,
      promoCodeUses: this.promoBook.usesLeft,
      counters: this.#inventory.counters,
      orders: this.#orders.map(recordOrder),
    };
  }

  /** The service's time. While `settle` catches up, the time at which something was due. */
  nowMs(): number {
    return this.schedule.nowMs();
  }

  /** Does what has become due since the last call: deliveries, automatic extensions, ends, calls that were put off. */
  settle(): void {
    this.schedule.settle();
  }

  /** Always true if proxies are only entries of a listing. */
  hasRoomFor(quantity: number): boolean {
    return this.#premises?.hasRoomFor(quantity) ?? true;
  }

  orders(): readonly Order[] {
    return this.#orders;
  }

  proxies(): RentedProxy[] {
    return this.#orders.flatMap((order) => order.proxies);
  }

  /** Finds a listed proxy. A caller can't know the ids of undelivered and expired ones. */
  findListed(ipAddressId: string): RentedProxy | undefined {
    const proxy = this.find(ipAddressId);
    return proxy?.state === "listed" ? proxy : undefined;
  }

  find(ipAddressId: string): RentedProxy | undefined {
    return this.#inventory.find(ipAddressId);
  }

  /** Of an order that was placed by then, the listing already tells when its proxies end. */
  endsToldUntilMs(): number {
    return this.nowMs() - this.settings.dateEndDelayMs;
  }

  page(proxyType: ProxyType, page: number, size: number): ListingPage {
    return this.#listings[proxyType].page(page, Math.min(size, this.settings.pageCap));
  }

  placeOrder(
    item: PricedItem,
    price: Big,
    origin: "api" | "foreign",
    details: OrderDetails,
  ): Order {
    const placedAtMs = this.nowMs();
    const orderIndex = this.#orders.length;
    const orderId = this.#identities.orderId(orderIndex);
    const orderNumber = this.settings.orderNumberDiffersFromOrderId
      ? this.#identities.separateOrderNumber(orderIndex)
      : orderId;
    const order: Order = {
      ...item,
      orderId,
      orderNumber,
      placedAtMs,
      origin,
      details,
      proxies: [],
    };
    for (let index = 0; index < item.quantity; index += 1) {
      this.#inventory.make(order, orderIndex);
    }
    for (const proxy of order.proxies) this.#premises?.assign(proxy);
    this.#keep(order);
    const at = formatTimestamp(placedAtMs);
    this.ledger.charge(
      {
        at,
        kind: "order",
        origin,
        orderNumber,
        ...describeItem(order, item.quantity, item.rentPeriodDays),
      },
      price,
    );
    this.#settleOrder(order, placedAtMs);
    return order;
  }

  /** Moves the ends of proxies of one order and charges for it. */
  extend(order: Order, proxies: readonly RentedProxy[], days: number, price: Big): void {
    this.#extendAt(order, proxies, days, price, "api", this.nowMs());
    this.#planNext(order, this.nowMs());
  }

  /** Spends nothing by itself. `settle` does later what the flag says. */
  setAutoExtension(proxies: Iterable<RentedProxy>, autoExtend: boolean, days: number): void {
    for (const [order, members] of groupByOrder(proxies)) {
      for (const proxy of members) {
        proxy.autoExtend = autoExtend;
        proxy.extendDays = days;
      }
      this.#planNext(order, this.nowMs());
    }
  }

  /** Only live proxies can have a fault. Throws a TypeError for others. */
  setProxyFault(proxies: Iterable<RentedProxy>, fault: ProxyFault | undefined): void {
    const premises = this.#premises;
    if (premises === undefined) {
      throw new TypeError("Only live proxies have faults: start the simulator with live: true");
    }
    for (const proxy of proxies) premises.setFault(proxy, fault);
  }

  /** Ends proxies now, as if their time were over. */
  expire(proxies: Iterable<RentedProxy>): void {
    for (const [order, members] of groupByOrder(proxies)) {
      for (const proxy of members) {
        proxy.endMs = this.nowMs();
        proxy.state = "expired";
        this.#premises?.close(proxy);
      }
      this.#listings[order.proxyType].refresh();
    }
  }

  /** Removes proxies as if they had never existed. A refund by the service may look like this. */
  remove(proxies: Iterable<RentedProxy>): void {
    for (const [order, members] of groupByOrder(proxies)) {
      const gone = new Set(members);
      this.#inventory.remove(members);
      for (const proxy of members) this.#premises?.close(proxy);
      order.proxies = order.proxies.filter((proxy) => !gone.has(proxy));
      this.#listings[order.proxyType].refresh();
    }
  }

  #restoreOrder({ proxies, ...rest }: OrderRecord): void {
    const order: Order = { ...rest, proxies: [] };
    for (const record of proxies) {
      const proxy: RentedProxy = { ...record, order };
      order.proxies.push(proxy);
      this.#inventory.add(proxy);
      if (proxy.state !== "expired") this.#premises?.assign(proxy);
      if (proxy.state === "listed") this.#premises?.open(proxy);
    }
    this.#keep(order);
    this.#planNext(order, this.nowMs());
  }

  #keep(order: Order): void {
    this.#orders.push(order);
    this.#listings[order.proxyType].add(order);
  }

  #settleOrder(order: Order, atMs: number): void {
    const delivered = deliverDue(order, atMs);
    for (const [days, proxies] of groupRenewals(order, atMs)) {
      const price = this.prices.price(describeItem(order, proxies.length, days), 0);
      // If the balance does not cover it, the proxies expire.
      if (this.ledger.covers(price)) this.#extendAt(order, proxies, days, price, "automatic", atMs);
    }
    const expired = expireDue(order, atMs);
    for (const proxy of delivered) this.#premises?.open(proxy);
    for (const proxy of expired) this.#premises?.close(proxy);
    if (delivered.length + expired.length > 0) this.#listings[order.proxyType].refresh();
    this.#planNext(order, atMs);
  }

  #extendAt(
    order: Order,
    proxies: readonly RentedProxy[],
    days: number,
    price: Big,
    origin: ChargeOrigin,
    atMs: number,
  ): void {
    for (const proxy of proxies) proxy.endMs += days * dayMs;
    if (this.settings.idsChangeOnExtension) this.#inventory.changeIds(proxies);
    this.ledger.charge(
      {
        at: formatTimestamp(atMs),
        kind: "extension",
        origin,
        orderNumber: order.orderNumber,
        ...describeItem(order, proxies.length, days),
      },
      price,
    );
  }

  /** To settle an order too often changes nothing, and plans the next appointment. */
  #planNext(order: Order, afterMs: number): void {
    const nextMs = findNextMoment(order, afterMs);
    if (nextMs !== undefined) {
      this.schedule.plan(order, nextMs, () => this.#settleOrder(order, nextMs));
    }
  }
}
