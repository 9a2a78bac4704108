import { describe, expect, test } from "vitest";
import { proxyFaultSchema } from "../../simulator/live/proxy-fault-schema.ts";
import { rowsUnder } from "../support/docs.ts";
import { orders } from "./caller.ts";
import { openControlApi } from "./control-api.ts";
import {
  fetchThrough,
  handOn,
  knock,
  type ListedProxy,
  rent,
  schemes,
  seedOfItsOwn,
  startEcho,
  startLive,
} from "./live-guests.ts";
import { startForTest } from "./start.ts";
import { startWitness } from "./witness.ts";

async function rentTwo(more: object = {}) {
  const simulator = await startLive();
  const [proxy, other] = await rent(simulator, { ...orders.IPv4, quantity: 2, ...more });
  if (proxy === undefined || other === undefined) throw new Error("nothing was delivered");
  return { simulator, proxy, other };
}

const fetchOver = (proxy: ListedProxy, scheme: (typeof schemes)[number], url: string) =>
  fetchThrough(handOn(proxy, "undici", scheme), url);

describe.each(schemes)("over %s", (scheme) => {
  test("a dead proxy resets each connection, and the others go on", async () => {
    const { simulator, proxy, other } = await rentTwo();
    const page = `http://${await startEcho()}/`;
    simulator.setProxyFault([proxy.ipAddressId], { kind: "dead" });
    await expect(fetchOver(proxy, scheme, page)).rejects.toThrow();
    expect(await fetchOver(other, scheme, page)).toContain("GET");
    simulator.setProxyFault([proxy.ipAddressId], undefined);
    expect(await fetchOver(proxy, scheme, page)).toContain("GET");
  });

  test("a slow proxy lets its client wait for the target", async () => {
    const { simulator, proxy } = await rentTwo();
    const page = `http://${await startEcho()}/`;
    simulator.setProxyFault([proxy.ipAddressId], { kind: "slow", ms: 400 });
    const startedMs = performance.now();
    expect(await fetchOver(proxy, scheme, page)).toContain("GET");
    expect(performance.now() - startedMs).toBeGreaterThan(390);
  });

  test.each([{}, { authType: "IP", authIp: "203.0.113.7" }])(
    "no login is right where logins are refused, of an order with %j",
    async (more) => {
      const { simulator, proxy } = await rentTwo(more);
      const page = `http://${await startEcho()}/`;
      simulator.setProxyFault([proxy.ipAddressId], { kind: "refuseLogin" });
      await expect(fetchOver(proxy, scheme, page)).rejects.toThrow();
      expect(await knock(proxy.httpsPort)).toBe("open");
    },
  );

  test("targets see another address, the usual one or a given one", async () => {
    const { simulator, proxy, other } = await rentTwo();
    const page = await startWitness();
    simulator.setProxyFault([proxy.ipAddressId], { kind: "wrongExit" });
    expect(await fetchOver(proxy, scheme, page)).toBe("127.0.0.2");
    expect(await fetchOver(other, scheme, page)).toBe("127.0.0.1");
    simulator.setProxyFault([proxy.ipAddressId], { kind: "wrongExit", address: "127.0.0.9" });
    expect(await fetchOver(proxy, scheme, page)).toBe("127.0.0.9");
  });
});

describe("a fault of a proxy", () => {
  test.each([
    [{ kind: "lame" }, "kind"],
    [{ kind: "slow" }, "ms"],
    [{ kind: "slow", ms: -1 }, "ms"],
    [{ kind: "wrongExit", address: "here" }, "address"],
    [{ kind: "dead", ms: 1 }, '"ms"'],
  ])("%j is refused", async (fault, named) => {
    const { simulator, proxy } = await rentTwo();
    const set = () => simulator.setProxyFault([proxy.ipAddressId], fault as { kind: "dead" });
    expect(set).toThrow(TypeError);
    expect(set).toThrow(named);
  });

  test("needs a live proxy that is there", async () => {
    const simulator = await startForTest();
    const [proxy] = await rent(simulator);
    const set = (id: string) => simulator.setProxyFault([id], { kind: "dead" });
    expect(() => set(proxy?.ipAddressId ?? "")).toThrow("live: true");
    expect(() => set("1")).toThrow('no proxy "1"');
  });

  test("is set and mended through the control API", async () => {
    const { simulator, call } = await openControlApi({ live: true, seed: seedOfItsOwn() });
    const [proxy] = await rent(simulator);
    if (proxy === undefined) throw new Error("nothing was delivered");
    const page = await startWitness();
    const path = "/accounts/main/proxies/fault";
    const named = { ipAddressIds: [proxy.ipAddressId] };
    const wrong = await call("POST", path, { ...named, fault: { kind: "slow" } });
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining("ms") } });
    const wrongExit = { kind: "wrongExit", address: "127.0.0.3" };
    expect((await call("POST", path, { ...named, fault: wrongExit })).status).toBe(204);
    expect(await fetchOver(proxy, "http", page)).toBe("127.0.0.3");
    expect((await call("POST", path, { ...named, fault: null })).status).toBe(204);
    expect(await fetchOver(proxy, "http", page)).toBe("127.0.0.1");
  });
});

test("the README has each kind", () => {
  const rows = rowsUnder("simulator/README.md", "`kind`        | over HTTP and SOCKS5");
  const kinds = proxyFaultSchema.options.map((option) => `\`${option.shape.kind.value}\``);
  expect(rows.map(([kind]) => kind)).toEqual(kinds);
});
