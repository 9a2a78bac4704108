import type { Fault } from "../faults/fault.ts";
import { type EndpointName, endpointNames } from "./endpoint-name.ts";

/** One request that arrived, whatever came of it. No API key stands in it. */
export interface RequestRecord {
  /** Counted from 1 since the start; a reset does not begin anew. */
  readonly number: number;
  /** Undefined for what is none of the 12 endpoints. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  /** With `{apiKey}` where the key stood; what is no word of the service's paths is `{…}`. */
  readonly path: string;
  /** Of the query; `{…}` when it is none. */
  readonly proxyType: string | undefined;
  /** Whose key it was; undefined for a key that nobody has. */
  readonly account: string | undefined;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** The JSON that was sent; undefined where there was none that can be written out again, and of all but the latest 200 requests. */
  readonly body: unknown;
  /** As it left; undefined while it has not, and when the caller got none. */
  readonly status: number | undefined;
  /** What the service answered, also where a fault kept it from the caller; undefined as `body` is. */
  readonly answer: unknown;
  /** Which faults struck, in their order. */
  readonly faults: Fault["kind"][];
  /** `performance.now()` of the simulator's process. */
  readonly beganAtMs: number;
  /** When the answer had left, or the connection was gone; undefined while neither has happened. */
  readonly endedAtMs: number | undefined;
}

/** A request under way: what becomes known of it is written here. */
export type OpenRequest = {
  -readonly [Field in keyof Omit<RequestRecord, "body">]: RequestRecord[Field];
} & {
  sent: Buffer | undefined;
};

/** What is known of a request when it arrives. */
type Arrival = Pick<RequestRecord, "method" | "path" | "proxyType">;

/** A simulator may run for days: counts go on, single requests are forgotten from the oldest on. */
const mostRemembered = 10_000;
/** Bodies and answers are large: a page of the listing holds a hundred proxies. */
const mostWithBodies = 200;

/** What arrived, in order, and how often each endpoint was called: a refused call is a call. */
export class RequestJournal {
  #counts = zeroCounts();
  #requests: OpenRequest[] = [];
  #arrived = 0;
  readonly #redact: (text: string) => string;

  /** `redact` takes the keys out of a JSON. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  begin(at: Date, arrival: Arrival): OpenRequest {
    this.#arrived += 1;
    const request: OpenRequest = {
      number: this.#arrived,
      endpoint: undefined,
      ...arrival,
      account: undefined,
      at: at.toISOString(),
      sent: undefined,
      status: undefined,
      answer: undefined,
      faults: [],
      beganAtMs: performance.now(),
      endedAtMs: undefined,
    };
    this.#requests.push(request);
    if (this.#requests.length > mostRemembered) this.#requests.shift();
    const faded = this.#requests.at(-1 - mostWithBodies);
    if (faded !== undefined) {
      faded.sent = undefined;
      faded.answer = undefined;
    }
    return request;
  }

  /** Notes that a request is a call of an endpoint. */
  count(request: OpenRequest, endpoint: EndpointName): void {
    request.endpoint = endpoint;
    this.#counts[endpoint] += 1;
  }

  end(request: OpenRequest, status: number | undefined): void {
    request.endedAtMs = performance.now();
    request.status = status;
  }

  counts(): Record<EndpointName, number> {
    return { ...this.#counts };
  }

  /** Those that arrived after one, oldest first. */
  records(afterNumber = 0): RequestRecord[] {
    return this.#requests
      .filter(({ number }) => number > afterNumber)
      .map(({ sent, ...request }) => ({
        ...request,
        faults: [...request.faults],
        body: sent && this.#read(sent),
      }));
  }

  reset(): void {
    this.#counts = zeroCounts();
    this.#requests = [];
  }

  #read(sent: Buffer): unknown {
    try {
      // Written anew: a key may have come with escapes, and what nests too deeply to be written is not handed on.
      return JSON.parse(this.#redact(JSON.stringify(JSON.parse(sent.toString()))));
    } catch {
      return undefined;
    }
  }
}

function zeroCounts(): Record<EndpointName, number> {
  return Object.fromEntries(endpointNames.map((name) => [name, 0])) as Record<EndpointName, number>;
}
