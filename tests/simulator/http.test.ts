import { expect, test } from "vitest";
import { startSimulator } from "../../simulator/index.ts";
import { ask, beginOrder, type Call, get, orders, post, StillClock, send } from "./caller.ts";
import { startForTest } from "./start.ts";

const key = "/client/api/v1/{apiKey}";
const page = { proxyType: "IPv4", page: 0, size: 1 };
const proxyType = "IPv4";

const callByEndpoint: Record<string, Call> = {
  getBalance: { method: "GET", path: `${key}/balance` },
  listProxyTypes: { method: "GET", path: `${key}/proxyType` },
  listCountries: { method: "GET", path: `${key}/country`, query: { proxyType } },
  listRentPeriods: { method: "GET", path: `${key}/rentPeriod`, query: { proxyType } },
  listPromoCodes: { method: "GET", path: `${key}/promoCode` },
  listMobileOperators: { method: "GET", path: `${key}/mobileOperator` },
  calculateOrder: { method: "POST", path: `${key}/calculate/order`, body: orders.IPv4 },
  createOrder: { method: "POST", path: `${key}/order`, body: orders.IPv4 },
  calculateExtension: { method: "POST", path: `${key}/calculate/extend`, body: {} },
  extend: { method: "POST", path: `${key}/extend`, body: {} },
  setAutoExtension: { method: "POST", path: `${key}/extend/auto`, body: {} },
  listProxies: { method: "POST", path: `${key}/ipAddress`, query: { proxyType }, body: page },
};

test("each request counts once for its endpoint, whatever its result", async () => {
  const simulator = await startForTest();
  const none = simulator.requestCounts();
  expect(Object.keys(none).toSorted()).toEqual(Object.keys(callByEndpoint).toSorted());
  for (const [endpoint, call] of Object.entries(callByEndpoint)) {
    simulator.resetRequestCounts();
    await ask(simulator, call);
    await ask(simulator, call, "nobody's");
    expect(simulator.requestCounts()).toEqual({ ...none, [endpoint]: 2 });
  }
  simulator.resetRequestCounts();
  await get(simulator, "country");
  await ask(simulator, {
    method: "GET",
    path: `/users${key}/country`,
    query: { proxyType: "ISP" },
  });
  await send(simulator, { method: "GET", path: "/elsewhere" });
  expect(simulator.requestCounts()).toEqual({ ...none, listCountries: 2 });
});

test("an unknown key gets no data and changes nothing", async () => {
  const simulator = await startForTest();
  for (const call of Object.values(callByEndpoint)) {
    const broken = call.body === undefined ? call : { ...call, body: [] };
    const answer = await ask(simulator, broken, "nobody's");
    expect(answer.error).toEqual({ code: 2, message: "Error api key" });
    expect(JSON.stringify(answer)).not.toContain("1000");
  }
  expect(simulator.ledger()).toEqual([]);
});

test("a path outside the service gets a 4xx, and the service goes on", async () => {
  const simulator = await startForTest();
  const order = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`;
  const json = { "Content-Type": "application/json" };
  const statusOf = async (url: string, init: RequestInit) => (await fetch(url, init)).status;
  expect(await statusOf(order, { method: "POST", headers: json, body: "{oops" })).toBe(400);
  expect(await statusOf(order, { method: "POST", headers: json, body: "" })).toBe(400);
  expect(await statusOf(order, { method: "POST", body: "a=b" })).toBe(415);
  expect(await statusOf(order, { method: "GET" })).toBe(405);
  expect(await statusOf(order, { method: "DELETE" })).toBe(405);
  expect(await statusOf(`${order}/5`, { method: "GET" })).toBe(404);
  expect(await statusOf(`${simulator.baseUrl}/%E0%A4%A`, { method: "GET" })).toBe(404);
  const body = JSON.stringify({ ...orders.IPv4, goal: "x".repeat(2 ** 21) });
  expect(await statusOf(order, { method: "POST", headers: json, body })).toBe(413);
  expect((await get(simulator, "balance")).balance).toBe(1000);
});

test("a huge body without a length is cut off too", async () => {
  const simulator = await startForTest();
  const chunk = new Uint8Array(2 ** 16).fill(0x20);
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
  const sending = fetch(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  // The refusal closes the connection, but the body does not end. A client sees either the answer or the end.
  const status = await sending.then(
    (response) => response.status,
    () => "closed",
  );
  expect([413, "closed"]).toContain(status);
  expect((await get(simulator, "balance")).balance).toBe(1000);
});

test("the Date header has the service's clock, on refusals too", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  const dateOf = async (path: string) =>
    (await send(simulator, { method: "GET", path })).headers.get("Date");
  expect(await dateOf(`${key}/balance`)).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
  clock.advanceDays(1);
  expect(await dateOf(`${key}/balance`)).toBe("Mon, 02 Mar 2026 12:00:00 GMT");
  expect(await dateOf("/elsewhere")).toBe("Mon, 02 Mar 2026 12:00:00 GMT");
});

test("orders placed at the same moment are all placed, each once", async () => {
  const simulator = await startForTest();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(simulator, "order", orders.IPv4)),
  );
  expect(new Set(answers.map((answer) => answer.orderNumber)).size).toBe(20);
  expect(simulator.balance()).toBe("860.00");
});

test("a stop ends a waiting request, which is never charged", async () => {
  const simulator = await startSimulator({ latencyMs: 60_000 });
  const waiting = await beginOrder(simulator.baseUrl, simulator.apiKey);
  await Promise.all([simulator.stop(), simulator.stop()]);
  expect(await waiting.outcome).toMatchObject({ code: "ECONNRESET" });
  expect(simulator.ledger()).toEqual([]);
  await expect(get(simulator, "balance")).rejects.toThrow("fetch failed");
});

test("answers are delayed by the latency", async () => {
  const simulator = await startForTest({ latencyMs: 40 });
  const startedMs = performance.now();
  await get(simulator, "balance");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(39);
});

test("a port in use and impossible options are refused at the start", async () => {
  const simulator = await startForTest();
  const port = Number(new URL(simulator.baseUrl).port);
  await expect(startSimulator({ port })).rejects.toThrow("EADDRINUSE");
  await expect(startSimulator({ pageCap: 0 })).rejects.toThrow("pageCap");
  await expect(startSimulator({ balance: "much" })).rejects.toThrow("balance");
});
