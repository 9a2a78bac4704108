import { expect, it } from "vitest";
import type { Fault } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene } from "./engine-scene.ts";

const { on, order, program } = writerFor("plugin");

const firstOrder = { endpoint: "createOrder", calls: [1] } as const;

const lost: [row: string, fault: Fault][] = [
  ["3: reset after the charge, before the headers", { kind: "reset" }],
  ["5: hang, charged, the answer after the deadline", { kind: "delay", ms: 4_000 }],
];

it.each(lost)("%s: placed, one order", async (_row, fault) => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  simulator.addFault({ ...firstOrder, phase: "after", fault });
  expect(await stack.succeed("up")).toContain("was placed: it is order");
  const [made] = simulator.orders();
  expect((await stack.state()).find("usa")?.outputs).toMatchObject({
    status: "active",
    orderNumber: made?.orderNumber,
  });
  await expectInvariants(scene, { charges: ["7.00"] });
});

it("22: a person buys the same meanwhile: unknown, both named, and a person decides", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  const item = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
  const rule = { ...firstOrder, phase: "after" } as const;
  simulator.addFault({ ...rule, fault: { kind: "foreignOrder", item } });
  simulator.addFault({ ...rule, fault: { kind: "reset" } });
  const text = await stack.fail("up");
  expect(text).toContain("ORDER_OUTCOME_UNKNOWN");
  const numbers = simulator.orders().map(({ orderNumber }) => orderNumber);
  expect(numbers).toHaveLength(2);
  for (const number of numbers) expect(text).toContain(number);
  await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });
  const ours = simulator.orders().find(({ origin }) => origin === "api");
  expect(await stack.fail("preview")).toContain(numbers[0]);

  await stack.rewrite(program(order("usa", { adoptOrderNumber: ours?.orderNumber })));
  await expectInvariants(scene, { charges: ["7.00"] });
});
