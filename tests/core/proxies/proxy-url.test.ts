import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toProxyUrl } from "../../../provider/core/proxies/proxy-url.ts";
import { record } from "../support/fake-service.ts";

const proxy = record("1", 7);
const credential = { login: "user", password: "p@ss:w/rd%2F#7?é" };

describe("toProxyUrl", () => {
  test.each([
    [
      "HTTP",
      proxy,
      credential,
      "http",
      "http://user:p%40ss%3Aw%2Frd%252F%237%3F%C3%A9@192.0.2.7:10007",
    ],
    [
      "SOCKS",
      proxy,
      credential,
      "socks5",
      "socks5://user:p%40ss%3Aw%2Frd%252F%237%3F%C3%A9@192.0.2.7:20007",
    ],
    ["no login", proxy, undefined, "http", "http://192.0.2.7:10007"],
    [
      "IPv6",
      record("1", 7, { ipAddressIp: "2001:db8::1" }),
      undefined,
      "http",
      "http://[2001:db8::1]:10007",
    ],
    ["no port yet", record("1", 7, { httpsPort: undefined }), credential, "http", undefined],
    [
      "only the other port",
      record("1", 7, { socks5Port: undefined }),
      credential,
      "socks5",
      undefined,
    ],
  ] as const)("of a proxy with %s", (_what, listed, login, scheme, url) => {
    expect(toProxyUrl(listed, login, scheme)).toBe(url);
  });

  test("gives any parser the right login and password", () => {
    const text = fc
      .string({ minLength: 1, unit: "binary" })
      .filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, text, (login, password) => {
        const url = new URL(toProxyUrl(proxy, { login, password }) ?? "");
        expect([decodeURIComponent(url.username), decodeURIComponent(url.password)]).toEqual([
          login,
          password,
        ]);
        expect(url.host).toBe("192.0.2.7:10007");
      }),
    );
  });
});
