import { beginDeadline } from "./deadline.ts";
import { askBeforeFirstByte } from "./last-check.ts";

/** A request as the wire sees it. */
export interface HttpRequest {
  method: "GET" | "POST";
  url: string;
  body?: unknown;
  /** How long the whole call may take, from connecting to the last byte of the answer. */
  timeoutMs: number;
  /** Whether the request may use a connection that an earlier one left open. */
  reuseConnection: boolean;
  /**
   * Called when the connection stands, right before the first byte is sent. Gives how long the rest of the call may take,
   * in milliseconds. If it throws, nothing is sent and `send` throws the same error. Only for a request with a connection
   * of its own.
   */
  beforeSend?: (() => number) | undefined;
}

/** An answer, whatever its status and content. */
export interface HttpAnswer {
  status: number;
  body: string;
  /** The service's clock, from the `Date` header. */
  answeredAt: Date | undefined;
  retryAfterMs: number | undefined;
}

/** Why there is no answer. Only the first three prove that the request never left. */
export type HttpFailure = "unreachable" | "no-tls" | "untrusted" | "connection-lost" | "timeout";

/** Whether a failure proves that the request never left. */
export function neverLeft(failure: HttpFailure): boolean {
  return failure === "unreachable" || isHandshake(failure);
}

/** Whether it failed before a connection stood, for a reason that the other side's TLS gave. */
function isHandshake(failure: HttpFailure): boolean {
  return failure === "no-tls" || failure === "untrusted";
}

/** The transport below the client: one request, one answer, no opinions. */
export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** A request that got no answer. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** No answer of this service is larger: a page of 1,000 records is under 1 MiB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Why the certificate of whoever answers is not trusted. */
const UNTRUSTED_CODES: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** What answers a TLS handshake without knowing TLS. A broken record of a connection that stood looks the same. */
const NO_TLS_CODES: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
]);

/** A connection that stood can be lost for the same reasons, and then the request may have arrived. */
const CONNECTING_SYSCALLS: ReadonlySet<string> = new Set(["", "connect", "getaddrinfo"]);

/** Opens connections as they are needed. Redirects are not followed: a POST that spends must not travel on. */
export function createHttp(): Http {
  let connections: Promise<Connections> | undefined;

  return {
    async send({ method, url, body, timeoutMs, reuseConnection, beforeSend }) {
      connections ??= openConnections();
      const { request, shared, oneCallEach } = await connections;
      const deadline = beginDeadline(timeoutMs);
      let mayHaveLeft = reuseConnection;
      let refusal: { reason: unknown } | undefined;
      const ask = () => {
        deadline.signal.throwIfAborted();
        try {
          if (beforeSend !== undefined) deadline.bringForward(beforeSend());
        } catch (reason) {
          refusal = { reason };
          throw reason;
        }
        mayHaveLeft = true;
      };
      try {
        const answer = await request(url, {
          method,
          headers: { "content-type": "application/json", accept: "application/json" },
          body: body === undefined ? null : JSON.stringify(body),
          dispatcher: reuseConnection ? shared : oneCallEach.compose(askBeforeFirstByte(ask)),
          signal: deadline.signal,
        });
        return {
          status: answer.statusCode,
          body: await answer.body.text(),
          answeredAt: readDate(answer.headers.date),
          retryAfterMs: readRetryAfter(answer.headers["retry-after"]),
        };
      } catch (error) {
        if (refusal) throw refusal.reason;
        const lost = toHttpError(error);
        const { failure, message } = lost;
        // Of a request that may spend it must be sure. One that is only read may be asked again whatever it was.
        if (isHandshake(failure) && mayHaveLeft && !reuseConnection) {
          throw new HttpError("connection-lost", message);
        }
        throw mayHaveLeft || isHandshake(failure) ? lost : new HttpError("unreachable", message);
      } finally {
        deadline.end();
      }
    },
    async close() {
      if (connections === undefined) return;
      const { shared, oneCallEach } = await connections;
      await Promise.all([shared.close(), oneCallEach.close()]);
    },
  };
}

type Connections = Awaited<ReturnType<typeof openConnections>>;

/** Loads the transport with the first request. A preview in which nothing changes makes no request. */
async function openConnections() {
  const { Agent, request } = await import("undici");
  const shared = new Agent({ maxResponseSize: MAX_ANSWER_BYTES });
  // A server may close an idle connection at the very moment a request is written to it, and then nobody
  // knows whether the request arrived. Calls that spend get a connection of their own.
  const oneCallEach = new Agent({ maxResponseSize: MAX_ANSWER_BYTES, pipelining: 0 });
  return { request, shared, oneCallEach };
}

/** What an error of the transport says about whether the request arrived. */
export function toHttpError(error: unknown): HttpError {
  const { name, code, syscall } = findCause(error);
  if (NOT_SENT_CODES.has(code) && CONNECTING_SYSCALLS.has(syscall)) {
    return new HttpError("unreachable", code);
  }
  if (UNTRUSTED_CODES.has(code) && CONNECTING_SYSCALLS.has(syscall)) {
    return new HttpError("untrusted", code);
  }
  if (name === "TimeoutError" || code.endsWith("_TIMEOUT")) {
    return new HttpError("timeout", "no complete answer in time");
  }
  if (NO_TLS_CODES.has(code)) return new HttpError("no-tls", code);
  return new HttpError("connection-lost", code === "" ? name : code);
}

/** The innermost error that has a code of its own. */
function findCause(error: unknown): { name: string; code: string; syscall: string } {
  if (!(error instanceof Error)) return { name: "", code: "", syscall: "" };
  if ("code" in error && typeof error.code === "string") {
    const syscall = "syscall" in error ? String(error.syscall) : "";
    return { name: error.name, code: error.code, syscall };
  }
  const cause = findCause(error.cause);
  return { ...cause, name: error.name };
}

function readDate(header: string | string[] | undefined): Date | undefined {
  if (typeof header !== "string") return undefined;
  const date = new Date(header);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string" || !/^\d+$/.test(header)) return undefined;
  return Number(header) * 1000;
}
