import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { expect, test, vi } from "vitest";
import { faultConditions } from "../../simulator/faults/fault-conditions.ts";
import type { Fault, FaultRule } from "../../simulator/index.ts";
import { get, orders, post, StillClock } from "./caller.ts";
import { type Sighting, sight, sightOrder, tally } from "./sighting.ts";
import { startForTest } from "./start.ts";

const chargesByPhase = { before: [], after: ["api 7.00"] };
const phases = ["before", "after"] as const;

const spoiling: [Fault, (seen: Sighting) => void][] = [
  [{ kind: "reset" }, (seen) => expect(seen.code).toBe("ECONNRESET")],
  [
    { kind: "truncate" },
    ({ status, type, text }) => {
      expect([status, type]).toEqual([200, "application/json"]);
      expect(text).toMatch(/^\{"success":(true|false),/);
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    },
  ],
  [
    { kind: "garbage" },
    ({ status, type, text }) => {
      expect([status, type]).toEqual([200, "text/html"]);
      expect(text).toMatch(/^<!doctype html>/);
    },
  ],
  [
    { kind: "status", status: 503 },
    ({ status, headers }) => expect([status, headers.get("Retry-After")]).toEqual([503, null]),
  ],
  [
    { kind: "status", status: 429, retryAfterSeconds: 7 },
    ({ status, headers }) => expect([status, headers.get("Retry-After")]).toEqual([429, "7"]),
  ],
  [
    { kind: "redirect" },
    ({ status, headers }) => {
      expect(status).toBe(307);
      expect(headers.get("Location")).toMatch(/^\/moved\/client\/api\/v1\/.+\/order$/);
    },
  ],
  [
    { kind: "refuse", code: 14 },
    ({ status, text }) => {
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({
        ...{ success: false, orderNumber: null, proxyType: null, currency: "USD" },
        error: { code: 14, message: "Incorrect goal" },
      });
    },
  ],
];

test.each(spoiling.flatMap(([fault, look]) => phases.map((phase) => ({ fault, look, phase }))))(
  "$fault.kind $phase: the caller sees it once, and the ledger is right",
  async (spoiled) => {
    const { fault, look, phase } = spoiled;
    const simulator = await startForTest();
    const handle = simulator.addFault({ endpoint: "createOrder", calls: [1], phase, fault });
    look(await sightOrder(simulator));
    expect(tally(simulator)).toEqual({ calls: 1, charges: chargesByPhase[phase] });
    expect([handle.hits(), simulator.faultsHit()]).toEqual([1, 1]);

    expect(JSON.parse((await sightOrder(simulator)).text)).toMatchObject({ success: true });
    expect(tally(simulator).charges).toEqual([...chargesByPhase[phase], "api 7.00"]);
    expect(handle.hits()).toBe(1);
  },
);

test.each(phases)("hang %s: no answer comes until the caller leaves", async (phase) => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "createOrder", phase, fault: { kind: "hang" } });
  const leaving = new AbortController();
  const seeing = sightOrder(simulator, { signal: leaving.signal });
  await vi.waitFor(() => expect(simulator.faultsHit()).toBe(1));
  await get(simulator, "balance");
  expect(simulator.requests()[0]?.endedAtMs).toBeUndefined();
  leaving.abort();
  expect((await seeing).code).toBe("20");
  await vi.waitFor(() => expect(simulator.requests()[0]?.endedAtMs).toBeDefined());
  expect(tally(simulator)).toEqual({ calls: 1, charges: chargesByPhase[phase] });
});

test.each([
  { kind: "hang" },
  { kind: "drip", everyMs: 60_000 },
  { kind: "delay", ms: 60_000 },
] satisfies Fault[])("a stop ends a call in the middle of $kind", async (fault) => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault });
  const seeing = sightOrder(simulator);
  await vi.waitFor(() => expect(simulator.faultsHit()).toBe(1));
  await simulator.stop();
  expect((await seeing).code).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
});

