export const endpointNames = [
  "getBalance",
  "listProxyTypes",
  "listCountries",
  "listRentPeriods",
  "listPromoCodes",
  "listMobileOperators",
  "calculateOrder",
  "createOrder",
  "calculateExtension",
  "extend",
  "setAutoExtension",
  "listProxies",
] as const;

export type EndpointName = (typeof endpointNames)[number];

/** How often each endpoint was called, whatever came of it: a refused call is a call. */
export class RequestCounts {
  #counts = zeroCounts();

  count(endpoint: EndpointName): void {
    this.#counts[endpoint] += 1;
  }

  snapshot(): Record<EndpointName, number> {
    return { ...this.#counts };
  }

  reset(): void {
    this.#counts = zeroCounts();
  }
}

function zeroCounts(): Record<EndpointName, number> {
  return Object.fromEntries(endpointNames.map((name) => [name, 0])) as Record<EndpointName, number>;
}
