import { expect, test } from "vitest";
import { proxyTypes } from "../../simulator/catalogue/catalogue.ts";
import type { FaultRule } from "../../simulator/index.ts";
import { get, post } from "./caller.ts";
import { sight } from "./sighting.ts";
import { startForTest } from "./start.ts";

const sometimes = {
  endpoint: "getBalance",
  probability: 0.5,
  phase: "before",
  fault: { kind: "status", status: 500 },
} as const satisfies FaultRule;

/** One letter for each of 64 calls: x if the fault struck the call. */
async function strikes(seed: number, meanwhile?: "meanwhile"): Promise<string> {
  const simulator = await startForTest({ seed });
  simulator.addFault(sometimes);
  if (meanwhile) simulator.addFault({ ...sometimes, endpoint: "any", probability: 0 });
  let pattern = "";
  for (let call = 0; call < 64; call += 1) {
    if (meanwhile) await get(simulator, "proxyType");
    const url = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/balance`;
    pattern += (await sight(url)).status === 500 ? "x" : ".";
  }
  return pattern;
}

test("the same seed hits the same calls, with any other calls between; another seed hits others", async () => {
  const [seven, again, beside, eight] = await Promise.all([
    strikes(7),
    strikes(7),
    strikes(7, "meanwhile"),
    strikes(8),
  ]);
  expect(again).toBe(seven);
  expect(beside).toBe(seven);
  expect(eight).not.toBe(seven);
  expect(seven.split("x").length - 1).toSatisfy((count) => count > 16 && count < 48);
});

test("probability 0 never hits, and two rules draw separately", async () => {
  const simulator = await startForTest();
  simulator.addFault({ ...sometimes, probability: 0 });
  const twins = [
    { ...sometimes, endpoint: "any" },
    { ...sometimes, endpoint: "any" },
  ] as const;
  const run = () => {};
  const handles = twins.map((rule) => simulator.addFault({ ...rule, fault: { kind: "act", run } }));
  const struck: string[] = [];
  for (let call = 0; call < 32; call += 1) {
    const before = handles.map((handle) => handle.hits());
    expect((await get(simulator, "balance")).success).toBe(true);
    struck.push(handles.map((handle, index) => handle.hits() - (before[index] ?? 0)).join(""));
  }
  expect(new Set(struck)).toEqual(new Set(["00", "01", "10", "11"]));
});

const valid: FaultRule = { endpoint: "createOrder", phase: "before", fault: { kind: "reset" } };
const item = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 };

test.each([
  [{ endpoint: "order" }, "endpoint must be one of getBalance, listProxyTypes,"],
  [{ calls: [0] }, "calls must be a whole number of at least 1, not 0"],
  [{ probability: 1.5 }, "probability must be a number from 0 to 1, not 1.5"],
  [{ probability: Number.NaN }, "probability must be a number from 0 to 1, not NaN"],
  [{ phase: "during" }, "phase must be one of before, after, not during"],
  [{ fault: { kind: "boom" } }, "fault.kind must be one of reset, hang,"],
  [
    { fault: { kind: "status", status: 200 } },
    "fault.status must be a whole number from 400 to 599",
  ],
  [
    { fault: { kind: "status", status: 429, retryAfterSeconds: -1 } },
    "fault.retryAfterSeconds must be a whole number of at least 0, not -1",
  ],
  [{ fault: { kind: "refuse", code: 9001 } }, "fault.code must be one of 2, 4, 8, 13, 14, 16"],
  [{ fault: { kind: "delay", ms: 2 ** 31 } }, "fault.ms must be a whole number from 0 to"],
  [
    { phase: "after", fault: { kind: "date", aheadMs: 1e15 } },
    "fault.aheadMs must be a whole number from -315360000000 to 315360000000",
  ],
  [{ fault: { kind: "date", aheadMs: 1 } }, 'phase must be "after" with a fault of kind "date"'],
  [{ fault: { kind: "lateCommit", afterMs: 0.5 } }, "fault.afterMs must be a whole number"],
  [
    { endpoint: "any", fault: { kind: "lateCommit", afterMs: 1 } },
    "endpoint must be one of createOrder, extend, setAutoExtension, not any",
  ],
  [{ fault: { kind: "drip" } }, 'phase must be "after" with a fault of kind "drip"'],
  [{ phase: "after", fault: { kind: "drip", everyMs: -1 } }, "fault.everyMs must be a whole"],
  [{ phase: "after", fault: { kind: "answer" } }, "fault.patch must be a function"],
  [{ fault: { kind: "act", run: 5 } }, "fault.run must be a function"],
  [
    { fault: { kind: "foreignOrder", item: { ...item, proxyType: "IPv5" } } },
    `fault.item.proxyType must be one of ${proxyTypes.join(", ")}, not IPv5`,
  ],
  [
    { fault: { kind: "foreignOrder", item: { ...item, quantity: 0 } } },
    "fault.item.quantity must be a whole number of at least 1, not 0",
  ],
])("a rule with %j is refused with a message", async (wrong, message) => {
  const simulator = await startForTest();
  const rule = { ...valid, ...wrong } as FaultRule;
  expect(() => simulator.addFault(rule)).toThrow(TypeError);
  expect(() => simulator.addFault(rule)).toThrow(message);
  expect((await post(simulator, "order", {})).success).toBe(false);
  expect(simulator.faultsHit()).toBe(0);
});
