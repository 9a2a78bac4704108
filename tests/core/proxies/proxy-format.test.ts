import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Credential } from "../../../provider/client/index.ts";
import {
  formatProxies,
  formatProxy,
  proxyFormats,
} from "../../../provider/core/proxies/proxy-format.ts";
import { type ProxyScheme, toProxyUrl } from "../../../provider/core/proxies/proxy-url.ts";
import { record } from "../support/fake-service.ts";

const proxy = record("1", 7);
const overIPv6 = record("1", 7, { ipAddressIp: "2001:db8::1" });
const credential = { login: "user@team", password: "p@s/%" };
const basic = `Basic ${Buffer.from("user@team:p@s/%").toString("base64")}`;

describe("a proxy is written", () => {
  test.each([
    ["url", "http", "http://user%40team:p%40s%2F%25@192.0.2.7:10007"],
    ["url", "socks5", "socks5://user%40team:p%40s%2F%25@192.0.2.7:20007"],
    ["user:pass@host:port", "http", "user%40team:p%40s%2F%25@192.0.2.7:10007"],
    ["user:pass@host:port", "socks5", "user%40team:p%40s%2F%25@192.0.2.7:20007"],
    ["host:port:user:pass", "http", "192.0.2.7:10007:user@team:p@s/%"],
    ["host:port:user:pass", "socks5", "192.0.2.7:20007:user@team:p@s/%"],
    [
      "playwright",
      "http",
      { server: "http://192.0.2.7:10007", username: "user@team", password: "p@s/%" },
    ],
    [
      "playwright",
      "socks5",
      { server: "socks5://192.0.2.7:20007", username: "user@team", password: "p@s/%" },
    ],
    ["undici", "http", { uri: "http://192.0.2.7:10007", token: basic }],
    [
      "undici",
      "socks5",
      { uri: "socks5://192.0.2.7:20007", username: "user@team", password: "p@s/%" },
    ],
  ] as const)("as %s over %s", (format, scheme, form) => {
    expect(formatProxy(proxy, credential, format, scheme)).toEqual({ form });
  });

  test.each([
    ["url", "http://[2001:db8::1]:10007"],
    ["user:pass@host:port", "[2001:db8::1]:10007"],
    ["host:port:user:pass", "[2001:db8::1]:10007"],
    ["playwright", { server: "http://[2001:db8::1]:10007" }],
    ["undici", { uri: "http://[2001:db8::1]:10007" }],
  ] as const)("with an IPv6 address and without a login, as %s", (format, form) => {
    expect(formatProxy(overIPv6, undefined, format, "http")).toEqual({ form });
  });

  test.each(proxyFormats)("but without a port is refused as %s", (format) => {
    const portless = record("1", 7, { httpsPort: undefined });
    expect(formatProxy(portless, credential, format, "http")).toEqual({
      refusal: `proxy ip-7 (192.0.2.7) can't be written as ${format}: the service has named no http port for it`,
    });
    expect(formatProxy(portless, credential, format, "socks5")).toHaveProperty("form");
  });
});

describe("a login that a form can't hold is refused, and the error does not repeat it", () => {
  const colon = { login: "us:er", password: "secret" };
  test.each([
    ["host:port:user:pass", proxy, colon, "http", "colon"],
    ["host:port:user:pass", proxy, { login: "user", password: "sec:ret" }, "http", "colon"],
    ["host:port:user:pass", proxy, { login: "user", password: "sec\nret" }, "http", "white space"],
    ["undici", proxy, colon, "http", "its login holds a colon"],
    ["undici", proxy, { login: "user", password: "" }, "socks5", "empty"],
    ["undici", overIPv6, credential, "socks5", "no socks5 proxy at an IPv6 address"],
  ] as const)("%s", (format, listed, login: Credential, scheme: ProxyScheme, why) => {
    const formatted = formatProxy(listed, login, format, scheme);
    expect(formatted).toEqual({ refusal: expect.stringContaining(why) });
    expect(JSON.stringify(formatted)).not.toMatch(/us:er|sec/);
  });
});

describe("proxies together", () => {
  const listed = [record("1", 7), record("1", 8)];

  test("are written with a login each", () => {
    const credentials = {
      "ip-8": { login: "eight", password: "8" },
      "ip-7": { login: "seven", password: "7" },
    };
    expect(formatProxies(listed, credentials, "host:port:user:pass", "http")).toEqual({
      form: ["192.0.2.7:10007:seven:7", "192.0.2.8:10008:eight:8"],
    });
  });

  test("have no logins with authType IP", () => {
    expect(formatProxies(listed, {}, "url", "socks5")).toEqual({
      form: ["socks5://192.0.2.7:20007", "socks5://192.0.2.8:20008"],
    });
  });

  test("are refused if one has no login, or can't be written", () => {
    const refusal = "proxy ip-8 (192.0.2.8) can't be written as host:port:user:pass: ";
    const alone = { "ip-7": { login: "seven", password: "7" } };
    expect(formatProxies(listed, alone, "host:port:user:pass", "http")).toEqual({
      refusal: `${refusal}the service has told no login for it`,
    });
    const both = { ...alone, "ip-8": { login: "ei:ght", password: "8" } };
    expect(formatProxies(listed, both, "host:port:user:pass", "http")).toEqual({
      refusal: expect.stringContaining(`${refusal}its login or password holds a colon`),
    });
  });
});

describe("any login", () => {
  const text = fc.string({ minLength: 1, unit: "binary" }).filter((value) => value.isWellFormed());
  const logins = fc.record({ login: text, password: text });
  const schemes = fc.constantFrom<ProxyScheme>("http", "socks5");

  test("comes back unchanged from both URL forms", () => {
    fc.assert(
      fc.property(logins, schemes, (login, scheme) => {
        const url = formatProxy(proxy, login, "url", scheme);
        expect(url).toEqual({ form: toProxyUrl(proxy, login, scheme) });
        const pasted = formatProxy(proxy, login, "user:pass@host:port", scheme);
        expect({ form: `${scheme}://${"form" in pasted && pasted.form}` }).toEqual(url);
        const { username, password, hostname } = new URL("form" in url ? url.form : "");
        expect([decodeURIComponent(username), decodeURIComponent(password), hostname]).toEqual([
          login.login,
          login.password,
          "192.0.2.7",
        ]);
      }),
    );
  });

  test("comes back unchanged from host:port:user:pass, or is refused", () => {
    fc.assert(
      fc.property(logins, ({ login, password }) => {
        const formatted = formatProxy(proxy, { login, password }, "host:port:user:pass", "http");
        const form = "form" in formatted ? formatted.form.split(":") : undefined;
        const fits = !/[:\s]/.test(login + password);
        expect(form).toEqual(fits ? ["192.0.2.7", "10007", login, password] : undefined);
      }),
    );
  });

  test("comes back unchanged from undici's token, or is refused", () => {
    fc.assert(
      fc.property(logins, ({ login, password }) => {
        const formatted = formatProxy(proxy, { login, password }, "undici", "http");
        const token = "form" in formatted ? (formatted.form.token ?? "") : undefined;
        const read = token && Buffer.from(token.slice("Basic ".length), "base64").toString();
        expect(read).toEqual(login.includes(":") ? undefined : `${login}:${password}`);
      }),
    );
  });
});
