import { expect, it } from "vitest";
import type { Fault, Simulator } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { order as dynamicOrder, program as dynamicProgram } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const faults: Fault[] = [
  { kind: "reset" },
  { kind: "hang" },
  { kind: "status", status: 500 },
  { kind: "garbage" },
  { kind: "truncate" },
];

const firstOrder = { endpoint: "createOrder", calls: [1] } as const;

/** Calls `run` right before the second quote, which an up asks for when it buys. The first quote is for its plan. */
function beforeSecondQuote(simulator: Simulator, run: () => void): void {
  const fault = { kind: "act", run } as const;
  simulator.addFault({ endpoint: "calculateOrder", calls: [2], phase: "before", fault });
}

/** Loses the answer to the first order. From then on nobody can see what became of the order. */
function loseAnswerAndSight(simulator: Simulator): void {
  const blind = () =>
    void simulator.addFault({
      endpoint: "listProxies",
      phase: "before",
      fault: { kind: "status", status: 503 },
    });
  simulator.addFault({ ...firstOrder, phase: "after", fault: { kind: "act", run: blind } });
  simulator.addFault({ ...firstOrder, phase: "after", fault: { kind: "reset" } });
}

const impatient = { PROXYRENTAL_TIMEOUT_SECONDS: "2", PROXYRENTAL_SETTLING_SECONDS: "2" };

it.each(faults)(
  "finds an order with its answer lost after the charge ($kind), and goes on buying",
  async (fault) => {
    const simulator = await startForTest();
    simulator.addFault({ ...firstOrder, phase: "after", fault });
    const stack = await createStack({
      ...on,
      simulator,
      program: program(order("usa"), order("usa2"), order("usa3")),
      env: impatient,
    });
    const text = await stack.succeed("up");

    const [first] = simulator.orders();
    expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.00", "7.00"));
    expect(text).toContain("It is not sent again");
    expect(text).toContain(
      `the order for 5 IPv4 proxies in USA for 30 days was placed: it is order ${first?.orderNumber}`,
    );
    expect(await stack.succeed("up", "--refresh")).toContain("4 unchanged");
    expect(spendingOf(simulator).charges).toHaveLength(3);
  },
);

it.each(faults.slice(0, 3))(
  "proves an order that never reached the service ($kind) not placed, and buys it in the next run",
  async (fault) => {
    const simulator = await startForTest();
    simulator.addFault({ ...firstOrder, phase: "before", fault });
    const stack = await createStack({
      ...on,
      simulator,
      program: program(order("usa")),
      env: impatient,
    });
    expect(await stack.fail("up")).toContain("ORDER_NOT_PLACED");
    expect(spendingOf(simulator)).toEqual({ ...nothingSpent, orderCalls: 1 });
    await stack.succeed("up");
    expect(spendingOf(simulator)).toEqual({ ...ordered("7.00"), orderCalls: 2 });
  },
);

it("names the orders that were not sent because of an earlier unknown one", async () => {
  const simulator = await startForTest();
  loseAnswerAndSight(simulator);
  const names = ["a", "b", "c", "d", "e"];
  const stack = await createStack({
    ...on,
    simulator,
    program: program(...names.map((name) => order(name))),
    env: impatient,
  });
  const text = await stack.fail("up", "--continue-on-error");
  expect(text).toContain("ORDER_OUTCOME_UNKNOWN");
  expect(text).toContain("may have been placed and charged");
  expect(text.match(/BUYING_STOPPED: .*This purchase was not sent/g) ?? []).not.toHaveLength(0);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  simulator.clearFaults();
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered(...names.map(() => "7.00")));
});

it("says that nothing was bought if the connection was refused, and buys in the next run", async () => {
  const simulator = await startForTest();
  beforeSecondQuote(simulator, () => simulator.refuseConnections());
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  const text = await stack.fail("up");
  expect(text).toContain("SERVICE_UNREACHABLE");
  expect(text).toContain("Nothing was bought by this call");
  expect(text).not.toContain("ORDER_OUTCOME_UNKNOWN");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await simulator.acceptConnections();
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("buys nothing when the service refuses the order, and once when it accepts it again", async () => {
  const simulator = await startForTest();
  beforeSecondQuote(simulator, () => simulator.setBalance("0.00"));
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  expect(await stack.fail("up")).toContain("INSUFFICIENT_FUNDS");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  simulator.setBalance("7.00");
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("does not buy if the price rises between plan and order of one run", async () => {
  const simulator = await startForTest();
  beforeSecondQuote(simulator, () => simulator.setPriceFactor("IPv4", "1.01"));
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  expect(await stack.fail("up")).toContain(
    "PRICE_ROSE: the plan showed 7.00 USD, the service now asks 7.07 USD",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("returns the recorded answer to a hook that asks again after an unknown outcome, and sends no second order", async ({
  skip,
}) => {
  const simulator = await startForTest();
  loseAnswerAndSight(simulator);
  const stack = await createStack({
    simulator,
    env: impatient,
    // A YAML program can't declare hooks.
    program: dynamicProgram(
      "let asked = 0;",
      'const again = new pulumi.ErrorHook("again", () => ++asked < 5);',
      dynamicOrder("usa", {}, "{ hooks: { onError: [again] } }"),
    ),
  });
  const text = await stack.fail("up");
  // The oldest CLI that the other tests run on has no error hooks.
  skip(text.includes("RegisterErrorHook"), "this CLI has no error hooks");
  expect(text).toContain("ORDER_OUTCOME_UNKNOWN");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
