import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const two = program(order("usa"), order("gbr", { country: "GBR" }));

it("refuses at preview a fleet above the balance, though each order alone would fit", async () => {
  const simulator = await startForTest({ balance: "14.69" });
  const stack = await createStack({ ...on, simulator, program: two });
  expect(await stack.fail("preview")).toContain(
    "the purchases of this run come to 14.70 USD, but the balance is 14.69 USD: 0.01 USD is missing",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  simulator.setBalance("14.70");
  await stack.succeed("preview");
  await stack.succeed("up");
  expect(spendingOf(simulator).orderCalls).toBe(2);
  expect(simulator.balance()).toBe("0.00");
});

it("refuses an order above the balance, because of the service's warning", async () => {
  const simulator = await startForTest({ balance: "6.99" });
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  expect(await stack.fail("preview")).toContain('code 16, "Insufficient funds on balance"');
  await stack.fail("up");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it.each(["by configuration", "by environment"])(
  "refuses a fleet above maxSpend at preview, and buys nothing above it at up: %s",
  async (how) => {
    const simulator = await startForTest();
    const stack = await createStack({ ...on, simulator, program: two });
    if (how === "by configuration") {
      // The stack's setting wins over the environment's.
      stack.setEnv({ PROXYRENTAL_MAX_SPEND: "1000" });
      await stack.succeed("config set", "proxyrental:maxSpend", "14.69");
    } else {
      stack.setEnv({ PROXYRENTAL_MAX_SPEND: "14.69" });
    }
    expect(await stack.fail("preview")).toContain(
      "the purchases of this run come to 14.70 USD, above proxyrental:maxSpend (14.69 USD)",
    );
    expect(spendingOf(simulator)).toEqual(nothingSpent);

    await stack.fail("up");
    const { orderCalls, charges } = spendingOf(simulator);
    expect(orderCalls).toBe(charges.length);
    expect(["", "7.00", "7.70"]).toContain(charges.join());
  },
);

it("buys in the next run only what maxSpend stopped in this one", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa"), order("gbr", { country: "GBR" }, `{ dependsOn: ["\${usa}"] }`)),
    env: { PROXYRENTAL_MAX_SPEND: "10" },
  });
  await stack.fail("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.70"));
});
