import type { ProxyScheme } from "../../provider/core/proxies/proxy-url.ts";

/** Why a proxy gave no answer of the URL. */
export type Failure = "dead" | "slow" | "loginRefused" | "urlNotReached" | "untrusted";

/** What came of asking the URL through a proxy. Nothing of it repeats a login. */
export type Asked =
  | {
      kind: "answered";
      /** The HTTP status of the URL's own answer. */
      status: number;
      ms: number;
      /** The address that the answer tells; undefined if it tells none. */
      told: string | undefined;
    }
  | { kind: "failed"; failure: Failure; why: string; ms: number };

/** Which failure an error is. */
export function explainError(
  error: unknown,
  scheme: ProxyScheme,
  timeoutMs: number,
): { failure: Failure; why: string } {
  const { name, code, message } = readError(error);
  if (name === "TimeoutError" || /_TIMEOUT$|^ETIMEDOUT$/.test(code) || /timed out/.test(message)) {
    return { failure: "slow", why: `no answer within ${timeoutMs / 1000} s` };
  }
  const refusal = scheme === "http" ? readHttpRefusal(message) : readSocksRefusal(message);
  if (refusal !== undefined) return refusal;
  if (/CERT|_ISSUER|^ERR_TLS/.test(code)) {
    return {
      failure: "untrusted",
      why: `the certificate that came through it is not trusted (${code}); somebody may be reading along, or it is your own: then NODE_EXTRA_CA_CERTS names a file with its authority`,
    };
  }
  // What a library says may hold anything, so only the system's name of the error is repeated.
  const named = code !== "" ? code : (/\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? "");
  if (named === "ECONNREFUSED") return { failure: "dead", why: "nothing listens there" };
  const reason = named === "" ? "" : ` (${named})`;
  return { failure: "dead", why: `the connection broke without an answer${reason}` };
}

/**
 * What a status over plain HTTP says. An HTTP proxy answers with a status of its own where it refuses the login or does not
 * reach the URL. In a tunnel, which https URLs and SOCKS5 go through, each status is the URL's.
 */
export function explainPlainStatus(status: number): { failure: Failure; why: string } | undefined {
  if (status === 407) return { failure: "loginRefused", why: "407" };
  if (status < 502 || status > 504) return undefined;
  return {
    failure: "urlNotReached",
    why: `HTTP status ${status}, which may be the proxy's or the URL's own; with an https URL one can tell`,
  };
}

function readHttpRefusal(message: string): { failure: Failure; why: string } | undefined {
  // undici has no code for these two.
  const [, status] = /Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status === "407" || /Proxy Authentication Required/.test(message)) {
    return { failure: "loginRefused", why: "407" };
  }
  if (status === undefined) return undefined;
  return { failure: "urlNotReached", why: `the proxy opened no way to it (${status})` };
}

function readSocksRefusal(message: string): { failure: Failure; why: string } | undefined {
  if (/Authentication failed|no accepted authentication type/i.test(message)) {
    return { failure: "loginRefused", why: "SOCKS5" };
  }
  if (/invalid socks version/i.test(message)) {
    return { failure: "dead", why: "what answers there does not speak SOCKS5" };
  }
  const [, reply] = /rejected connection - (\w+)/.exec(message) ?? [];
  if (reply === undefined) return undefined;
  return { failure: "urlNotReached", why: `the proxy opened no way to it (${reply})` };
}

function readError(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: "", code: "", message: "" };
  const { name, message } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { name, code, message };
}
