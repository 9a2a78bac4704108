import { expect, test, vi } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { countMostInFlight } from "../support/in-flight.ts";
import { get, orders, post } from "./caller.ts";
import { sight, sightOrder, tally } from "./sighting.ts";
import { startForTest } from "./start.ts";

const sightBalance = (simulator: Simulator) =>
  sight(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/balance`);

test("connections are refused from a given call on, and that call is still answered", async () => {
  const simulator = await startForTest();
  await get(simulator, "balance");
  simulator.addFault({
    endpoint: "createOrder",
    phase: "before",
    fault: { kind: "act", run: () => simulator.refuseConnections() },
  });
  expect((await sightOrder(simulator)).status).toBe(200);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await sightOrder(simulator)).code).toBe("ECONNREFUSED");
  }
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });

  simulator.clearFaults();
  await simulator.acceptConnections();
  await simulator.acceptConnections();
  expect((await sightBalance(simulator)).status).toBe(200);
  expect((await sightBalance(simulator)).headers.get("Connection")).toBe("keep-alive");
});

test("a simulator that refuses connections can stop, and accepts none after that", async () => {
  const simulator = await startForTest();
  await get(simulator, "balance");
  simulator.refuseConnections();
  simulator.refuseConnections();
  await simulator.stop();
  await expect(simulator.acceptConnections()).rejects.toThrow("stopped");
  expect((await sightBalance(simulator)).code).toBe("ECONNREFUSED");
});

test("the log shows which requests overlapped, and nothing of the key", async () => {
  const simulator = await startForTest({ latencyMs: 20 });
  const order = () => post(simulator, "order", orders.IPv4);
  await Promise.all([order(), order(), get(simulator, "balance")]);
  await vi.waitFor(() =>
    expect(simulator.requests().every(({ endedAtMs }) => endedAtMs !== undefined)).toBe(true),
  );
  await get(simulator, "balance");
  expect(countMostInFlight(simulator.requests(), "createOrder")).toBe(2);
  expect(countMostInFlight(simulator.requests(), "getBalance")).toBe(1);
  expect(JSON.stringify(simulator.requests())).not.toContain(simulator.apiKey);
  simulator.resetRequestCounts();
  expect(simulator.requests()).toEqual([]);
});
