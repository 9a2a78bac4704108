import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { get, orders } from "./caller.ts";
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
const nested = (levels: number) => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`;
const megabyte = 1024 * 1024;

async function sendBody(
  simulator: Simulator,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const url = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`;
  const type = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers: { ...type, ...headers }, body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

async function expectUnharmed(simulator: Simulator): Promise<void> {
  expect((await get(simulator, "balance")).balance).toBe(1000);
  expect(simulator.ledger()).toEqual([]);
}

test.each([
  ["null", "null", 4],
  ["a number", "5", 4],
  ["a text", '"IPv4"', 4],
  ["a number that is too large", order.replace("5", "1e999"), 9002],
  ["a number with too many digits", order.replace("5", "12345678901234567890"), 9002],
  ["a field twice: the last one counts", order.replace("5", '5,"quantity":-1'), 9002],
  ["a name from JavaScript as the type", order.replace("IPv4", "__proto__"), 4],
  ["fields in a prototype", `{"__proto__":${order}}`, 4],
  ["half a character", order.replace("USA", "\\ud83d"), 9001],
  ["a byte order mark before a wrong quantity", `\ufeff${order.replace("5", "0")}`, 9002],
  ["a hundred thousand levels", nested(50_000), 4],
  ["a hundred thousand levels in a field", order.replace('"USA"', nested(50_000)), 9001],
  ["a hundred thousand levels beside a blank goal", `{"x":${nested(50_000)},"goal":" "}`, 4],
])("%s is refused as the service would", async (_, body, code) => {
  const simulator = await startForTest();
  expect(await sendBody(simulator, body)).toMatchObject({
    status: 200,
    answer: { success: false, orderNumber: null, error: { code } },
  });
  await expectUnharmed(simulator);
});

test("a country with bytes that are no UTF-8 is unknown", async () => {
  const simulator = await startForTest();
  const { answer } = await sendBody(
    simulator,
    Buffer.from(order.replace("USA", "U\xc5A"), "latin1"),
  );
  expect(answer).toMatchObject({ success: false, error: { code: 9001 } });
  await expectUnharmed(simulator);
});

test.each([
  ["NaN", order.replace("5", "NaN")],
  ["single quotes", order.replaceAll('"', "'")],
  ["one comma too many", order.replace("}", ",}")],
  ["two orders", order + order],
  ["UTF-16", Buffer.from(order, "utf16le")],
  ["random bytes", Buffer.from([0, 159, 146, 150])],
  ["brackets that never close", "[".repeat(megabyte)],
])("%s: no JSON, and a 400", async (_, body) => {
  const simulator = await startForTest();
  const { status, answer } = await sendBody(simulator, body);
  expect(status).toBe(400);
  expect(answer).toEqual({ message: expect.stringContaining("JSON") });
  await expectUnharmed(simulator);
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "json",
])("an order with content type %s gets a 415", async (type) => {
  const simulator = await startForTest();
  const { status, answer } = await sendBody(simulator, order, { "Content-Type": type });
  expect(status).toBe(415);
  expect(answer).toEqual({ message: expect.any(String) });
  await expectUnharmed(simulator);
});

test("compressed bodies are refused, truly compressed or not", async () => {
  const simulator = await startForTest();
  const encoded = { "Content-Encoding": "gzip" };
  for (const body of [gzipSync(order), order]) {
    expect(await sendBody(simulator, body, encoded)).toEqual({
      status: 415,
      answer: { message: expect.stringContaining("gzip") },
    });
  }
  await expectUnharmed(simulator);
  expect(await sendBody(simulator, order, { "Content-Encoding": "identity" })).toMatchObject({
    status: 200,
    answer: { success: true },
  });
});

test("a body announced as too long is refused before it comes", async () => {
  const simulator = await startForTest();
  const line = `POST /client/api/v1/${simulator.apiKey}/order`;
  const headers = [json, `Content-Length: ${megabyte + 1}`];
  const received = await sendBytes(simulator.baseUrl, writeRequest(line, headers));
  expect(statusesIn(received)).toEqual([413]);
  await expectUnharmed(simulator);
});

test.each([
  ["with a length", megabyte * 8],
  ["one byte too long", megabyte + 1],
])(
  "a caller who sends far too much gets an answer, %s, and can go on using the connection",
  async (_, size) => {
    const simulator = await startForTest();
    const path = `/client/api/v1/${simulator.apiKey}`;
    const tooLong = `POST ${path}/order HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: ${size}\r\n\r\n${" ".repeat(size)}`;
    const received = await sendBytes(
      simulator.baseUrl,
      tooLong + writeRequest(`GET ${path}/balance`),
    );
    expect(statusesIn(received)).toEqual([413, 200]);
    await expectUnharmed(simulator);
  },
);

test("chunks that add up to too much are refused, and a body of exactly the limit is read", async () => {
  const simulator = await startForTest();
  const line = `POST /client/api/v1/${simulator.apiKey}/order`;
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const headers = [json, "Transfer-Encoding: chunked"];
  const refused = writeRequest(line, headers, `${chunk.repeat(17)}0\r\n\r\n`);
  expect(statusesIn(await sendBytes(simulator.baseUrl, refused))).toEqual([413]);
  await expectUnharmed(simulator);
  const read = await sendBody(simulator, order.padEnd(megabyte));
  expect(read).toMatchObject({ status: 200, answer: { success: true } });
});

test("an endless body is refused, and the connection is closed soon after", async () => {
  const simulator = await startForTest();
  const socket = await openConnection(simulator.baseUrl);
  const headers = [json, "Transfer-Encoding: chunked"];
  const line = `POST /client/api/v1/${simulator.apiKey}/order HTTP/1.1`;
  socket.write(`${[line, "Host: x", ...headers].join("\r\n")}\r\n\r\n`);
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const sending = setInterval(() => socket.write(chunk), 1);
  onTestFinished(() => clearInterval(sending));
  expect(statusesIn(await readToEnd(socket))).toEqual([413]);
  await expectUnharmed(simulator);
});
