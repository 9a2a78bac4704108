import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../simulator/api/app.ts";
import { startServer } from "../../simulator/http/server.ts";
import type { Simulator } from "../../simulator/index.ts";
import { createService } from "../../simulator/service.ts";
import { resolveSettings } from "../../simulator/settings.ts";
import { get, orders, StillClock } from "./caller.ts";
import {
  json,
  openConnection,
  readToEnd,
  sendBytes,
  statusesIn,
  writeRequest,
} from "./raw-connection.ts";
import { startForTest } from "./start.ts";

const order = JSON.stringify(orders.IPv4);

async function expectUnharmed(simulator: Simulator): Promise<void> {
  expect((await get(simulator, "balance")).balance).toBe(1000);
  expect(simulator.ledger()).toEqual([]);
}

/** KEY stands in the place of the key. */
const path = "/client/api/v1/KEY";
const chunked = "Transfer-Encoding: chunked";

test.each([
  ["random bytes", "\x00\x01\x02 hello \xff\r\n\r\n", 400],
  ["a great many letters", "A".repeat(300_000), 400],
  ["a browser that tries TLS", "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", 400],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["no version", `GET ${path}/balance\r\n\r\n`, 400],
  ["an unknown version", `GET ${path}/balance HTTP/9.9\r\nHost: x\r\n\r\n`, 400],
  ["lines that end too soon", `GET ${path}/balance HTTP/1.1\nHost: x\n\n`, 400],
  ["no host", `GET ${path}/balance HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
  ["an invalid host", `GET ${path}/balance HTTP/1.0\r\nHost: a/b?c\r\n\r\n`, 400],
  ["a method that does not exist", writeRequest(`BUY ${path}/order`, [json], order), 400],
  ["a method in small letters", writeRequest(`post ${path}/order`, [json], order), 400],
  ["a header with a space in its name", writeRequest(`GET ${path}/balance`, ["X Y: 1"]), 400],
  ["a header with a NUL", writeRequest(`GET ${path}/balance`, ["X: a\0b"]), 400],
  ["a backslash in the path", writeRequest(`GET ${path}\\balance`), 400],
  ["a URL of another scheme", writeRequest(`GET ftp://x${path}/balance`), 400],
  ["the server itself as the path", writeRequest("OPTIONS *"), 400],
  ["a tunnel", writeRequest("CONNECT example.org:443"), 405],
  ["an expectation", writeRequest(`POST ${path}/order`, [json, "Expect: a-gift"], order), 417],
  ["a URL that is too long", writeRequest(`GET ${path}/balance?${"a".repeat(20_000)}`), 431],
  ["headers that are too long", writeRequest(`GET /`, [`X: ${"a".repeat(20_000)}`]), 431],
  ["too many headers", writeRequest("GET /", Array(3000).fill("X: 12345")), 431],
  ["a negative length", writeRequest(`POST ${path}/order`, [json, "Content-Length: -1"]), 400],
  [
    "a length and chunks",
    writeRequest(`POST ${path}/order`, [json, "Content-Length: 5", chunked], "0\r\n\r\n"),
    400,
  ],
  ["invalid chunks", writeRequest(`POST ${path}/order`, [json, chunked], "zz\r\n"), 400],
])("%s: a 4xx with a message, and the service's Date", async (_, request, status) => {
  const simulator = await startForTest({ now: new StillClock().now });
  const bytes = Buffer.from(request.replace("KEY", simulator.apiKey), "latin1");
  const received = await sendBytes(simulator.baseUrl, bytes);
  expect(statusesIn(received)).toEqual([status]);
  expect(received).toMatch(/\{"message":"[A-Z][^"]+"\}/);
  expect(received).toMatch(/^date: Sun, 01 Mar 2026 12:00:00 GMT\r$/im);
  expect(received).not.toContain(simulator.apiKey);
  await expectUnharmed(simulator);
});

test("a body longer than announced is cut there, and the rest is no request", async () => {
  const simulator = await startForTest();
  const request = `POST /client/api/v1/${simulator.apiKey}/order HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 10\r\n\r\n`;
  const received = await sendBytes(simulator.baseUrl, request + order);
  expect(statusesIn(received)).toEqual([400, 400]);
  await expectUnharmed(simulator);
});

test("a body shorter than announced is refused, and is no order", async () => {
  const simulator = await startForTest();
  const socket = await openConnection(simulator.baseUrl);
  const length = `Content-Length: ${order.length + 1}`;
  socket.end(writeRequest(`POST /client/api/v1/${simulator.apiKey}/order`, [json, length], order));
  expect(statusesIn(await readToEnd(socket))).toEqual([400]);
  await expectUnharmed(simulator);
});

test("a caller who leaves in the middle of a body has ordered nothing and gets no answer", async () => {
  const simulator = await startForTest();
  const socket = await openConnection(simulator.baseUrl);
  const length = `Content-Length: ${order.length}`;
  const half = order.slice(0, 40);
  socket.write(writeRequest(`POST /client/api/v1/${simulator.apiKey}/order`, [json, length], half));
  await vi.waitFor(() => expect(simulator.requests()).toHaveLength(1));
  socket.resetAndDestroy();
  await vi.waitFor(() => {
    expect(simulator.requests()).toMatchObject([
      { method: "POST", status: undefined, endedAtMs: expect.any(Number) },
    ]);
  });
  await expectUnharmed(simulator);
});

test("a call before an unreadable one is answered first, and once", async () => {
  const simulator = await startForTest({ latencyMs: 30 });
  const call = `POST /client/api/v1/${simulator.apiKey}/order HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: ${order.length}\r\n\r\n${order}`;
  const socket = await openConnection(simulator.baseUrl);
  socket.write(`${call}no HTTP\r\n\r\n`);
  await nextTurn();
  socket.write("and more of it\r\n\r\n");
  const received = await readToEnd(socket);
  expect(statusesIn(received)).toEqual([200, 400]);
  expect(received.indexOf('"orderNumber"')).toBeLessThan(received.indexOf('"message"'));
  expect(simulator.ledger()).toHaveLength(1);
});

test("an answer under way is not mixed with the refusal of the next request", async () => {
  const simulator = await startForTest();
  const fault = { kind: "drip", everyMs: 1 } as const;
  simulator.addFault({ endpoint: "getBalance", phase: "after", fault });
  const socket = await openConnection(simulator.baseUrl);
  socket.write(`GET /client/api/v1/${simulator.apiKey}/balance HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [first] = await once(socket, "data");
  socket.write("no HTTP\r\n\r\n");
  const received = String(first) + (await readToEnd(socket));
  expect(received).toContain('{"success":true,"balance":1000,"currencyCode":"USD","error":null}');
  expect(statusesIn(received)).toEqual([200, 400]);
});

test("an answer that began before its request ended is cut off, and not mixed", async () => {
  const simulator = await startForTest();
  const fault = { kind: "drip", everyMs: 1000 } as const;
  simulator.addFault({ endpoint: "getBalance", phase: "after", fault });
  const socket = await openConnection(simulator.baseUrl);
  socket.write(writeRequest(`GET /client/api/v1/${simulator.apiKey}/balance`, [chunked]));
  const [first] = await once(socket, "data");
  socket.write("no chunk\r\n");
  expect(statusesIn(String(first) + (await readToEnd(socket)))).toEqual([200]);
});

test("a refused caller who does not close the connection is disconnected", async () => {
  const simulator = await startForTest();
  const { hostname, port } = new URL(simulator.baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write("no HTTP\r\n\r\n");
  expect(statusesIn(await readToEnd(socket))).toEqual([400]);
  const failed = once(socket, "error");
  const writing = setInterval(() => socket.write("still here\r\n"), 1);
  onTestFinished(() => clearInterval(writing));
  expect(await failed).toMatchObject([{ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) }]);
});

test("reset tunnels harm nobody", async () => {
  const simulator = await startForTest();
  const leave = async () => {
    const socket = await openConnection(simulator.baseUrl);
    socket.write(writeRequest("CONNECT example.org:443"));
    socket.resetAndDestroy();
  };
  await Promise.all(Array.from({ length: 200 }, leave));
  await expectUnharmed(simulator);
});

test.each([
  ["nothing at all", ""],
  ["half a header", "GET /client/api/v1/nobody/balance HTTP/1.1\r\nHos"],
  ["half a body", writeRequest("POST /client/api/v1/nobody/order", ["Content-Length: 9"], "{")],
])("%s has a time limit, and is then refused", async (_, beginning) => {
  const app = createApp(createService(resolveSettings({})));
  const now = () => new Date();
  const options = { host: "127.0.0.1", port: 0, now, arrivalTimeoutMs: 40 };
  const server = await startServer(app.fetch, options);
  onTestFinished(() => server.close());
  const received = await sendBytes(server.url, beginning);
  expect(statusesIn(received)).toEqual([408]);
  expect(received).toContain('{"message":"The request did not arrive in time"}');
});

test("requests in one piece are answered in their order", async () => {
  const simulator = await startForTest();
  const call = (name: string) =>
    `GET /client/api/v1/${simulator.apiKey}/${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const calls = [...Array(300).fill(call("balance")), call("nowhere"), call("proxyType")].join("");
  const last = writeRequest(`GET /client/api/v1/${simulator.apiKey}/promoCode`);
  const received = await sendBytes(simulator.baseUrl, calls + last);
  expect(statusesIn(received)).toEqual([...Array(300).fill(200), 404, 200, 200]);
  expect(received.match(/"balance":1000/g)).toHaveLength(300);
  expect(received.indexOf("proxyTypes")).toBeLessThan(received.indexOf("promoCodes"));
});

test.each([
  ["HTTP/1.0", "GET /client/api/v1/KEY/balance HTTP/1.0\r\nHost: x\r\n\r\n"],
  ["a whole URL", writeRequest("GET http://elsewhere.example/client/api/v1/KEY/balance")],
  ["an upgrade to WebSocket", writeRequest(`GET ${path}/balance`, ["Upgrade: websocket"])],
  ["a fragment", writeRequest(`GET ${path}/balance#top`)],
  ["dots in the path", writeRequest(`GET ${path}/../KEY/%2e%2e/KEY/balance`)],
  ["headers with names from JavaScript", writeRequest(`GET ${path}/balance`, ["__proto__: 1"])],
])("%s is served", async (_, request) => {
  const simulator = await startForTest();
  const bytes = request.replaceAll("KEY", simulator.apiKey);
  const received = await sendBytes(simulator.baseUrl, bytes);
  expect(statusesIn(received)).toEqual([200]);
  expect(received).toContain('"balance":1000');
});
