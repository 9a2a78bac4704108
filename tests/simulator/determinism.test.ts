import { expect, test } from "vitest";
import { get, listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

async function transcribe(seed: number): Promise<string> {
  const simulator = await startForTest({ seed, now: new StillClock().now });
  const answers: unknown[] = [simulator.apiKey];
  for (const order of Object.values(orders)) answers.push(await post(simulator, "order", order));
  const ipAddressIds = await listIds(simulator, "IPv4");
  const request = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 };
  answers.push(await post(simulator, "extend", request));
  answers.push(await post(simulator, "extend/auto", { ...request, autoExtend: true }));
  for (const proxyType of Object.keys(orders)) answers.push(await listPage(simulator, proxyType));
  simulator.advance({ days: 365 });
  answers.push(await listPage(simulator, "IPv4"));
  answers.push(await get(simulator, "balance"), simulator.ledger());
  return JSON.stringify(answers);
}

test("the same seed and the same calls give the same answers over a year, byte for byte", async () => {
  expect(await transcribe(7)).toBe(await transcribe(7));
});

test("another seed gives other keys, order numbers, ids, addresses and logins", async () => {
  const [seven, eight] = await Promise.all([transcribe(7), transcribe(8)]);
  for (const field of ["orderNumber", "ipAddressId", "ipAddressIp", "login", "password"]) {
    const valuesOf = (text: string): string[] =>
      text.match(new RegExp(`"${field}":"[^"]+"`, "g")) ?? [];
    expect(valuesOf(seven).length).toBeGreaterThan(0);
    expect(valuesOf(seven).filter((value) => valuesOf(eight).includes(value))).toEqual([]);
  }
});

test("thousands of proxies have thousands of ids, addresses with port, and logins", async () => {
  const simulator = await startForTest({ balance: 1_000_000 });
  for (const order of Object.values(orders)) {
    await post(simulator, "order", { ...order, quantity: 1500 });
  }
  const proxies = simulator.proxies();
  const count = 1500 * Object.keys(orders).length;
  expect(proxies).toHaveLength(count);
  const distinct = (keys: string[]) => new Set(keys).size;
  expect(distinct(proxies.map((proxy) => proxy.ipAddressId))).toBe(count);
  expect(distinct(proxies.map(({ login, password }) => `${login}:${password}`))).toBe(count);
  const ports = proxies.flatMap(({ ip, httpsPort, socks5Port }) => [
    `${ip} ${httpsPort}`,
    `${ip} ${socks5Port}`,
  ]);
  expect(distinct(ports)).toBe(2 * count);
});

test("addresses are in the ranges for documentation", async () => {
  const simulator = await startForTest({ balance: 1_000_000 });
  await post(simulator, "order", { ...orders.IPv4, quantity: 800 });
  await post(simulator, "order", orders.IPv6);
  for (const { proxyType, ip, httpsPort, socks5Port } of simulator.proxies()) {
    expect(ip).toMatch(
      proxyType === "IPv6" ? /^2001:db8:/ : /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}$/,
    );
    expect(Number(ip.split(".")[3] ?? 1)).toSatisfy((host) => host >= 1 && host <= 254);
    expect(Number(httpsPort)).toSatisfy((port) => port >= 10_000 && port < 65_535);
    expect(Number(socks5Port)).toBe(Number(httpsPort) + 1);
  }
});

test("some passwords and logins break a URL unless they are percent-encoded, and some do not", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", { ...orders.IPv4, quantity: 15 });
  const isPlain = (text: string) => encodeURIComponent(text) === text;
  for (const field of ["login", "password"] as const) {
    const plain = simulator.proxies().filter((proxy) => isPlain(proxy[field]));
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.length).toBeLessThan(15);
  }
});
