import { placeForeignOrder } from "./account/foreign-order.ts";
import type { LedgerEntry } from "./account/ledger.ts";
import type { RentedProxy } from "./account/order.ts";
import type { PricedItem } from "./account/pricing.ts";
import { type SimulatedOrder, type SimulatedProxy, viewOrder, viewProxy } from "./account/views.ts";
import type { ProxyType } from "./catalogue.ts";
import type { TimeSpan } from "./clock.ts";
import type { FaultHandle, FaultRule } from "./faults/fault.ts";
import { startServer } from "./http/server.ts";
import type { EndpointName, RequestRecord } from "./request-log.ts";
import { createService, type Service } from "./service.ts";
import { parseMoney, resolveSettings, type SimulatorOptions } from "./settings.ts";

/** A running simulator. What is done through it, and not over HTTP, is counted as no request. */
export interface Simulator {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The service's time, which the `Date` header of every answer tells too. */
  now(): Date;
  /**
   * Moves the service's clock on, so that it is ahead of what it goes by (`now` of the options). All that becomes due by that
   * happens at its own moment. Throws a TypeError that names what is negative, no number or no unit.
   */
  advance(span: TimeSpan): void;
  /** Decimal, two places. */
  balance(): string;
  /** Every charge, oldest first. */
  ledger(): LedgerEntry[];
  /** Since the start or the last reset; refused requests count too. */
  requestCounts(): Record<EndpointName, number>;
  /** The last 10,000 calls since the start or the last reset, in order of arrival: when each began and ended. */
  requests(): readonly RequestRecord[];
  /** Forgets `requests()` too. */
  resetRequestCounts(): void;
  orders(): SimulatedOrder[];
  proxies(): SimulatedProxy[];
  /** Behind the callers' backs; without days, those of the proxy or of its order stay. */
  setAutoExtension(ipAddressIds: string[], autoExtend: boolean, rentPeriodDays?: number): void;
  /** A payment in or out: leaves no entry in the ledger. */
  setBalance(balance: string | number): void;
  /** Multiplies every price of a type from now on; 1 is the list price. */
  setPriceFactor(proxyType: ProxyType, factor: string | number): void;
  /** Somebody else buys with the same account: charged, `origin: "foreign"`. Throws when the balance does not cover it. */
  placeForeignOrder(item: PricedItem): SimulatedOrder;
  /** Ends proxies now: they leave the listing and stay in `proxies()`. */
  expireProxies(ipAddressIds: string[]): void;
  /** Takes proxies out of the listing and of `proxies()`, with no refund. */
  removeProxies(ipAddressIds: string[]): void;
  /** From now on calls meet the fault. Throws a TypeError that names the field when the rule makes no sense. */
  addFault(rule: FaultRule): FaultHandle;
  /** All is well again for calls that arrive from now on; late commits that are under way still happen. */
  clearFaults(): void;
  /** How often any fault has struck since the start. */
  faultsHit(): number;
  /** From now on nobody can connect; calls under way are answered, and then their connections close. */
  refuseConnections(): void;
  /** Undoes that, on the same port; rejects when another program has taken it in between. */
  acceptConnections(): Promise<void>;
  /** Closes the port and every connection, answered or not. */
  stop(): Promise<void>;
}

/** Starts one account of the service on a port of this machine. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const service = createService(resolveSettings(options));
  const server = await startServer(service);
  return {
    ...server,
    apiKey: service.apiKey,
    now: () => service.clock.now(),
    advance: (span) => service.clock.advance(span),
    ...inspect(service),
    ...interfere(service),
    ...faultRules(service),
  };
}

type Inspection = Pick<
  Simulator,
  "balance" | "ledger" | "requestCounts" | "requests" | "resetRequestCounts" | "orders" | "proxies"
>;

function inspect({ store, requests }: Service): Inspection {
  return {
    balance: () => {
      store.settle();
      return store.ledger.balance.toFixed(2);
    },
    ledger: () => {
      store.settle();
      return store.ledger.entries;
    },
    requestCounts: () => requests.counts(),
    requests: () => requests.records(),
    resetRequestCounts: () => requests.reset(),
    orders: () => {
      store.settle();
      return store.orders().map(viewOrder);
    },
    proxies: () => {
      store.settle();
      return store.proxies().map(viewProxy);
    },
  };
}

type Interference = Pick<
  Simulator,
  | "setAutoExtension"
  | "setBalance"
  | "setPriceFactor"
  | "placeForeignOrder"
  | "expireProxies"
  | "removeProxies"
>;

function interfere({ store }: Service): Interference {
  const find = (ipAddressIds: string[]): RentedProxy[] => {
    store.settle();
    return ipAddressIds.map((id) => {
      const proxy = store.find(id);
      if (proxy === undefined) throw new Error(`The simulator holds no proxy "${id}"`);
      return proxy;
    });
  };
  return {
    setAutoExtension: (ipAddressIds, autoExtend, rentPeriodDays) => {
      const byDays = Map.groupBy(
        find(ipAddressIds),
        ({ extendDays, order }) => rentPeriodDays ?? (extendDays || order.rentPeriodDays),
      );
      for (const [days, proxies] of byDays) store.setAutoExtension(proxies, autoExtend, days);
    },
    setBalance: (balance) => {
      store.settle();
      store.ledger.setBalance(parseMoney("balance", balance));
    },
    setPriceFactor: (proxyType, factor) => {
      store.settle();
      store.prices.setFactor(proxyType, factor);
    },
    placeForeignOrder: (item) => {
      const order = placeForeignOrder(store, item);
      if (order === undefined) throw new Error("The balance does not cover that order");
      return viewOrder(order);
    },
    expireProxies: (ipAddressIds) => store.expire(find(ipAddressIds)),
    removeProxies: (ipAddressIds) => store.remove(find(ipAddressIds)),
  };
}

function faultRules({
  faults,
}: Service): Pick<Simulator, "addFault" | "clearFaults" | "faultsHit"> {
  return {
    addFault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    faultsHit: () => faults.hits(),
  };
}
