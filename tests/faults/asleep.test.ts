import { expect, test } from "vitest";
import type { CheckedOrder } from "../../provider/core/order/model/state.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import type { AccountRun, Interposition } from "../support/account.ts";
import { createMachine, HOUR_MS, textOf } from "./machine.ts";

async function plan({ orders }: AccountRun, name: string): Promise<CheckedOrder> {
  const wanted = given({ quantity: 1, goal: name });
  const { checked, failures } = await orders.check(ownerOf(name), undefined, wanted);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return checked as CheckedOrder;
}

test.each([
  ["165 A: the machine sleeps while an order waits for its turn: its price is asked again", true],
  ["165 B: it does not sleep: the price of some seconds ago is used", false],
])("%s", async (_what, sleeps) => {
  const { begin, simulator, clock } = await createMachine();
  let sent = 0;
  const interpose: Interposition = {
    service: (real) => ({
      ...real,
      async createOrder(...call) {
        const accepted = await real.createOrder(...call);
        sent += 1;
        if (sent > 1) return accepted;
        if (sleeps) clock.suspend(8 * HOUR_MS);
        simulator.setPriceFactor("IPv4", "2");
        return accepted;
      },
    }),
  };
  const run = begin({ interpose });
  const plans = [await plan(run, "first"), await plan(run, "second")];
  const text = await textOf(run, Promise.all(plans.map((one) => run.orders.create(one))));
  const charged = simulator.ledger().map(({ price }) => price);
  expect(charged, text).toEqual(sleeps ? ["1.40"] : ["1.40", "2.80"]);
  expect(text).toContain(sleeps ? "PRICE_ROSE" : "either the price changed");
});
