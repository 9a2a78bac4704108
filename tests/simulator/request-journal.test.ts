import { expect, test } from "vitest";
import { get, listPage, orders, post, StillClock, send } from "./caller.ts";
import { startForTest } from "./start.ts";

test("a request is recorded with its content, its answer, and the time", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  const answer = await post(simulator, "order", orders.IPv4);
  expect(simulator.requests()).toEqual([
    {
      number: 1,
      endpoint: "createOrder",
      method: "POST",
      path: "/client/api/v1/{apiKey}/order",
      proxyType: undefined,
      account: "main",
      at: "2026-03-01T12:00:00.000Z",
      body: orders.IPv4,
      status: 200,
      answer,
      faults: [],
      beganAtMs: expect.any(Number),
      endedAtMs: expect.any(Number),
    },
  ]);
});

test("no key is in the record, wherever it was in the request", async () => {
  const simulator = await startForTest({ apiKey: "demo-key-1" });
  const calls = [
    { method: "GET", path: "/client/api/v1/{apiKey}/balance" },
    { method: "GET", path: "/api/{apiKey}/balance" },
    { method: "GET", path: "/client/api/v1/{apiKey}/{apiKey}" },
    { method: "GET", path: "/client/api/v1/{apiKey}/country", query: { proxyType: "demo-key-1" } },
    {
      method: "POST",
      path: "/client/api/v1/{apiKey}/order",
      body: { ...orders.IPv4, goal: "demo-key-1" },
    },
    { method: "PUT", path: "/{apiKey}" },
  ];
  for (const call of calls) {
    await send(simulator, call);
    await send(simulator, call, "a-strangers-key");
  }
  const text = JSON.stringify(simulator.requests());
  expect(text).not.toContain("demo-key-1");
  expect(text).not.toContain("strangers");
  expect(simulator.requests().map(({ path }) => path)).toContain("/client/api/v1/{apiKey}/balance");
  expect(simulator.requests()).toHaveLength(12);
});

test("no key with escapes is in the record either", async () => {
  const simulator = await startForTest({ apiKey: 'demo-"key"\\1' });
  const write = (text: string) =>
    [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  for (const goal of [JSON.stringify(simulator.apiKey), `"${write(simulator.apiKey)}"`]) {
    await fetch(`${simulator.baseUrl}/client/api/v1/nobody/order`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: `{"goal":${goal},"${write("proxyType")}":5}`,
    });
  }
  const redacted = { goal: "{apiKey}", proxyType: 5 };
  expect(simulator.requests().map(({ body }) => body)).toEqual([redacted, redacted]);
});

test("a body that nests too deeply is left out", async () => {
  const simulator = await startForTest({ control: true });
  await fetch(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  });
  expect(simulator.requests()).toMatchObject([{ endpoint: "createOrder", body: undefined }]);
  expect((await fetch(`${simulator.controlUrl}/requests`)).status).toBe(200);
});

test("a recorded answer stays as it was sent", async () => {
  const simulator = await startForTest();
  const { promoCodes } = await get(simulator, "promoCode");
  await post(simulator, "order", { ...orders.IPv4, promoCode: "TWICE15" });
  expect(simulator.requests()[0]?.answer).toMatchObject({ promoCodes });
});

test("the record has the account's name for a key, and none for an unknown key", async () => {
  const simulator = await startForTest();
  const other = simulator.openAccount({ name: "staging" });
  const call = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };
  await send(simulator, call);
  await send(simulator, call, other.apiKey);
  await send(simulator, call, "nobody's");
  expect(simulator.requests().map(({ account }) => account)).toEqual([
    "main",
    "staging",
    undefined,
  ]);
});

test("the faults are recorded beside the service's own answer", async () => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "createOrder", phase: "before", fault: { kind: "delay", ms: 0 } });
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: { kind: "reset" } });
  await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow();
  expect(simulator.requests()).toMatchObject([
    {
      faults: ["delay", "reset"],
      status: undefined,
      answer: { success: true, orderNumber: expect.any(String) },
    },
  ]);
});

test("a request outside the service is recorded without an endpoint", async () => {
  const simulator = await startForTest();
  await send(simulator, { method: "GET", path: "/client/api/v1/{apiKey}/nonsense" });
  await send(simulator, { method: "DELETE", path: "/client/api/v1/{apiKey}/balance" });
  expect(simulator.requests()).toMatchObject([
    { endpoint: undefined, method: "GET", path: "/client/api/v1/{apiKey}/{…}", status: 404 },
    { endpoint: undefined, method: "DELETE", path: "/client/api/v1/{apiKey}/balance", status: 405 },
  ]);
});

test("bodies before the latest 200 requests are dropped", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  for (let call = 0; call < 200; call += 1) await get(simulator, "balance");
  const [first, second] = simulator.requests();
  expect(first).toMatchObject({ endpoint: "createOrder", body: undefined, answer: undefined });
  expect(second).toMatchObject({ answer: { success: true } });
});

test("the record has the type of a listing", async () => {
  const simulator = await startForTest();
  await listPage(simulator, "ISP");
  expect(simulator.requests()).toMatchObject([{ endpoint: "listProxies", proxyType: "ISP" }]);
});
