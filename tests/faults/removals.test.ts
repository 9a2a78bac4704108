import { expect, test } from "vitest";
import { serviceFailure } from "../core/support/fake-service.ts";
import type { Interposition } from "../support/account.ts";
import { buyAndDie, createMachine, deploy, HOUR_MS, type Spot, textOf } from "./machine.ts";

/** One proxy is saved, and a run is killed that has paid for a further one. */
async function killTopUp(spot: Spot) {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const saved = await deploy(begin(), undefined);
  clock.advance(HOUR_MS);
  await buyAndDie(machine, spot, { saved, quantity: 2 });
  clock.advance(HOUR_MS);
  const lost = simulator.orders().at(-1)?.orderNumber ?? "";
  expect(simulator.orders()).toHaveLength(2);
  return { ...machine, saved, lost };
}

test.each(["paid", "placed", "returned"] as const)(
  "102 A: the deletion of a resource names the further order of a run that was killed when it was %s",
  async (spot) => {
    const { begin, saved, lost, simulator } = await killTopUp(spot);
    const run = begin();
    const text = await textOf(run, run.orders.delete(saved.outputs));
    expect(text).toMatch(new RegExp(`order ${lost} .*1\\.40 USD`));
    expect(text).toContain(`adoptOrderNumber: "${lost}"`);
    expect(text).toContain("journal show");
    expect(simulator.requestCounts().createOrder).toBe(2);
  },
);

test("102 B: a deletion that fails names it too", async () => {
  const { begin, saved, lost } = await killTopUp("returned");
  const away: Interposition = {
    service: (real) => ({
      ...real,
      async listProxies() {
        throw serviceFailure("rejected");
      },
    }),
  };
  const run = begin({ interpose: away });
  const text = await textOf(run, run.orders.delete(saved.outputs));
  expect(text).toContain("AUTO_EXTENSION_FAILED");
  expect(text).toContain(`order ${lost} `);
});

test("102 C: the deletion of another resource of the stack names it", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const saved = await deploy(begin(), undefined);
  clock.advance(HOUR_MS);
  await buyAndDie(machine, "returned", { name: "other", goal: "another" });
  clock.advance(HOUR_MS);
  const run = begin();
  const text = await textOf(run, run.orders.delete(saved.outputs));
  expect(text).toContain(`order ${simulator.orders().at(-1)?.orderNumber} `);
});

test("103: a run that lets proxies go names a further order that a killed run has paid", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const saved = await deploy(begin(), undefined, { quantity: 2 });
  clock.advance(HOUR_MS);
  await buyAndDie(machine, "returned", { saved, quantity: 3 });
  clock.advance(HOUR_MS);
  const run = begin();
  const text = await textOf(run, deploy(run, saved, { quantity: 1 }));
  expect(text).toContain(`order ${simulator.orders().at(-1)?.orderNumber} `);
  expect(text).toContain("let 1 IPv4 proxy");
});
