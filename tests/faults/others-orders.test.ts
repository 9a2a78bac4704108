import { expect, test } from "vitest";
import type { Interposition } from "../support/account.ts";
import { createMachine, deploy, HOUR_MS, linesOf, type Machine } from "./machine.ts";

/** A run is killed right before its order leaves. */
async function dieUnsent({ begin }: Machine): Promise<void> {
  const death = Promise.withResolvers<void>();
  const interpose: Interposition = {
    service: (real) => ({
      ...real,
      createOrder() {
        death.resolve();
        return new Promise<never>(() => undefined);
      },
    }),
  };
  deploy(begin({ interpose }), undefined).catch(death.reject);
  await death.promise;
}

test("185: a person tops up, buys more of the same, and then says that this order is another one's: the purchase that was never sent is made", async () => {
  const machine = await createMachine();
  const { simulator, clock } = machine;
  await dieUnsent(machine);
  clock.advance(HOUR_MS);
  const item = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;
  const { orderNumber } = simulator.placeForeignOrder(item);
  simulator.setBalance(1000);
  const told = await linesOf(machine.begin(), undefined);
  expect(told).toContain(orderNumber);
  expect(simulator.orders()).toHaveLength(1);
  const settings = { foreignOrders: new Set([orderNumber]) };
  const said = await linesOf(machine.begin({ settings }), undefined);
  expect(simulator.orders(), said).toHaveLength(2);
});
