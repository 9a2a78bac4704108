import { expect, test } from "vitest";
import { get, orders, send } from "./caller.ts";
import { json, sendBytes, statusesIn, writeRequest } from "./raw-connection.ts";
import { startForTest } from "./start.ts";

test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("%s with an order is no order", async (method) => {
  const simulator = await startForTest();
  const path = "/client/api/v1/{apiKey}/order";
  const response = await send(simulator, { method, path, body: orders.IPv4 });
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("POST");
  expect(await response.json()).toEqual({ message: "Only POST is served here" });
  expect((await get(simulator, "balance")).balance).toBe(1000);
  expect(simulator.ledger()).toEqual([]);
});

test("TRACE, HEAD and GET with an order are no orders either", async () => {
  const simulator = await startForTest();
  const path = `/client/api/v1/${simulator.apiKey}/order`;
  for (const method of ["TRACE", "HEAD", "GET", "QUERY"]) {
    const request = writeRequest(`${method} ${path}`, [json], JSON.stringify(orders.IPv4));
    expect(statusesIn(await sendBytes(simulator.baseUrl, request))).toEqual([405]);
  }
  expect((await get(simulator, "balance")).balance).toBe(1000);
  expect(simulator.ledger()).toEqual([]);
});

test("HEAD answers for a balance like GET, without the body", async () => {
  const simulator = await startForTest();
  const path = "/client/api/v1/{apiKey}/balance";
  const response = await send(simulator, { method: "HEAD", path });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});

test.each([
  ["an encoded slash before the endpoint", "/client/api/v1/{apiKey}%2Fbalance"],
  ["an encoded slash in the key", "/client/api/v1/{apiKey}%2F..%2F{apiKey}/balance/"],
  ["dots that lead out", "/client/api/v1/{apiKey}/../../../../etc/passwd"],
  ["two slashes", "//client/api/v1/{apiKey}/balance"],
  ["a slash at the end", "/client/api/v1/{apiKey}/balance/"],
  ["no key", "/client/api/v1//balance"],
  ["no character", "/%E0%A4%A"],
  ["a NUL", "/client/api/v1/{apiKey}/balance%00"],
])("%s: an unknown path, and a 404", async (_, path) => {
  const simulator = await startForTest();
  const call = writeRequest(`GET ${path.replaceAll("{apiKey}", simulator.apiKey)}`);
  const received = await sendBytes(simulator.baseUrl, call);
  expect(statusesIn(received)).toEqual([404]);
  expect(received).toContain(`{"message":"No such path in the service's document"}`);
  expect(JSON.stringify(simulator.requests())).not.toContain(simulator.apiKey);
});

test.each(["%00", "%E0%A4%A", "a%2Fb", "__proto__", "constructor", "..%2f.."])(
  "the key %s is unknown",
  async (key) => {
    const simulator = await startForTest();
    const call = writeRequest(`GET /client/api/v1/${key}/balance`);
    const received = await sendBytes(simulator.baseUrl, call);
    expect(received).toContain('"error":{"code":2,"message":"Error api key"}');
  },
);
