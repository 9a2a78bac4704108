import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Fault, PricedItem, Simulator } from "../../simulator/index.ts";
import { get, listPage, orders, post } from "./caller.ts";
import { sight, sightOrder, tally } from "./sighting.ts";
import { startForTest } from "./start.ts";

const item: PricedItem = { proxyType: "ISP", country: "USA", quantity: 1, rentPeriodDays: 30 };
const foreignOrder: Fault = { kind: "foreignOrder", item };

test.each([
  ["before", ["foreign 2.30", "api 7.00"], 990.7],
  ["after", ["api 7.00", "foreign 2.30"], 993],
] as const)("somebody else buys right %s the call", async (phase, charges, balanceTold) => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "createOrder", calls: [1], phase, fault: foreignOrder });
  const answer = await post(simulator, "order", orders.IPv4);
  expect(answer).toMatchObject({ success: true, balance: balanceTold });
  expect(tally(simulator)).toEqual({ calls: 1, charges });
  expect(simulator.balance()).toBe("990.70");
});

test("somebody else may spend the order's money, but no more than there is", async () => {
  const simulator = await startForTest({ balance: "8.00" });
  simulator.addFault({ endpoint: "createOrder", phase: "before", fault: foreignOrder });
  for (const balance of [5.7, 3.4, 1.1, 1.1]) {
    const refused = await post(simulator, "order", orders.IPv4);
    expect(refused).toMatchObject({ success: false, error: { code: 16 }, balance });
  }
  expect(tally(simulator).charges).toEqual(["foreign 2.30", "foreign 2.30", "foreign 2.30"]);
});

test.each([
  ["before", "0 charges"],
  ["after", "1 charges"],
] as const)("any function can run right %s the call, which waits for it", async (phase, seen) => {
  const simulator = await startForTest();
  const log: string[] = [];
  const run = async () => {
    log.push(`${simulator.ledger().length} charges`);
    await get(simulator, "balance");
    log.push("done");
  };
  simulator.addFault({ endpoint: "createOrder", phase, fault: { kind: "act", run } });
  await post(simulator, "order", orders.IPv4);
  expect([...log, "answered"]).toEqual([seen, "done", "answered"]);
});

test.each([
  ["before", 0],
  ["after", 1],
] as const)(
  "delay %s: the call is late, and carried out even if its caller has left",
  async (phase, charged) => {
    const simulator = await startForTest();
    const leaving = new AbortController();
    const delay: Fault = { kind: "delay", ms: 60 };
    const seen: number[] = [];
    const look = () => seen.push(simulator.ledger().length);
    const leave = () => leaving.abort();
    const ended = Promise.withResolvers<void>();
    for (const run of [look, leave]) {
      simulator.addFault({ endpoint: "createOrder", phase, fault: { kind: "act", run } });
    }
    simulator.addFault({ endpoint: "createOrder", phase, fault: delay });
    simulator.addFault({
      endpoint: "createOrder",
      phase: "after",
      fault: { kind: "act", run: ended.resolve },
    });
    const beganAtMs = performance.now();
    expect((await sightOrder(simulator, { signal: leaving.signal })).code).toBe("20");
    await ended.promise;
    expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(59);
    expect(seen).toEqual([charged]);
    expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });
  },
);

test("an answer can be changed freely; the call's effect stays", async () => {
  const simulator = await startForTest({ pageCap: 3 });
  const patchFirst = (endpoint: "createOrder" | "listProxies", patch: (answer: object) => object) =>
    simulator.addFault({ endpoint, calls: [1], phase: "after", fault: { kind: "answer", patch } });

  patchFirst("createOrder", (answer) => ({ ...answer, orderNumber: null }));
  const ordered = await post(simulator, "order", orders.IPv4);
  expect(ordered).toMatchObject({ success: true, orderNumber: null, balance: 993 });
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });

  const empty = { totalElements: 0, totalPages: 0, content: [] };
  patchFirst("listProxies", (answer) => ({ ...answer, data: empty }));
  expect(await listPage(simulator, "IPv4")).toEqual({ success: true, data: empty, error: null });
  expect((await listPage(simulator, "IPv4")).data.totalElements).toBe(5);
});

