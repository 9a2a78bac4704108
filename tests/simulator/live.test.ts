import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { proxyFormats } from "../../provider/core/proxies/proxy-format.ts";
import { startSimulator } from "../../simulator/index.ts";
import { get, orders, post, StillClock } from "./caller.ts";
import {
  fetchThrough,
  handOn,
  knock,
  type ListedProxy,
  list,
  openTunnel,
  rent,
  schemes,
  seedOfItsOwn,
  soon,
  startBare,
  startEcho,
  startLive,
} from "./live-guests.ts";
import { startForTest } from "./start.ts";

const portsOf = (proxies: readonly ListedProxy[]) =>
  proxies.flatMap(({ httpsPort, socks5Port }) => [httpsPort, socks5Port]);

describe("the provider's outputs work unchanged", () => {
  test.each(schemes)("as a URL over %s, with any characters in the login", async (scheme) => {
    const simulator = await startLive();
    const page = `http://${await startEcho()}/seen`;
    const proxies = await rent(simulator, { ...orders.IPv4, quantity: 15 });
    const urls = proxies.map((proxy) => handOn(proxy, "url", scheme));
    expect(urls.filter((url) => url.includes("%")).length).toBeGreaterThan(3);
    for (const uri of urls) {
      expect(JSON.parse(await fetchThrough(uri, page))).toMatchObject({ url: "/seen" });
    }
  });

  test.each(schemes)("as undici's form over %s, for each proxy type", async (scheme) => {
    const simulator = await startLive();
    const page = `http://${await startEcho()}/`;
    for (const order of Object.values(orders)) {
      const [proxy] = await rent(simulator, order);
      if (proxy === undefined) throw new Error("nothing was delivered");
      expect(proxy.ipAddressIp).toBe("127.0.0.1");
      expect(await fetchThrough(handOn(proxy, "undici", scheme), page)).toContain('"GET"');
    }
  });

  test("without a login if the order has authType IP, and also with an unneeded one", async () => {
    const simulator = await startLive();
    const page = `http://${await startEcho()}/`;
    const order = { ...orders.IPv4, authType: "IP", authIp: "203.0.113.7" };
    const [proxy] = await rent(simulator, order);
    if (proxy === undefined) throw new Error("nothing was delivered");
    for (const scheme of schemes) {
      const port = scheme === "http" ? proxy.httpsPort : proxy.socks5Port;
      expect(await fetchThrough(`${scheme}://127.0.0.1:${port}`, page)).toContain("GET");
      expect(await fetchThrough(handOn(proxy, "undici", scheme), page)).toContain("GET");
    }
  });

  test("but not with another proxy's login", async () => {
    const simulator = await startLive();
    const { port, guests } = await startBare();
    const [proxy, other] = await rent(simulator);
    if (proxy === undefined || other === undefined) throw new Error("nothing was delivered");
    const mixed = { ...proxy, authInfo: other.authInfo };
    for (const scheme of schemes) {
      const form = handOn(mixed, "undici", scheme);
      await expect(fetchThrough(form, `http://127.0.0.1:${port}/`)).rejects.toThrow();
    }
    expect(guests.size).toBe(0);
  });

  test("in every form, for any address", async () => {
    const simulator = await startLive();
    const [proxy] = await rent(simulator, orders.IPv6);
    if (proxy === undefined) throw new Error("nothing was delivered");
    for (const format of proxyFormats) {
      for (const scheme of schemes) expect(() => handOn(proxy, format, scheme)).not.toThrow();
    }
  });
});

