import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { countMostInFlight } from "../support/in-flight.ts";
import { after } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");
const typescript = writerFor("dynamic");

it("buys exactly what the preview showed, to the cent", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa"), order("deu", { country: "DEU", quantity: 3 }, after("usa"))),
  });
  const plan = await stack.plan();
  await stack.succeed("up");

  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.41"));
  expect([plan.inputs("usa").quote, plan.inputs("deu").quote]).toMatchObject([
    { price: 7 },
    { price: 4.41 },
  ]);
  expect(simulator.balance()).toBe("988.59");
  expect(simulator.orders()).toMatchObject([
    { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30, authType: "LOGIN" },
    { proxyType: "IPv4", country: "DEU", quantity: 3, rentPeriodDays: 30, authType: "LOGIN" },
  ]);
  const [usa] = simulator.orders();
  const outputs = (await stack.state()).find("usa")?.outputs;
  expect(outputs).toMatchObject({
    ...{ status: "active", orderNumber: usa?.orderNumber, ipAddressIds: usa?.ipAddressIds },
    purchases: [{ orderNumber: usa?.orderNumber, price: 7, quantity: 5, currency: "USD" }],
  });
});

it("changes nothing, spends nothing and asks no price or catalogue if nothing was edited", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  const bought = await stack.state();
  simulator.resetRequestCounts();

  expect((await stack.plan()).changes).toEqual({ same: 2 });
  expect(await stack.succeed("up")).toContain("2 unchanged");
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
  await stack.succeed("refresh", "--expect-no-changes");

  const { listProxies, ...otherCalls } = simulator.requestCounts();
  expect(listProxies).toBe(3);
  expect(Object.values(otherCalls)).toEqual(Object.values(otherCalls).map(() => 0));
  expect(spendingOf(simulator).charges).toEqual(["7.00"]);
  expect((await stack.state()).find("usa")?.outputs.orderNumber).toBe(
    bought.find("usa")?.outputs.orderNumber,
  );
});

it("sends twenty orders of one run in turn, each once", async () => {
  const simulator = await startForTest({ latencyMs: 20 });
  const names = Array.from({ length: 20 }, (_, index) => `usa${index}`);
  const stack = await createStack({
    ...on,
    simulator,
    program: program(...names.map((name) => order(name))),
  });
  await stack.succeed("up");

  expect(spendingOf(simulator)).toEqual(ordered(...names.map(() => "7.00")));
  expect(countMostInFlight(simulator.requests(), "createOrder")).toBe(1);
  const state = await stack.state();
  const numbers = names.map((name) => state.find(name)?.outputs.orderNumber);
  expect(new Set(numbers)).toEqual(new Set(simulator.orders().map((made) => made.orderNumber)));
});

it("buys inside a component as outside, with a constant owner", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    simulator,
    program: typescript.program(
      "class Fleet extends pulumi.ComponentResource {",
      '  constructor() { super("test:fleet:Fleet", "fleet"); }',
      "}",
      "const fleet = new Fleet();",
      typescript.order("usa", {}, "{ parent: fleet }"),
    ),
  });
  const planned = (await stack.plan()).inputs("usa");
  expect(planned.owner).toBe(
    "organization/urn:pulumi:dev::fleet::test:fleet:Fleet$pulumi-nodejs:dynamic/proxyrental:ProxyOrder::usa",
  );
  await stack.succeed("up");
  expect((await stack.state()).find("usa")?.inputs.owner).toBe(planned.owner);
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