test("a kept connection closes without notice after a full answer", async () => {
  const simulator = await startForTest();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const read = async (sending: ClientRequest) => {
    const [answer] = (await once(sending.end(), "response")) as [IncomingMessage];
    return { connection: answer.headers.connection, text: await text(answer) };
  };
  const url = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/balance`;
  await read(request(url, { agent }));
  const fault: Fault = { kind: "closeConnectionAfter" };
  simulator.addFault({ endpoint: "getBalance", phase: "after", fault });
  const second = request(url, { agent });
  const { connection, text: answer } = await read(second);
  expect(second.reusedSocket).toBe(true);
  expect([connection, JSON.parse(answer).balance]).toEqual(["keep-alive", 1000]);
  if (second.socket?.destroyed === false) await once(second.socket, "close");
  expect(simulator.faultsHit()).toBe(1);
});

test.each([
  ["ahead of", 3 * 3_600_000],
  ["behind", -86_400_000],
])(
  "one answer's Date header is %s the service's clock, and the next one is right again",
  async (_where, aheadMs) => {
    const simulator = await startForTest({ now: () => new Date("2026-03-01T00:00:00.000Z") });
    const fault: Fault = { kind: "date", aheadMs };
    simulator.addFault({ endpoint: "getBalance", calls: [1], phase: "after", fault });
    const url = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/balance`;
    const aheadOf = async () => {
      const answer = await fetch(url);
      expect(await answer.json()).toMatchObject({ success: true, balance: 1000 });
      return Date.parse(answer.headers.get("Date") ?? "") - simulator.now().getTime();
    };
    expect([await aheadOf(), await aheadOf()]).toEqual([aheadMs, 0]);
  },
);

test("several faults hit one call in the order in which they were added", async () => {
  const simulator = await startForTest();
  const meet = (phase: "before" | "after", fault: Fault) =>
    simulator.addFault({ endpoint: "createOrder", calls: [1], phase, fault });
  const order = (proxyType: "IPv4" | "ISP"): Fault => ({
    kind: "foreignOrder",
    item: { ...item, proxyType },
  });
  meet("after", order("IPv4"));
  meet("after", { kind: "reset" });
  const never = meet("after", order("ISP"));
  meet("before", order("ISP"));
  expect((await sightOrder(simulator)).code).toBe("ECONNRESET");
  expect(tally(simulator).charges).toEqual(["foreign 2.30", "api 7.00", "foreign 1.40"]);
  expect(never.hits()).toBe(0);
});

test("a rule counts its endpoint's calls from when it was added, under both prefixes", async () => {
  const simulator = await startForTest();
  const path = `client/api/v1/${simulator.apiKey}/country?proxyType=ISP`;
  const statuses = async () => [
    (await sight(`${simulator.baseUrl}/${path}`)).status,
    (await sight(`${simulator.baseUrl}/users/${path}`)).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  const fault: Fault = { kind: "status", status: 502 };
  simulator.addFault({ endpoint: "listCountries", calls: [2, 3], phase: "before", fault });
  await get(simulator, "balance");
  expect(await statuses()).toEqual([200, 502]);
  expect(await statuses()).toEqual([502, 200]);
  expect(simulator.requestCounts().listCountries).toBe(6);
});

test("a removed or cleared rule hits no more calls", async () => {
  const simulator = await startForTest();
  const add = (endpoint: "any" | "getBalance", status: number) =>
    simulator.addFault({ endpoint, phase: "before", fault: { kind: "status", status } });
  const first = add("getBalance", 501);
  add("any", 502);
  const look = async (name: string) => (await sight(pathOf(simulator, name))).status;
  expect(await look("balance")).toBe(501);
  expect(await look("proxyType")).toBe(502);
  first.remove();
  expect(await look("balance")).toBe(502);
  simulator.clearFaults();
  expect(await look("balance")).toBe(200);
  expect(simulator.faultsHit()).toBe(3);
});

function pathOf(simulator: Simulator, name: string): string {
  return `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/${name}`;
}
