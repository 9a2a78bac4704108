import { describe, expect, test } from "vitest";
import { explainError, explainPlainStatus } from "../../../cli/check/asked.ts";

/** An error as Node.js, undici or socks throw it. What they say may hold anything. */
function failed(message: string, more: { code?: string; name?: string } = {}): Error {
  return Object.assign(new Error(`${message} at login:secret`), more);
}

describe("what an error says of a proxy", () => {
  test.each([
    ["http", failed("The operation was aborted", { name: "TimeoutError" }), "slow", "within 7 s"],
    ["http", failed("late", { code: "UND_ERR_CONNECT_TIMEOUT" }), "slow", "within 7 s"],
    ["http", failed("connect", { code: "ETIMEDOUT" }), "slow", "within 7 s"],
    ["socks5", failed("Proxy connection timed out"), "slow", "within 7 s"],
    ["http", failed("connect", { code: "ECONNREFUSED" }), "dead", "nothing listens"],
    ["socks5", failed("connect ECONNREFUSED 127.0.0.1:1"), "dead", "nothing listens"],
    ["socks5", failed("read ECONNRESET"), "dead", "(ECONNRESET)"],
    ["socks5", failed("Socket closed"), "dead", "broke without an answer"],
    ["http", failed("other side closed", { code: "UND_ERR_SOCKET" }), "dead", "(UND_ERR_SOCKET)"],
    ["socks5", failed("Received invalid Socks5 (invalid socks version)"), "dead", "SOCKS5"],
    ["http", failed("Proxy response (407) !== 200"), "loginRefused", "407"],
    ["http", failed("Proxy Authentication Required (407)"), "loginRefused", "407"],
    ["socks5", failed("Socks5 Authentication failed"), "loginRefused", "SOCKS5"],
    ["socks5", failed("(no accepted authentication type)"), "loginRefused", "SOCKS5"],
    ["http", failed("Proxy response (502) !== 200"), "urlNotReached", "(502)"],
    [
      "socks5",
      failed("Socks5 proxy rejected connection - HostUnreachable"),
      "urlNotReached",
      "Host",
    ],
    ["http", failed("x", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), "untrusted", "SELF_SIGNED"],
    ["socks5", failed("x", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }), "untrusted", "ALTNAME"],
    ["http", "no error at all", "dead", "broke without an answer"],
  ] as const)("over %s, %s: %s", (scheme, error, failure, why) => {
    const explained = explainError(error, scheme, 7000);
    expect(explained).toEqual({ failure, why: expect.stringContaining(why) });
    expect(explained.why).not.toContain("secret");
  });
});

test.each([
  [200, undefined],
  [302, undefined],
  [403, undefined],
  [404, undefined],
  [407, "loginRefused"],
  [500, undefined],
  [501, undefined],
  [502, "urlNotReached"],
  [503, "urlNotReached"],
  [504, "urlNotReached"],
  [505, undefined],
])("status %i over plain HTTP: %s", (status, failure) => {
  expect(explainPlainStatus(status)?.failure).toBe(failure);
});
