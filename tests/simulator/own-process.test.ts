import { afterAll, expect, test, vi } from "vitest";
import { type Fault, startSimulator } from "../../simulator/index.ts";
import { get, StillClock } from "./caller.ts";
import { sightOrder } from "./sighting.ts";

const standard = { Request, Response };

afterAll(() => {
  Object.assign(globalThis, standard);
});

const spoiled: (Fault | undefined)[] = [
  undefined,
  { kind: "reset" },
  { kind: "drip", everyMs: 1 },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "status", status: 429, retryAfterSeconds: 7 },
  { kind: "redirect" },
  { kind: "refuse", code: 14 },
  { kind: "answer", patch: { orderNumber: "another" } },
  { kind: "date", aheadMs: 3_600_000 },
];

/** What a caller sees of an order, and what the simulator remembers of it. */
async function placeOrder(fault: Fault | undefined, ownsProcess: boolean) {
  const { now } = new StillClock();
  const simulator = await startSimulator({ ownsProcess, now });
  try {
    if (fault) simulator.addFault({ endpoint: "createOrder", phase: "after", fault });
    const { headers, ...seen } = await sightOrder(simulator);
    const [request] = simulator.requests();
    return {
      ...seen,
      headers: [...(headers ?? [])],
      kept: { status: request?.status, answer: request?.answer },
      globals: { Request: globalThis.Request, Response: globalThis.Response },
    };
  } finally {
    await simulator.stop();
  }
}

// The globals stay replaced after the first that owns its process.
test("in a process of its own it answers as in somebody's test, whatever strikes", async () => {
  const inTests = new Map<Fault | undefined, unknown>();
  for (const fault of spoiled) {
    const { globals, ...seen } = await placeOrder(fault, false);
    expect(globals).toEqual(standard);
    inTests.set(fault, seen);
  }
  for (const fault of spoiled) {
    const { globals, ...seen } = await placeOrder(fault, true);
    expect(globals.Response, "quicker ones").not.toBe(standard.Response);
    expect(seen, fault?.kind ?? "none").toEqual(inTests.get(fault));
  }
});

test("in a process of its own a call that hangs is not answered until the caller leaves", async () => {
  const simulator = await startSimulator({ ownsProcess: true });
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: { kind: "hang" } });
  const leaving = new AbortController();
  const seeing = sightOrder(simulator, { signal: leaving.signal });
  await vi.waitFor(() => expect(simulator.faultsHit()).toBe(1));
  await get(simulator, "balance");
  expect(simulator.requests()[0]?.status).toBeUndefined();
  leaving.abort();
  expect((await seeing).code).toBe("20");
  await simulator.stop();
});
