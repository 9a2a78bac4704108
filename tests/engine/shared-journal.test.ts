import { expect, it } from "vitest";
import { freezeAt, killUp } from "../faults/engine/moments.ts";
import { describeProduct } from "../journals/store-contract.ts";
import { gofakes3 } from "../journals/stores/products/go-server.ts";
import { postgres } from "../journals/stores/products/postgres.ts";
import type { Product } from "../journals/stores/products/product.ts";
import { startForTest } from "../simulator/start.ts";
import type { Host } from "../support/program-files.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

/** Short, so that the second machine does not wait long for an answer that can't come any more. */
const quick = { PROXYRENTAL_TIMEOUT_SECONDS: "3", PROXYRENTAL_SETTLING_SECONDS: "2" };

const cases: [Product, Host][] = [
  [postgres, "dynamic"],
  [gofakes3, "plugin"],
];

for (const [product, host] of cases) {
  await describeProduct(product, ({ product: running }) => {
    const { on, order, program } = writerFor(host);

    /** A machine of its own for each: a home, a checkout, and only backend and journal are shared. */
    async function twoMachines(journal: string) {
      const simulator = await startForTest();
      const { url, environment } = running().enter(journal);
      const env = { ...quick, ...environment, PROXYRENTAL_JOURNAL: url };
      // The libraries of the stores read the credentials from the environment of their process.
      const base = { ...on, simulator, env, spawned: true };
      const options = { ...base, program: program(order("usa")) };
      const first = await createStack(options);
      const second = await createStack({ ...options, elsewhere: first });
      return { simulator, first, second };
    }

    it(`a run that is killed after the charge is recovered on another machine at price 0 (${host} host)`, async () => {
      const { simulator, first, second } = await twoMachines("killed");
      const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
      await killUp(first, () => reached);
      simulator.clearFaults();
      expect(spendingOf(simulator)).toEqual(ordered("7.00"));

      const plan = await second.plan();
      expect(plan.inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
      await second.succeed("up");
      expect(spendingOf(simulator)).toEqual(ordered("7.00"));
      expect((await second.state()).find("usa")?.outputs.status).toBe("active");

      const { changes } = await first.plan();
      expect(changes).toEqual({ same: 2 });
    });

    it(`a price that a preview has shown on one machine binds on another one (${host} host)`, async () => {
      const { simulator, first, second } = await twoMachines("previewed");
      await first.succeed("preview");
      simulator.setPriceFactor("IPv4", "2");
      expect(await second.fail("up")).toContain("PRICE_ROSE: the plan showed 7.00 USD");
      expect(spendingOf(simulator).charges).toEqual([]);
    });
  });
}
