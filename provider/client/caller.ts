import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Endpoint, type EndpointName, endpoints } from "./endpoints.ts";
import { type Call, openEnvelope } from "./envelope.ts";
import { isServiceError, ServiceError, type ServiceErrorCode } from "./errors.ts";
import {
  createHttp,
  type Http,
  type HttpAnswer,
  HttpError,
  type HttpFailure,
  neverLeft,
} from "./http.ts";
import type { CallObserver, CallResult, ObservedCall } from "./observed-call.ts";
import type { ProxyType } from "./records.ts";
import { redactKey } from "./redact.ts";
import { retryWaitMs, shouldRetry } from "./retry.ts";

/** How to reach the service. */
export interface ClientOptions {
  /** `{base_url}` of the service, for instance `https://api.example.com`. */
  baseUrl: string;
  /** The account's API key. It goes into the path of every call and nowhere else. */
  apiKey: string;
  /** Deadline of one call with all its retries. @default 30000 */
  timeoutMs?: number;
  /** Time and randomness; tests replace them. */
  chance?: Chance;
  /** The transport; tests replace it. */
  http?: Http;
  /** Is told of each HTTP call. @default nobody is */
  observe?: CallObserver | undefined;
}

/** Time and randomness as the retries need them. */
export interface Chance {
  random(): number;
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

/** What one call adds to its line of the endpoint table. */
export interface Query {
  proxyType?: ProxyType;
  body?: unknown;
  /** Goes before the path; only ISP's lists need it. */
  prefix?: string;
  /** See `SpendingOptions`. */
  beforeSend?: (() => number) | undefined;
}

/** A successful answer, and the service's clock when it was given. */
export interface Reply<Name extends EndpointName> {
  answer: Answer<Name>;
  answeredAt: Date | undefined;
}

/** Calls endpoints by name: deadline, retries where the table allows them, errors without the key. */
export interface Caller {
  ask<Name extends EndpointName>(name: Name, query?: Query): Promise<Reply<Name>>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

const systemChance: Chance = { random: Math.random, nowMs: () => performance.now(), sleep };

const codeOfFailure: Record<HttpFailure, ServiceErrorCode> = {
  unreachable: "SERVICE_UNREACHABLE",
  "no-tls": "SERVICE_UNREACHABLE",
  untrusted: "SERVICE_UNREACHABLE",
  "connection-lost": "SERVICE_CONNECTION_LOST",
  timeout: "SERVICE_TIMEOUT",
};

function tellObserver(observe: CallObserver | undefined, call: ObservedCall): void {
  try {
    observe?.(call);
  } catch {
    // What was answered counts, whatever happens to a record of it.
  }
}

/** Makes a caller for one account. */
export function createCaller(options: ClientOptions): Caller {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, chance = systemChance } = options;
  const http = options.http ?? createHttp();
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const root = `client/api/v1/${encodeURIComponent(apiKey)}`;

  /** Whether anybody has answered at the URL yet. */
  let hasAnswered = false;

  async function askOnce(
    name: EndpointName,
    query: Query,
    { attempt, remainingMs }: { attempt: number; remainingMs: number },
  ) {
    const endpoint: Endpoint = endpoints[name];
    const startedMs = performance.now();
    let answer: HttpAnswer | undefined;
    const tell = (result: CallResult) =>
      tellObserver(options.observe, {
        ...{ endpoint: name, attempt, result, request: query.body },
        ms: Math.round(performance.now() - startedMs),
        httpStatus: answer?.status,
        answeredAt: answer?.answeredAt,
        answer: answer?.body,
      });
    const call: Call = {
      endpoint: name,
      outcomeIfUnreadable: endpoint.repeatable ? "rejected" : "unknown",
    };
    const search = query.proxyType === undefined ? "" : `?proxyType=${query.proxyType}`;
    try {
      answer = await http.send({
        method: endpoint.method,
        url: `${baseUrl}${query.prefix ?? ""}/${root}/${endpoint.path}${search}`,
        body: query.body,
        timeoutMs: remainingMs,
        reuseConnection: endpoint.repeatable,
        beforeSend: query.beforeSend,
      });
      hasAnswered = true;
      const opened = openEnvelope(call, answer, endpoint.answer);
      tell({ outcome: "ok" });
      return { answer: opened, answeredAt: answer.answeredAt };
    } catch (error) {
      const told = withoutKey(error instanceof HttpError ? noAnswer(call, error) : error);
      if (isServiceError(told)) {
        const { outcome, code, serviceCode, message } = told;
        tell({ outcome, code, serviceCode, message });
      }
      throw told;
    }
  }

  function noAnswer(call: Call, error: HttpError): ServiceError {
    const { failure, message } = error;
    const isPlain = !/^https:/i.test(baseUrl);
    // What expects TLS closes a connection on which it gets plain HTTP.
    const otherUrl =
      isPlain && !hasAnswered && failure === "connection-lost"
        ? `; if it expects TLS, its URL is ${baseUrl.replace(/^http/i, "https")}`
        : "";
    const happened: Record<HttpFailure, string> = {
      unreachable: `the service at ${baseUrl} can't be reached (${message})`,
      "no-tls": `what answers at ${baseUrl} does not speak TLS (${message}); if that is the service, its URL is ${baseUrl.replace(/^https/i, "http")}`,
      untrusted: `the certificate of ${baseUrl} is not trusted (${message}); if it is your own, NODE_EXTRA_CA_CERTS names a file with its authority`,
      "connection-lost": `the service did not answer ${call.endpoint} (${message})${otherUrl}`,
      timeout: `the service did not answer ${call.endpoint} (no complete answer within ${timeoutMs / 1000} s)`,
    };
    return new ServiceError({
      code: codeOfFailure[failure],
      outcome: neverLeft(failure) ? "rejected" : call.outcomeIfUnreadable,
      endpoint: call.endpoint,
      message: happened[failure],
    });
  }

  /** The service may quote the path, and so the key, in a message of its own. */
  function withoutKey(error: unknown): unknown {
    if (isServiceError(error)) error.message = redactKey(error.message, apiKey);
    return error;
  }

  return {
    async ask<Name extends EndpointName>(name: Name, query: Query = {}): Promise<Reply<Name>> {
      const deadlineMs = chance.nowMs() + timeoutMs;
      for (let tries = 1; ; tries++) {
        try {
          const remainingMs = Math.max(1, Math.ceil(deadlineMs - chance.nowMs()));
          const reply = await askOnce(name, query, { attempt: tries, remainingMs });
          // The table's type ties each name to its schema; TypeScript loses that through the index.
          return reply as Reply<Name>;
        } catch (error) {
          if (!isServiceError(error)) throw error;
          if (!shouldRetry(endpoints[name].repeatable, tries, error)) throw error;
          const waitMs = retryWaitMs(tries, chance.random(), error.retryAfterMs);
          if (chance.nowMs() + waitMs >= deadlineMs) throw error;
          await chance.sleep(waitMs);
        }
      }
    },
    close: () => http.close(),
  };
}