describe("a proxy listens", () => {
  test("from its delivery on, whenever that is, and not before", async () => {
    const simulator = await startLive({
      now: new StillClock().now,
      deliveryDelayMs: 60_000,
      deliveryBatch: { size: 2, everyMs: 60_000 },
    });
    expect(await rent(simulator, { ...orders.IPv4, quantity: 3 })).toEqual([]);
    const [first, , third] = simulator.proxies();
    expect(await knock(first?.httpsPort ?? "")).toBe("ECONNREFUSED");
    simulator.advance({ minutes: 1 });
    const delivered = await list(simulator);
    expect(delivered).toMatchObject([{ httpsPort: first?.httpsPort }, {}]);
    for (const port of portsOf(delivered)) expect(await knock(port)).toBe("open");
    expect(await knock(third?.httpsPort ?? "")).toBe("ECONNREFUSED");
    simulator.advance({ minutes: 1 });
    for (const port of portsOf(await list(simulator))) expect(await knock(port)).toBe("open");
  });

  test("before the listing shows it, even if many are delivered at once", async () => {
    const simulator = await startLive({ pageCap: 1000, balance: 1_000_000 });
    const some = () => rent(simulator, { ...orders.IPv4, quantity: 300 });
    for (const ports of (await Promise.all([some(), some(), some()])).map(portsOf)) {
      const last = ports.slice(-20);
      expect(await Promise.all(last.map(knock))).toEqual(last.map(() => "open"));
    }
    expect(new Set(portsOf(await list(simulator))).size).toBe(1800);
  });

  test("until its end: then it accepts nobody, and open tunnels close", async () => {
    const simulator = await startLive();
    const target = await startBare();
    const [proxy] = await rent(simulator);
    if (proxy === undefined) throw new Error("nothing was delivered");
    const tunnel = await openTunnel(proxy, target.port);
    tunnel.resume();
    simulator.advance({ days: 29 });
    expect(await knock(proxy.httpsPort)).toBe("open");
    expect(target.guests.size).toBe(1);

    simulator.advance({ days: 1 });
    await once(tunnel, "close");
    await expect.poll(() => target.guests.size, soon).toBe(0);
    for (const port of portsOf([proxy])) expect(await knock(port)).toBe("ECONNREFUSED");
  });

  test("until its end, even if only its own guests call", async () => {
    const clock = new StillClock();
    const simulator = await startLive({ now: clock.now });
    const page = `http://${await startEcho()}/`;
    const [proxy] = await rent(simulator);
    if (proxy === undefined) throw new Error("nothing was delivered");
    const uri = handOn(proxy, "url", "http");
    clock.advanceDays(29);
    expect(await fetchThrough(uri, page)).toContain("GET");
    clock.advanceDays(1);
    await expect(fetchThrough(uri, page)).rejects.toThrow();
    expect(await knock(proxy.httpsPort)).toBe("ECONNREFUSED");
  });

  test("longer after an extension, also with a new id", async () => {
    const simulator = await startLive({ idsChangeOnExtension: true });
    const rented = await rent(simulator);
    const ipAddressIds = rented.map((proxy) => proxy.ipAddressId);
    await post(simulator, "extend", { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 });
    simulator.advance({ days: 59 });
    const extended = await list(simulator);
    expect(portsOf(extended)).toEqual(portsOf(rented));
    for (const port of portsOf(extended)) expect(await knock(port)).toBe("open");
    simulator.expireProxies([extended[0]?.ipAddressId ?? ""]);
    simulator.removeProxies([extended[1]?.ipAddressId ?? ""]);
    for (const port of portsOf(extended.slice(0, 2))) {
      expect(await knock(port)).toBe("ECONNREFUSED");
    }
    for (const port of portsOf(extended.slice(2))) expect(await knock(port)).toBe("open");
  });

  test("in each account, and two accounts share no port", async () => {
    const simulator = await startLive();
    const page = `http://${await startEcho()}/`;
    const second = simulator.openAccount();
    const proxies = [
      ...(await rent(simulator)),
      ...(await rent(simulator, orders.IPv4, second.apiKey)),
    ];
    expect(new Set(portsOf(proxies)).size).toBe(20);
    for (const proxy of proxies) {
      expect(await fetchThrough(handOn(proxy, "undici", "http"), page)).toContain("GET");
    }
  });

  test("only if the option says so", async () => {
    const simulator = await startForTest();
    const [proxy] = await rent(simulator);
    expect(proxy?.ipAddressIp).toMatch(/^(192\.0\.2|198\.51\.100|203\.0\.113)\./);
    expect(await knock(proxy?.httpsPort ?? "")).toBe("ECONNREFUSED");
  });
});

