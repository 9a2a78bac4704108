import {
  type AutoExtensionRequest,
  type Calculation,
  type EndpointName,
  type ExtensionRequest,
  endpoints,
  type OrderRequest,
  type ProxyPage,
  type ProxyPageRequest,
  type ProxyRecord,
  ServiceError,
} from "../../../provider/client/index.ts";
import type { ProxyService } from "../../../provider/core/ports.ts";

/** The service at its beginning. */
export interface FakeServiceOptions {
  /** @default 1000 */
  balance?: number;
  /** The price of one proxy in an order. @default 1.4 */
  unitPrice?: number;
  /** How many proxies of an order are listed at once. `deliverAll` lists the rest. @default all */
  deliverAtOnce?: number;
  /** @default 100, as the provider asks */
  pageSize?: number;
}

/** Called before the service answers; it may wait, throw, or give another answer. */
type Hook<Name extends keyof ProxyService> = (
  ...args: Parameters<ProxyService[Name]>
) => Promise<Awaited<ReturnType<ProxyService[Name]>> | undefined>;

/** An account in memory that counts the calls. */
export interface FakeService extends ProxyService {
  calls: Record<EndpointName, number>;
  /** Every order that was carried out, in this sequence. */
  orders: { orderNumber: string; request: OrderRequest }[];
  /** Every extension that was carried out, in this sequence. */
  extensions: ExtensionRequest[];
  switches: AutoExtensionRequest[];
  /** Everything that was sent with `calculateOrder`, `createOrder` and `calculateExtension`. */
  sent: object[];
  /** For how many milliseconds each purchase may wait for its answer; undefined for one that may wait for ever. */
  waitsMs: (number | undefined)[];
  records: ProxyRecord[];
  balance: number;
  unitPrice: number;
  /** The price of one proxy in an extension. @default 1 */
  extensionPrice: number;
  /** If true, an extension gives proxies new ids. @default false */
  renumbers: boolean;
  /** Replaces fields in every calculation. */
  calculated: Partial<Calculation>;
  /** The service's clock. If undefined, the service does not tell the time. */
  now: Date | undefined;
  before: { [Name in keyof ProxyService]?: Hook<Name> };
  deliverAll(): void;
}

/** The end of all proxies that the fake service rents out. */
export const DATE_END = "2026-03-31T00:00:00.000+00:00";

/** A time of the service's clock while all proxies are paid. The service begins with it. */
export const WHILE_PAID = new Date("2026-03-01T00:00:00Z");

/** A time of the service's clock when all proxies have ended. */
export const AFTER_END = new Date("2026-04-01T00:00:00Z");

/** A service that knows IPv4, IPv6 and MOBILE in two countries. */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const undelivered: ProxyRecord[] = [];
  const calls = Object.fromEntries(methods.map((name) => [name, 0])) as FakeService["calls"];
  let nextId = 1;

  const take = (request: OrderRequest) => {
    const orderNumber = String(7000 + service.orders.length);
    service.orders.push({ orderNumber, request });
    service.balance -= service.unitPrice * request.quantity;
    const { country } = request;
    const made = Array.from({ length: request.quantity }, () =>
      record(orderNumber, nextId++, { country }),
    );
    const atOnce = options.deliverAtOnce ?? made.length;
    service.records.push(...made.slice(0, atOnce));
    undelivered.push(...made.slice(atOnce));
    return { orderNumber, promoCodeStatus: service.calculated.promoCodeStatus ?? null };
  };

  const prolong = (request: ExtensionRequest) => {
    const { ipAddressIds, rentPeriodDays } = request;
    service.extensions.push(request);
    service.balance -= service.extensionPrice * ipAddressIds.length;
    moveEnds(service, ipAddressIds, rentPeriodDays);
    const { promoCodeStatus = null } = service.calculated;
    return { ipAddressIds, promoCodeStatus, balance: service.balance };
  };

  /** Those of orders that a test has added are listed as any type. */
  const listed = ({ proxyType }: ProxyPageRequest) => {
    const types = new Map(service.orders.map((one) => [one.orderNumber, one.request.proxyType]));
    return service.records.filter(({ orderId }) => (types.get(orderId) ?? proxyType) === proxyType);
  };

  const page = (request: ProxyPageRequest): ProxyPage => {
    const { page: number, size: asked } = request;
    const size = Math.min(asked, options.pageSize ?? asked);
    const records = listed(request);
    const totalElements = records.length;
    const content = records.slice(number * size, (number + 1) * size);
    return { totalElements, totalPages: Math.ceil(totalElements / size), content };
  };

  const calculate = (price: number): Calculation => ({
    price,
    currency: "USD",
    discount: 0,
    promoCodeStatus: null,
    balance: service.balance,
    warnings: [],
    ...service.calculated,
  });

  const answers: ProxyService = {
    getBalance: async () => ({ balance: service.balance, currency: "USD" }),
    listProxyTypes: async () => ["IPv4", "IPv6", "MOBILE"],
    listCountries: async () => [
      { name: "United States", alpha3code: "USA" },
      { name: "Germany", alpha3code: "DEU" },
    ],
    listRentPeriods: async () => [30, 90],
    listPromoCodes: async () => [],
    listMobileOperators: async () => ({
      DEU: [{ mobileOperator: "telekom", rotationTimes: [120, 300] }],
    }),
    async calculateOrder(request) {
      service.sent.push(request);
      return calculate(Math.round(service.unitPrice * request.quantity * 100) / 100);
    },
    async createOrder(request, options) {
      service.waitsMs.push(options?.beforeSend?.());
      service.sent.push(request);
      return { ...take(request), balance: service.balance };
    },
    async calculateExtension(request) {
      service.sent.push(request);
      return calculate(service.extensionPrice * request.ipAddressIds.length);
    },
    async extend(request, options) {
      service.waitsMs.push(options?.beforeSend?.());
      service.sent.push(request);
      return prolong(request);
    },
    async setAutoExtension(request) {
      service.switches.push(request);
      const { ipAddressIds, autoExtend, rentPeriodDays } = request;
      for (const [index, listed] of service.records.entries()) {
        if (!ipAddressIds.includes(listed.ipAddressId)) continue;
        const extendInfo = { autoExtend, extendDays: rentPeriodDays };
        service.records[index] = { ...listed, extendInfo };
      }
      return { rentPeriodDays, quantity: ipAddressIds.length, ipAddressIds };
    },
    listProxies: async (request) => ({ ...page(request), answeredAt: service.now }),
  };

  const service: FakeService = {
    ...Object.assign({}, ...methods.map((name) => ({ [name]: counted(name) }))),
    calls,
    orders: [],
    extensions: [],
    switches: [],
    sent: [],
    waitsMs: [],
    records: [],
    balance: options.balance ?? 1000,
    unitPrice: options.unitPrice ?? 1.4,
    extensionPrice: 1,
    renumbers: false,
    calculated: {},
    now: WHILE_PAID,
    before: {},
    deliverAll: () => void service.records.push(...undelivered.splice(0)),
  };
  return service;

  function counted(name: keyof ProxyService) {
    return async (...args: unknown[]) => {
      calls[name] += 1;
      const hook = service.before[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
      const answer = answers[name] as (...args: unknown[]) => Promise<unknown>;
      return (await hook?.(...args)) ?? answer(...args);
    };
  }
}

