import type { Fault } from "../faults/fault.ts";
import { type EndpointName, endpointNames } from "./endpoint-name.ts";

/** One request that arrived, whatever became of it. It holds no API key. */
export interface RequestRecord {
  /** Counted from 1 since the start. A reset does not start it again. */
  readonly number: number;
  /** Undefined if it is none of the endpoints. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  /** With `{apiKey}` in place of the key. A word that is in no path of the service is `{…}`. */
  readonly path: string;
  /** From the query; `{…}` if it is no proxy type. */
  readonly proxyType: string | undefined;
  /** The account of the key; undefined for an unknown key. */
  readonly account: string | undefined;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /**
   * The JSON that was sent; undefined if there was none that can be written again, and for all but the latest 200
   * requests.
   */
  readonly body: unknown;
  /** The status as it was sent; undefined before that, and if the caller got none. */
  readonly status: number | undefined;
  /** What the service answered, even if a fault kept it from the caller; undefined in the same cases as `body`. */
  readonly answer: unknown;
  /** The faults that struck, in their order. */
  readonly faults: Fault["kind"][];
  /** `performance.now()` of the simulator's process. */
  readonly beganAtMs: number;
  /** When the answer was sent, or the connection was gone; undefined before that. */
  readonly endedAtMs: number | undefined;
}

/** A request under way. What becomes known of it is written here. */
export type OpenRequest = {
  -readonly [Field in keyof Omit<RequestRecord, "body" | "answer">]: RequestRecord[Field];
} & {
  sent: Buffer | undefined;
  /** The answer, as JSON. */
  answered: string | Buffer | undefined;
};

/** What is known of a request when it arrives. */
type Arrival = Pick<RequestRecord, "method" | "path" | "proxyType">;

/** A simulator may run for days. Counts go on; the oldest requests are forgotten. */
const mostRemembered = 10_000;
/** Bodies and answers are large: a page of the listing has a hundred proxies. */
const mostWithBodies = 200;

/** The requests in order of arrival, and how often each endpoint was called. A refused call counts too. */
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
      answered: undefined,
      faults: [],
      beganAtMs: performance.now(),
      endedAtMs: undefined,
    };
    this.#requests.push(request);
    if (this.#requests.length > mostRemembered) this.#requests.shift();
    const faded = this.#requests.at(-1 - mostWithBodies);
    if (faded !== undefined) {
      faded.sent = undefined;
      faded.answered = undefined;
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

  /** The oldest one that is remembered; the next one if there is none. */
  firstNumber(): number {
    return this.#requests[0]?.number ?? this.#arrived + 1;
  }

  /** How many are remembered of an account, or of all. */
  countFor(account?: string): number {
    return this.#requests.filter((request) => isFor(request, account)).length;
  }

  /** Those that arrived after one, oldest first. */
  records(afterNumber = 0, account?: string): RequestRecord[] {
    return this.#requests
      .filter((request) => request.number > afterNumber && isFor(request, account))
      .map(({ sent, answered, ...request }) => ({
        ...request,
        faults: [...request.faults],
        body: sent && this.#read(sent),
        answer: answered && JSON.parse(answered.toString()),
      }));
  }

  reset(): void {
    this.#counts = zeroCounts();
    this.#requests = [];
  }

  #read(sent: Buffer): unknown {
    try {
      // Written again: a key may have come with escapes. What is nested too deeply to be written is left out.
      return JSON.parse(this.#redact(JSON.stringify(JSON.parse(sent.toString()))));
    } catch {
      return undefined;
    }
  }
}

/** A call that is nobody's, as one with a wrong key, may be meant for any account. */
function isFor(request: OpenRequest, account: string | undefined): boolean {
  return account === undefined || request.account === undefined || request.account === account;
}

function zeroCounts(): Record<EndpointName, number> {
  return Object.fromEntries(endpointNames.map((name) => [name, 0])) as Record<EndpointName, number>;
}
