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

/** One call that arrived, whatever came of it. Times are `performance.now()` of the simulator's process. */
export interface RequestRecord {
  readonly endpoint: EndpointName;
  readonly beganAtMs: number;
  /** When the answer had left, or the connection was gone; undefined while neither has happened. */
  readonly endedAtMs: number | undefined;
}

/** A simulator may run for days: counts go on, single requests are forgotten from the oldest on. */
const mostRemembered = 10_000;

/** How often each endpoint was called, and when: a refused call is a call. */
export class RequestLog {
  #counts = zeroCounts();
  #records: RequestRecord[] = [];

  /** Notes a call; what it returns notes the call's end. */
  begin(endpoint: EndpointName): () => void {
    this.#counts[endpoint] += 1;
    const record = {
      endpoint,
      beganAtMs: performance.now(),
      endedAtMs: undefined as number | undefined,
    };
    this.#records.push(record);
    if (this.#records.length > mostRemembered) this.#records.shift();
    return () => {
      record.endedAtMs = performance.now();
    };
  }

  counts(): Record<EndpointName, number> {
    return { ...this.#counts };
  }

  records(): RequestRecord[] {
    return this.#records.map((record) => ({ ...record }));
  }

  reset(): void {
    this.#counts = zeroCounts();
    this.#records = [];
  }
}

function zeroCounts(): Record<EndpointName, number> {
  return Object.fromEntries(endpointNames.map((name) => [name, 0])) as Record<EndpointName, number>;
}