const methods = Object.keys(endpoints) as EndpointName[];

/** A proxy as the listing shows it. */
export function record(
  orderId: string,
  number: number,
  more: Partial<ProxyRecord> = {},
): ProxyRecord {
  return {
    ipAddressId: `ip-${number}`,
    ipAddressIp: `192.0.2.${number}`,
    orderId,
    country: "USA",
    dateStart: "2026-03-01T00:00:00.000+00:00",
    dateEnd: DATE_END,
    httpsPort: String(10_000 + number),
    socks5Port: String(20_000 + number),
    extendInfo: { autoExtend: false, extendDays: 0 },
    credential: { login: `user-${number}`, password: `pass:${number}` },
    ...more,
  };
}

/** Moves the ends of proxies. The provider is not told, as with an automatic extension. */
export function moveEnds(
  { records, renumbers }: FakeService,
  ipAddressIds: readonly string[],
  days: number,
): void {
  for (const [index, listed] of records.entries()) {
    const { ipAddressId, dateEnd } = listed;
    if (!ipAddressIds.includes(ipAddressId) || dateEnd === undefined) continue;
    const endMs = Date.parse(dateEnd) + days * 24 * 60 * 60 * 1000;
    records[index] = {
      ...listed,
      dateEnd: new Date(endMs).toISOString(),
      ipAddressId: renumbers ? `${ipAddressId}x` : ipAddressId,
    };
  }
}

/** Takes proxies out of the listing, as a refund or an incomplete listing does. */
export function unlist(service: FakeService, isOut: (listed: ProxyRecord) => boolean): void {
  service.records = service.records.filter((listed) => !isOut(listed));
}

/** From now on the service refuses to switch automatic extension for proxies that are not listed. */
export function refuseUnlisted(service: FakeService): void {
  service.before.setAutoExtension = async ({ ipAddressIds }) => {
    const known = service.records.map(({ ipAddressId }) => ipAddressId);
    if (!ipAddressIds.every((id) => known.includes(id))) throw serviceFailure("rejected");
    return undefined;
  };
}

/** From now on the service tells how many flags it has changed: one that was as wanted before does not count. */
export function countChanged(service: FakeService): void {
  service.before.setAutoExtension = async ({ proxyType, ...request }) => {
    const { ipAddressIds, autoExtend } = request;
    service.switches.push({ proxyType, ...request });
    let quantity = 0;
    for (const [index, listed] of service.records.entries()) {
      if (!ipAddressIds.includes(listed.ipAddressId)) continue;
      if (listed.extendInfo.autoExtend !== autoExtend) quantity += 1;
      const extendInfo = { autoExtend, extendDays: request.rentPeriodDays };
      service.records[index] = { ...listed, extendInfo };
    }
    return { ...request, quantity };
  };
}

/** Changes what the next listings show; they are counted from 1. The account itself stays as it is. */
export function showInstead(
  service: FakeService,
  readings: readonly number[] | "all",
  show: (records: ProxyRecord[]) => ProxyRecord[],
  now: () => Date | undefined = () => service.now,
): void {
  let reading = 0;
  service.before.listProxies = async ({ page, size }) => {
    if (page === 0) reading += 1;
    if (readings !== "all" && !readings.includes(reading)) return undefined;
    const shown = show(service.records);
    return {
      totalElements: shown.length,
      totalPages: Math.ceil(shown.length / size),
      content: shown.slice(page * size, (page + 1) * size),
      answeredAt: now(),
    };
  };
}

/** The listing can't be read after the next order. */
export function failListingsAfterOrder(service: FakeService, failure: Error): void {
  service.before.createOrder = async () => {
    service.before.listProxies = async () => {
      throw failure;
    };
    return undefined;
  };
}

/** A failed call, in one of the two ways that matter for the money. */
export function serviceFailure(
  outcome: "rejected" | "unknown",
  told: { balance?: number } = {},
): ServiceError {
  const code = outcome === "unknown" ? "SERVICE_TIMEOUT" : "SERVICE_REFUSED";
  const message = outcome === "unknown" ? "no answer" : 'the service refused (code 14, "No")';
  return new ServiceError({ code, outcome, endpoint: "createOrder", message, ...told });
}