test("a stop ends a delayed call, and it is not charged later", async () => {
  const [simulator, timer] = [await startForTest(), await startForTest()];
  const held = Promise.withResolvers<void>();
  const befall = (on: typeof simulator, fault: Fault) =>
    on.addFault({ endpoint: "any", phase: "before", fault });
  befall(simulator, { kind: "act", run: held.resolve });
  befall(simulator, { kind: "delay", ms: 30 });
  befall(timer, { kind: "delay", ms: 60 });
  const seeing = sightOrder(simulator);
  await held.promise;
  await simulator.stop();
  expect((await seeing).code).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  await get(timer, "balance");
  expect(simulator.ledger()).toEqual([]);
});

test("a caller who follows a redirect has bought", async () => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "any", phase: "before", fault: { kind: "redirect" } });
  const { status, text } = await sightOrder(simulator, { redirect: "follow" });
  expect([status, JSON.parse(text).success]).toEqual([200, true]);
  expect(tally(simulator)).toEqual({ calls: 2, charges: ["api 7.00"] });
  expect(simulator.faultsHit()).toBe(1);
});

test("a dripped answer comes byte by byte and is complete", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  const drip: Fault = { kind: "drip", everyMs: 0 };
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: drip });
  const sending = request(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
  });
  sending.end(JSON.stringify(orders.IPv4));
  const [answer] = await once(sending, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  expect(chunks.length).toBeGreaterThan(20);
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ success: true });
  expect(answer.headers.date).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });
});

test("a caller who leaves ends a dripping answer", async () => {
  const simulator = await startForTest();
  const drip: Fault = { kind: "drip", everyMs: 5 };
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: drip });
  const leaving = new AbortController();
  const seeing = sightOrder(simulator, { signal: leaving.signal });
  await vi.waitFor(() => expect(simulator.faultsHit()).toBe(1));
  leaving.abort();
  expect((await seeing).text).toBe("");
  await vi.waitFor(() => expect(simulator.requests()[0]?.endedAtMs).toBeDefined());
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });
});

test("a spoiled answer has the service's Date too", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  simulator.addFault({ endpoint: "any", phase: "before", fault: { kind: "garbage" } });
  const { headers } = await sightOrder(simulator);
  expect(headers.get("Date")).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
});

test("an unknown key meets the faults of a connection, and not those of an account", async () => {
  const simulator = await startForTest();
  const url = `${simulator.baseUrl}/client/api/v1/nobody's/balance`;
  const befall = async (phase: FaultRule["phase"], fault: Fault) => {
    simulator.clearFaults();
    simulator.addFault({ endpoint: "any", phase, fault });
    return sight(url);
  };
  const item = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;
  for (const [phase, fault] of [
    ["before", { kind: "refuse", code: 14 }],
    ["after", { kind: "answer", patch: () => ({ success: true }) }],
    ["before", { kind: "foreignOrder", item }],
  ] as const) {
    expect((await befall(phase, fault)).text).toContain('"code":2');
  }
  expect(simulator.faultsHit()).toBe(0);
  expect((await befall("before", { kind: "status", status: 500 })).status).toBe(500);
  expect((await befall("after", { kind: "reset" })).code).toBe("ECONNRESET");
  expect(simulator.ledger()).toEqual([]);
});

test("a refusal with the code of an unknown key shows nothing of the account, like the service's own", async () => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "any", phase: "before", fault: { kind: "refuse", code: 2 } });
  expect(await post(simulator, "order", orders.IPv4)).toMatchObject({
    error: { code: 2, message: "Error api key" },
    balance: null,
  });
});

test("the README has each kind: its phases, and whether it needs an account", async () => {
  const readme = await readFile(new URL("../../simulator/README.md", import.meta.url), "utf8");
  const section = readme.split("\n## Faults\n")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (both|after|either) +\|/gm)];
  const [, list = ""] = /all faults except ([^.]+), which need an\saccount/.exec(section) ?? [];
  const told = rows.map(([, kind, phase]) => [kind, phase, list.includes(`\`${kind}\``)]);
  const conditions = Object.entries(faultConditions).map(([kind, { phase, needsAccount }]) => [
    kind,
    phase,
    needsAccount,
  ]);
  expect(told).toEqual(conditions);
});
