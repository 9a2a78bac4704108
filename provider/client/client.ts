import { type Caller, type ClientOptions, createCaller } from "./caller.ts";
import type { Answer } from "./endpoints.ts";
import { isServiceError } from "./errors.ts";
import type { Balance, Country, MobileOperators, PromoCode, ProxyType } from "./records.ts";
import {
  type AcceptedExtension,
  type AutoExtensionRequest,
  type ExtensionRequest,
  type IdsForm,
  type SwitchedAutoExtension,
  toCalculateExtensionWire,
} from "./schema/extension.ts";
import {
  type AcceptedOrder,
  type Calculation,
  type OrderRequest,
  toCalculateOrderWire,
} from "./schema/order.ts";
import type { ProxyPage, ProxyPageRequest } from "./schema/proxy.ts";

/** How a call that spends money is sent. */
export interface SpendingOptions {
  /**
   * Called when the connection stands, right before the first byte is sent: looking up the name and the TLS handshake
   * take time. Gives for how many milliseconds from then on the answer may be awaited. If it throws, nothing is sent and
   * the call throws the same error. @default the call's own deadline counts
   */
  beforeSend?: () => number;
}

/** The service's endpoints as methods. Every failure is a `ServiceError`. */
export interface Client {
  /** Endpoint 1. */
  getBalance(): Promise<Balance>;
  /** Endpoint 2. */
  listProxyTypes(): Promise<string[]>;
  /** Endpoint 3. */
  listCountries(proxyType: ProxyType): Promise<Country[]>;
  /** Endpoint 4: days. */
  listRentPeriods(proxyType: ProxyType): Promise<number[]>;
  /** Endpoint 5. */
  listPromoCodes(): Promise<PromoCode[]>;
  /** Endpoint 6. */
  listMobileOperators(): Promise<MobileOperators>;
  /** Endpoint 7: spends nothing. */
  calculateOrder(request: OrderRequest): Promise<Calculation>;
  /** Endpoint 8: **spends money**. Sent once; a failure with `outcome: "unknown"` may have been charged. */
  createOrder(request: OrderRequest, options?: SpendingOptions): Promise<AcceptedOrder>;
  /** Endpoint 9: spends nothing. */
  calculateExtension(request: ExtensionRequest): Promise<Calculation>;
  /** Endpoint 10: **spends money**. Sent once; a failure with `outcome: "unknown"` may have been charged. */
  extend(request: ExtensionRequest, options?: SpendingOptions): Promise<AcceptedExtension>;
  /** Endpoint 11: spends nothing now; switched-on proxies are charged at each later extension. */
  setAutoExtension(request: AutoExtensionRequest): Promise<SwitchedAutoExtension>;
  /** Endpoint 12, with the service's clock at the answer. */
  listProxies(request: ProxyPageRequest): Promise<ProxyPage & { answeredAt: Date | undefined }>;
  /** Ends idle connections. */
  close(): Promise<void>;
}

/** Makes a client for one account. */
export function createClient(options: ClientOptions): Client {
  const { ask, close }: Caller = createCaller(options);
  // The document leaves these two open. The usual spelling is tried first.
  const ispPrefix = spellings("", "/users");
  const ipv6Ids = spellings<IdsForm>("string", "list");

  /** Asks for a list that the document gives with the prefix `/users` for ISP, and without it for the other types. */
  async function askList<Name extends "listCountries" | "listRentPeriods">(
    name: Name,
    proxyType: ProxyType,
  ): Promise<Answer<Name>> {
    if (proxyType !== "ISP") return (await ask(name, { proxyType })).answer;
    return ispPrefix(async (prefix) => (await ask(name, { proxyType, prefix })).answer);
  }

  async function calculateExtension(request: ExtensionRequest): Promise<Calculation> {
    const askAs = async (form: IdsForm) =>
      (await ask("calculateExtension", { body: toCalculateExtensionWire(request, form) })).answer;
    return request.proxyType === "IPv6" ? ipv6Ids(askAs) : askAs("list");
  }

  return {
    getBalance: async () => (await ask("getBalance")).answer,
    listProxyTypes: async () => (await ask("listProxyTypes")).answer,
    listCountries: (proxyType) => askList("listCountries", proxyType),
    listRentPeriods: (proxyType) => askList("listRentPeriods", proxyType),
    listPromoCodes: async () => (await ask("listPromoCodes")).answer,
    listMobileOperators: async () => (await ask("listMobileOperators")).answer,
    calculateOrder: async (request) =>
      (await ask("calculateOrder", { body: toCalculateOrderWire(request) })).answer,
    createOrder: async (request, { beforeSend } = {}) =>
      (await ask("createOrder", { body: request, beforeSend })).answer,
    calculateExtension,
    extend: async (request, { beforeSend } = {}) =>
      (await ask("extend", { body: request, beforeSend })).answer,
    setAutoExtension: async (request) => (await ask("setAutoExtension", { body: request })).answer,
    async listProxies(request) {
      const { proxyType } = request;
      const { answer, answeredAt } = await ask("listProxies", { proxyType, body: request });
      return { ...answer, answeredAt };
    },
    close,
  };
}

/**
 * Asks in one spelling and, if that is refused, in the other. The one that worked is tried first from then on. If
 * both are refused, the spelling was not the reason, and the first refusal says more.
 */
function spellings<Spelling>(usual: Spelling, other: Spelling) {
  let [first, second] = [usual, other];
  return async <Result>(askIn: (spelling: Spelling) => Promise<Result>): Promise<Result> => {
    const [tried, alternative] = [first, second];
    try {
      return await askIn(tried);
    } catch (refusal) {
      if (!mayBeSpelledOtherwise(refusal)) throw refusal;
      const result = await askIn(alternative).catch(() => {
        throw refusal;
      });
      [first, second] = [alternative, tried];
      return result;
    }
  };
}

/** Whether the service may have meant the path or the form of the request rather than what it asks for. */
function mayBeSpelledOtherwise(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  return error.code === "SERVICE_REFUSED" || error.httpStatus === 404;
}
