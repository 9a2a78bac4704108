import { existsSync, readdirSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { get, listPage, orders } from "./caller.ts";
import {
  json,
  openConnection,
  readToEnd,
  sendBytes,
  statusesIn,
  writeRequest,
} from "./raw-connection.ts";
import { startForTest } from "./start.ts";

const idleConnections = 3000;
const callsAtOnce = 2000;

/** Undefined if the system does not give the number. */
function countDescriptors(): number | undefined {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : undefined;
}

async function expectDescriptorsBack(before: number | undefined): Promise<void> {
  if (before === undefined) return;
  // The process needs a few descriptors for other things.
  await vi.waitFor(() => expect(countDescriptors()).toBeLessThan(before + 20), 5000);
}

function callBalance({ apiKey, baseUrl }: Simulator): Promise<string> {
  return sendBytes(baseUrl, writeRequest(`GET /client/api/v1/${apiKey}/balance`));
}

test("thousands of silent connections delay nobody's answer", async () => {
  const simulator = await startForTest();
  const before = countDescriptors();
  const open = () => openConnection(simulator.baseUrl);
  const idle = await Promise.all(Array.from({ length: idleConnections }, open));
  const answers = await Promise.all(Array.from({ length: 300 }, () => callBalance(simulator)));
  expect(answers.flatMap(statusesIn)).toEqual(Array(300).fill(200));
  for (const [index, socket] of idle.entries()) {
    if (index % 3 === 0) socket.resetAndDestroy();
    else if (index % 3 === 1) socket.destroy();
    else socket.end(`GET /client/api/v1/${simulator.apiKey}/bal`);
  }
  await Promise.all(idle.map(readToEnd));
  await expectDescriptorsBack(before);
  expect((await get(simulator, "balance")).balance).toBe(1000);
}, 30_000);

test("thousands of orders at once are each answered and charged once, to the cent", async () => {
  const one = JSON.stringify({ ...orders.IPv4, quantity: 1 });
  // At 1.40 each, the balance is enough for all calls except the last ten.
  const simulator = await startForTest({ balance: (callsAtOnce - 10) * 1.4 });
  const before = countDescriptors();
  const order = writeRequest(`POST /client/api/v1/${simulator.apiKey}/order`, [json], one);
  const call = () => sendBytes(simulator.baseUrl, order);
  const answers = await Promise.all(Array.from({ length: callsAtOnce }, call));
  expect(answers.flatMap(statusesIn)).toEqual(Array(callsAtOnce).fill(200));
  const numbers = answers.flatMap((answer) => /"orderNumber":"(\d+)"/.exec(answer)?.[1] ?? []);
  expect(new Set(numbers).size).toBe(callsAtOnce - 10);
  expect(answers.filter((answer) => answer.includes('"code":16'))).toHaveLength(10);
  expect(simulator.ledger()).toHaveLength(callsAtOnce - 10);
  expect(simulator.balance()).toBe("0.00");
  await expectDescriptorsBack(before);
}, 30_000);

test("callers who leave before, during and after their answers leave nothing open", async () => {
  const simulator = await startForTest({ pageCap: 100 });
  const item = { proxyType: "IPv4", country: "USA", quantity: 100, rentPeriodDays: 30 } as const;
  simulator.placeForeignOrder(item);
  const before = countDescriptors();
  const body = JSON.stringify({ proxyType: "IPv4", page: 0, size: 100 });
  const path = `/client/api/v1/${simulator.apiKey}/ipAddress?proxyType=IPv4`;
  const leave = async (turns: number): Promise<void> => {
    const socket = await openConnection(simulator.baseUrl);
    socket.on("error", () => {});
    socket.write(writeRequest(`POST ${path}`, [json], body).repeat(5));
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    if (turns % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  };
  await Promise.all(Array.from({ length: 400 }, (_, index) => leave(index % 20)));
  await vi.waitFor(() => {
    expect(simulator.requests().every(({ endedAtMs }) => endedAtMs !== undefined)).toBe(true);
  }, 5000);
  await expectDescriptorsBack(before);
  expect((await listPage(simulator, "IPv4")).data.content).toHaveLength(100);
}, 30_000);

test("a simulator with thousands of open connections stops at once", async () => {
  const simulator = await startForTest({ latencyMs: 60_000 });
  const before = countDescriptors();
  const open = () => openConnection(simulator.baseUrl);
  const sockets = await Promise.all(Array.from({ length: 1000 }, open));
  for (const socket of sockets) onTestFinished(() => void socket.destroy());
  for (const socket of sockets.slice(500)) {
    socket.write(writeRequest(`GET /client/api/v1/${simulator.apiKey}/balance`));
  }
  await vi.waitFor(() => expect(simulator.requestCounts().getBalance).toBe(500), 5000);
  const ends = sockets.map(readToEnd);
  await simulator.stop();
  expect((await Promise.all(ends)).join("")).toBe("");
  await expectDescriptorsBack(before);
}, 30_000);
