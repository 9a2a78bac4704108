import type { ProxyType } from "../catalogue/catalogue.ts";
import type { ProxyFault } from "../live/proxy-fault.ts";
import { checkProxyFault } from "../live/proxy-fault-schema.ts";
import { parseMoney } from "../settings.ts";
import type { Account } from "./account.ts";
import { placeForeignOrder } from "./foreign-order.ts";
import type { LedgerEntry } from "./ledger.ts";
import { formatTimestamp, type RentedProxy } from "./order.ts";
import type { PricedItem } from "./pricing.ts";
import { type SimulatedOrder, type SimulatedProxy, viewOrder, viewProxy } from "./views.ts";

/** One account of a running simulator, to inspect and to change from within. Nothing here counts as a request. */
export interface SimulatedAccount {
  /** Its name at the control API. */
  readonly name: string;
  readonly apiKey: string;
  /** Decimal, two places. */
  balance(): string;
  /** Every charge, oldest first. */
  ledger(): LedgerEntry[];
  orders(): SimulatedOrder[];
  proxies(): SimulatedProxy[];
  /** Switches flags without a caller knowing. Without days, those of the proxy or of its order stay. */
  setAutoExtension(ipAddressIds: string[], autoExtend: boolean, rentPeriodDays?: number): void;
  /** Pays in or out. Leaves no entry in the ledger. */
  setBalance(balance: string | number): void;
  /** Multiplies every price of a type from now on; 1 is the list price. */
  setPriceFactor(proxyType: ProxyType, factor: string | number): void;
  /** Somebody else buys with the same account: charged, `origin: "foreign"`. Throws when the balance does not cover it, or when live proxies have no room. */
  placeForeignOrder(item: PricedItem): SimulatedOrder;
  /**
   * From now on live proxies have this fault, for all who use them; without one they work again. Throws a TypeError that
   * names what is wrong with the fault, or if proxies are not live.
   */
  setProxyFault(ipAddressIds: string[], fault: ProxyFault | undefined): void;
  /** Ends proxies now. They leave the listing, and stay in `proxies()`. */
  expireProxies(ipAddressIds: string[]): void;
  /** Removes proxies from the listing and from `proxies()`, without a refund. */
  removeProxies(ipAddressIds: string[]): void;
}

/** `current` is asked each time, because a reset or a loaded snapshot replaces the account. */
export function viewSimulatedAccount(
  current: () => Account,
): Omit<SimulatedAccount, "name" | "apiKey"> {
  const settled = (): Account => {
    const account = current();
    account.settle();
    return account;
  };
  return { ...inspect(settled), ...interfere(settled) };
}

type Inspection = Pick<SimulatedAccount, "balance" | "ledger" | "orders" | "proxies">;

function inspect(settled: () => Account): Inspection {
  return {
    balance: () => settled().ledger.balance.toFixed(2),
    ledger: () => settled().ledger.entries,
    orders: () => settled().orders().map(viewOrder),
    proxies: () => settled().proxies().map(viewProxy),
  };
}

type Interference = Omit<SimulatedAccount, "name" | "apiKey" | keyof Inspection>;

function interfere(settled: () => Account): Interference {
  const find = (account: Account, ipAddressIds: string[]): RentedProxy[] =>
    ipAddressIds.map((id) => {
      const proxy = account.find(id);
      if (proxy === undefined) throw new RangeError(`The simulator holds no proxy "${id}"`);
      return proxy;
    });
  return {
    setAutoExtension: (ipAddressIds, autoExtend, rentPeriodDays) => {
      const account = settled();
      const byDays = Map.groupBy(
        find(account, ipAddressIds),
        ({ extendDays, order }) => rentPeriodDays ?? (extendDays || order.rentPeriodDays),
      );
      for (const [days, proxies] of byDays) account.setAutoExtension(proxies, autoExtend, days);
    },
    setBalance: (balance) => {
      const account = settled();
      account.ledger.setBalance(parseMoney("balance", balance), formatTimestamp(account.nowMs()));
    },
    setPriceFactor: (proxyType, factor) => settled().prices.setFactor(proxyType, factor),
    placeForeignOrder: (item) => {
      const order = placeForeignOrder(settled(), item);
      if (order === undefined) {
        throw new RangeError("The balance does not cover that order, or no more live proxies fit");
      }
      return viewOrder(order);
    },
    setProxyFault: (ipAddressIds, fault) => {
      const account = settled();
      const checked = fault === undefined ? undefined : checkProxyFault(fault);
      account.setProxyFault(find(account, ipAddressIds), checked);
    },
    expireProxies: (ipAddressIds) => {
      const account = settled();
      account.expire(find(account, ipAddressIds));
    },
    removeProxies: (ipAddressIds) => {
      const account = settled();
      account.remove(find(account, ipAddressIds));
    },
  };
}