describe("ports", () => {
  test("are the same for the same seed and calls, and below those of outgoing connections", async () => {
    const options = { live: true, seed: seedOfItsOwn(), now: new StillClock().now };
    const play = async () => {
      const simulator = await startSimulator(options);
      const listed = await rent(simulator);
      await simulator.stop();
      return listed;
    };
    const first = await play();
    expect(await play()).toEqual(first);
    for (const port of portsOf(first).map(Number)) {
      expect(port).toSatisfy((value: number) => value >= 10_000 && value < 32_768);
    }
  });

  test("in use by another program are skipped: the proxy takes the next pair", async () => {
    const clock = new StillClock();
    const options = { live: true, seed: seedOfItsOwn(), now: clock.now };
    const before = await startSimulator(options);
    const [free, other] = await rent(before);
    await before.stop();
    if (free === undefined || other === undefined) throw new Error("nothing was delivered");
    // If another program has one port of a pair, the pair can't be used.
    await startBare(undefined, { port: Number(free.socks5Port) });

    const simulator = await startLive({ ...options, deliveryDelayMs: 1000 });
    await rent(simulator);
    clock.advance(1000);
    // This listing delivers the proxies, and shows their final ports.
    const [moved, same] = await list(simulator);
    if (moved === undefined || same === undefined) throw new Error("nothing was delivered");
    expect(portsOf([moved])).not.toContain(free.httpsPort);
    expect(portsOf([same])).toEqual(portsOf([other]));
    expect(Number(moved.socks5Port)).toBe(Number(moved.httpsPort) + 1);
    const page = `http://${await startEcho()}/`;
    for (const scheme of schemes) {
      expect(await fetchThrough(handOn(moved, "undici", scheme), page)).toContain("GET");
    }
    expect(await knock(free.httpsPort)).toBe("ECONNREFUSED");
  });

  test("are not used again after a proxy has ended", async () => {
    const simulator = await startLive({ balance: 1_000_000, pageCap: 1000 });
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      for (const port of portsOf(await rent(simulator, { ...orders.IPv4, quantity: 400 }))) {
        seen.add(port);
      }
      simulator.advance({ days: 31 });
    }
    expect(seen.size).toBe(4 * 400 * 2);
  });
});

test("a thousand proxies can live at a time, delivered or not; an order beyond that is refused with a reason", async () => {
  const simulator = await startLive({
    balance: 1_000_000,
    now: new StillClock().now,
    deliveryDelayMs: 1000,
  });
  const order = { ...orders.IPv4, quantity: 990 };
  await post(simulator, "order", order);
  const second = simulator.openAccount();
  const tooMuch = { ...orders.IPv4, quantity: 11 };
  const refusal = { success: false, error: { code: 9011, message: expect.stringMatching(/1000/) } };
  expect(await post(simulator, "calculate/order", tooMuch)).toMatchObject(refusal);
  expect(await post(simulator, "order", tooMuch)).toMatchObject(refusal);
  expect(() => second.placeForeignOrder({ ...tooMuch, proxyType: "IPv4" })).toThrow("live");
  expect(simulator.ledger()).toHaveLength(1);
  expect(second.ledger()).toEqual([]);
  expect((await post(simulator, "order", { ...orders.IPv4, quantity: 10 })).success).toBe(true);
  simulator.advance({ days: 31 });
  expect((await post(simulator, "order", order)).success).toBe(true);
});

