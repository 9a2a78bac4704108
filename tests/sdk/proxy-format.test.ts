import * as pulumi from "@pulumi/pulumi";
import { fetch, ProxyAgent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  formatProxies,
  formatProxy,
  ProgramError,
  type ProxyFormat,
  type UndiciProxy,
} from "../../sdk/index.ts";
import { record } from "../core/support/fake-service.ts";
import { startHttpForwarder, startPage, startSocksForwarder } from "../support/forwarders.ts";
import { settle } from "./stack.ts";

const awkward = { login: "user@team", password: "p@s:w/rd%2F#7?é" };

/** An order with these proxies and their logins. */
function orderOf(...proxies: ReturnType<typeof record>[]) {
  return {
    proxies: pulumi.output(proxies),
    credentials: pulumi.secret(
      Object.fromEntries(proxies.map(({ ipAddressId }) => [ipAddressId, awkward])),
    ),
  };
}

async function fetchText(proxy: UndiciProxy, url: string): Promise<string> {
  const dispatcher = new ProxyAgent(proxy);
  onTestFinished(() => dispatcher.destroy());
  return (await fetch(url, { dispatcher })).text();
}

describe("formatProxies", () => {
  test("returns the proxies of an order as one secret, each with its login", async () => {
    const order = orderOf(record("1", 7), record("1", 8));
    const urls = formatProxies(order, "url");
    expect(await pulumi.isSecret(urls)).toBe(true);
    expect(await settle(urls)).toEqual([
      "http://user%40team:p%40s%3Aw%2Frd%252F%237%3F%C3%A9@192.0.2.7:10007",
      "http://user%40team:p%40s%3Aw%2Frd%252F%237%3F%C3%A9@192.0.2.8:10008",
    ]);
    expect(await settle(formatProxies(order, "playwright", { scheme: "socks5" }))).toEqual([
      { server: "socks5://192.0.2.7:20007", username: awkward.login, password: awkward.password },
      { server: "socks5://192.0.2.8:20008", username: awkward.login, password: awkward.password },
    ]);
  });

  test("returns a secret even for authType IP without logins", async () => {
    const open = { proxies: [record("1", 7)], credentials: {} };
    const forms = formatProxies(open, "host:port:user:pass");
    expect(await pulumi.isSecret(forms)).toBe(true);
    expect(await settle(forms)).toEqual(["192.0.2.7:10007"]);
  });

  test("uses the order's protocol, unless an argument says otherwise", async () => {
    const socks = { ...orderOf(record("1", 7)), protocol: pulumi.output("SOCKS" as const) };
    const http = { ...socks, protocol: pulumi.output("HTTP" as const) };
    expect(await settle(formatProxies(socks, "url"))).toEqual([
      expect.stringMatching(/^socks5:.+:20007$/),
    ]);
    expect(await settle(formatProxies(http, "url"))).toEqual([
      expect.stringMatching(/^http:.+:10007$/),
    ]);
    expect(await settle(formatProxies(socks, "url", { scheme: "http" }))).toEqual([
      expect.stringMatching(/^http:.+:10007$/),
    ]);
  });

  test("refuses an unknown form and scheme, and says what is accepted", () => {
    const order = orderOf(record("1", 7));
    expect(() => formatProxies(order, "curl" as ProxyFormat)).toThrow(
      /INPUT_INVALID: formatProxies: format must be one of url, .*undici, not "curl"/,
    );
    expect(() => formatProxies(order, "url", { scheme: "https" as "http" })).toThrow(
      /scheme must be one of http, socks5, not "https"/,
    );
    expect(() => formatProxy(record("1", 7), undefined, "toString" as ProxyFormat)).toThrow(
      /INPUT_INVALID: formatProxy: format must be one of/,
    );
  });
});

test("formatProxy names the proxy that a form can't hold, and why, without a stack trace or the login", () => {
  const format = () => formatProxy(record("1", 7), awkward, "host:port:user:pass");
  expect(format).toThrow(
    expect.objectContaining({
      code: "FORMAT_NOT_POSSIBLE",
      message:
        "FORMAT_NOT_POSSIBLE: proxy ip-7 (192.0.2.7) can't be written as host:port:user:pass: its login or password holds a colon or white space; a URL can hold it",
    }),
  );
  expect(format).toThrow(ProgramError);
});

describe("the undici form works with a real proxy", () => {
  const at = (port: number, ipAddressIp = "127.0.0.1") =>
    record("1", 7, { ipAddressIp, httpsPort: String(port), socks5Port: String(port) });

  test.each(["127.0.0.1", "::1"])("over http at %s", async (host) => {
    const forwarder = await startHttpForwarder(awkward, host);
    const page = await startPage("seen");
    const proxy = formatProxy(at(forwarder.port, host), awkward, "undici");
    expect(await fetchText(proxy, page)).toBe("seen");
    expect(forwarder.tunnels).toEqual([new URL(page).host]);
    const stranger = formatProxy(
      at(forwarder.port, host),
      { ...awkward, password: "guess" },
      "undici",
    );
    await expect(fetchText(stranger, page)).rejects.toThrow();
    expect(forwarder.tunnels).toHaveLength(1);
  });

  test("over socks5", async () => {
    const forwarder = await startSocksForwarder(awkward);
    const page = await startPage("seen");
    const proxy = formatProxy(at(forwarder.port), awkward, "undici", "socks5");
    expect(await fetchText(proxy, page)).toBe("seen");
    expect(forwarder.logins).toEqual([`${awkward.login}:${awkward.password}`]);
  });

  test("without a login with authType IP, over both", async () => {
    const page = await startPage("seen");
    for (const [scheme, start] of [
      ["http", startHttpForwarder],
      ["socks5", startSocksForwarder],
    ] as const) {
      const forwarder = await start(undefined);
      const proxy = formatProxy(at(forwarder.port), undefined, "undici", scheme);
      expect(await fetchText(proxy, page)).toBe("seen");
      expect(forwarder.logins).toEqual([""]);
    }
  });
});

test("the URL form works with a real proxy too", async () => {
  const forwarder = await startHttpForwarder(awkward);
  const page = await startPage("seen");
  const proxy = record("1", 7, { ipAddressIp: "127.0.0.1", httpsPort: String(forwarder.port) });
  expect(await fetchText({ uri: formatProxy(proxy, awkward, "url") }, page)).toBe("seen");
});