describe("a simulator's proxies", () => {
  test("stop listening after a stop, with tunnels open and orders under way", async () => {
    const simulator = await startLive();
    const target = await startBare();
    const proxies = await rent(simulator);
    for (const proxy of proxies) await openTunnel(proxy, target.port);
    // The order is carried out after the stop, although its caller gets no answer.
    const fault = { kind: "act", run: () => simulator.stop() } as const;
    simulator.addFault({ endpoint: "createOrder", phase: "before", fault });
    await expect(post(simulator, "order", orders.ISP)).rejects.toThrow();
    await expect.poll(() => simulator.proxies().length, soon).toBe(7);
    const ports = simulator.proxies().flatMap((proxy) => [proxy.httpsPort, proxy.socks5Port]);
    for (const port of ports) expect(await knock(port)).toBe("ECONNREFUSED");
    await expect.poll(() => target.guests.size, soon).toBe(0);
  });

  test("are gone after a reset, and the same orders get the same ports again", async () => {
    const simulator = await startLive({ now: new StillClock().now });
    const target = await startBare();
    const first = await rent(simulator);
    if (first[0] === undefined) throw new Error("nothing was delivered");
    const tunnel = await openTunnel(first[0], target.port);
    tunnel.resume();
    simulator.reset();
    await once(tunnel, "close");
    for (const port of portsOf(first)) expect(await knock(port)).toBe("ECONNREFUSED");
    expect(await rent(simulator)).toEqual(first);
    for (const port of portsOf(first)) expect(await knock(port)).toBe("open");
  });

  test("listen on the same ports after a snapshot is loaded, here and in another simulator", async () => {
    const options = { seed: seedOfItsOwn(), now: new StillClock().now };
    const simulator = await startLive(options);
    const page = `http://${await startEcho()}/`;
    const kept = await rent(simulator);
    simulator.expireProxies([kept.shift()?.ipAddressId ?? ""]);
    const snapshot = JSON.parse(JSON.stringify(simulator.save()));
    const later = await rent(simulator, orders.ISP);
    const use = async (proxies: ListedProxy[]) => {
      expect(proxies).toEqual(kept);
      for (const proxy of proxies) {
        expect(await fetchThrough(handOn(proxy, "undici", "http"), page)).toContain("GET");
        expect(await fetchThrough(handOn(proxy, "undici", "socks5"), page)).toContain("GET");
      }
    };
    simulator.load(snapshot);
    await use(await list(simulator));
    // A stop may come at any point of the opening of proxies. All that it has begun must be over before the next one.
    for (let turns = 0; turns < 20; turns += 1) {
      simulator.load(snapshot);
      for (let turn = 0; turn < turns; turn += 1) await undefined;
      if (turns % 5 === 4) await setImmediate();
    }
    await use(await list(simulator));
    for (const port of portsOf(later)) expect(await knock(port)).toBe("ECONNREFUSED");

    await simulator.stop();
    const elsewhere = await startLive(options);
    elsewhere.load(snapshot);
    await use(await list(elsewhere));
  });

  test("move to other ports if those of a snapshot are in use, and the listing shows them", async () => {
    const simulator = await startLive();
    const kept = await rent(simulator);
    const elsewhere = await startLive();
    elsewhere.load(simulator.save());
    const moved = await list(elsewhere);
    expect(moved.map((proxy) => proxy.ipAddressId)).toEqual(kept.map((proxy) => proxy.ipAddressId));
    expect(portsOf(moved).filter((port) => portsOf(kept).includes(port))).toEqual([]);
    for (const port of portsOf(moved)) expect(await knock(port)).toBe("open");
  });

  test("come to life from a snapshot without live proxies, as far as there are ports", async () => {
    const simulator = await startForTest({ balance: 1_000_000, now: new StillClock().now });
    await post(simulator, "order", { ...orders.IPv4, quantity: 1000 });
    const fitting = simulator.save();
    await post(simulator, "order", orders.IPv4);
    const living = await startLive({ balance: 5, now: new StillClock().now });
    expect(() => living.load(simulator.save())).toThrow("holds 1005 proxies that have not ended");
    expect((await get(living, "balance")).balance).toBe(5);
    living.load(fitting);
    const [proxy] = await list(living);
    if (proxy === undefined) throw new Error("nothing was delivered");
    expect(proxy.ipAddressIp).toBe("127.0.0.1");
    const page = `http://${await startEcho()}/`;
    expect(await fetchThrough(handOn(proxy, "undici", "http"), page)).toContain("GET");
  });
});
