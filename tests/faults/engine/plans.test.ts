import { describe, expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { hosts } from "../../support/program-files.ts";
import { writerFor } from "../../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { freezeAt, killUp } from "./moments.ts";

/** Short, so that no test waits long for an answer that does not come. */
const env = { PROXYRENTAL_TIMEOUT_SECONDS: "2", PROXYRENTAL_SETTLING_SECONDS: "2" };

const { on, order, program, urnOf } = writerFor("plugin");

it("69: an order that was removed from the state: named, and not bought again", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  // At a refresh, the journal notes that the state knows the order.
  await stack.succeed("refresh");
  await stack.succeed("state delete", urnOf("usa"), "--yes");
  const orderNumber = simulator.orders()[0]?.orderNumber ?? "";
  for (const command of ["preview", "up"]) {
    expect(await stack.fail(command)).toContain(`adoptOrderNumber: "${orderNumber}"`);
  }
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.rewrite(program(order("usa", { adoptOrderNumber: orderNumber })));
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("70: killed after the charge, then renamed: the paid order is named, and not bought again", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, env, program: program(order("usa")) });
  const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
  await killUp(stack, () => reached);
  simulator.clearFaults();
  await stack.rewrite(program(order("renamed")));
  const refusal = await stack.fail("up");
  expect(refusal).toContain("ORDER_MAY_BE_PAID");
  expect(refusal).toContain(`adoptOrderNumber: "${simulator.orders()[0]?.orderNumber}"`);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("68: an up that a plan file refused does not count as a preview for the next one", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    spawned: true,
    simulator,
    program: program(order("usa")),
  });
  await stack.succeed("preview", "--save-plan", "plan.json");
  simulator.setPriceFactor("IPv4", "1.01");
  // This `up` begins with a preview.
  const refused = await stack.run("up", "--yes", "--plan", "plan.json");
  expect(refused.text).toContain("violates plan");
  expect(await stack.fail("up")).toContain("PRICE_ROSE: the plan showed 7.00 USD");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  await stack.succeed("preview");
  await stack.succeed("up");
  expect(spendingOf(simulator).charges).toEqual(["7.07"]);
});

it("71: the same stack from another folder, with its journal: the paid order is named, at any age", async () => {
  const simulator = await startForTest();
  const journal = {
    PROXYRENTAL_JOURNAL_DIR: await makeTemporaryFolder(),
    PROXYRENTAL_LOOK_BACK_MINUTES: "0",
  };
  const parts = { ...on, spawned: true, simulator, env: journal, program: program(order("usa")) };
  const first = await createStack(parts);
  await first.succeed("up");
  const moved = await createStack(parts);
  const refusal = await moved.fail("up");
  expect(refusal).toContain(`order ${simulator.orders()[0]?.orderNumber}`);
  expect(refusal).toContain(first.folder);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

describe.each(hosts)("%s host", (host) => {
  const { order, program, urnOf, ...writer } = writerFor(host);
  // The engine must start the provider: each process learns by itself which run and which phase it serves.
  const on = { ...writer.on, spawned: true };

  it("67: a purchase that the newest preview did not show is not bought until a preview shows it", async () => {
    const simulator = await startForTest();
    const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
    await stack.succeed("up");
    expect(await stack.succeed("preview")).toContain("2 unchanged");
    await stack.rewrite(program(order("usa", { quantity: 8 }), order("deu", { country: "DEU" })));
    const refusal = await stack.fail("up", "--continue-on-error");
    expect(refusal).toContain("NOT_PLANNED");
    expect(refusal).toContain("showed that nothing would be bought for usa, and now 3");
    expect(refusal).toContain("showed no purchase for deu, and now 5");
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
    await stack.succeed("preview");
    await stack.succeed("up");
    expect(spendingOf(simulator).charges.toSorted()).toEqual(["4.20", "7.00", "7.35"]);
  });

  it("74: --target-replace of a paid order with a changed configuration: refused, though one process refreshes and another one updates", async () => {
    const simulator = await startForTest();
    const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
    await stack.succeed("up");
    await stack.succeed("refresh");
    await stack.succeed("config set fleet:color", "blue");
    const replacing = ["--refresh", "--target-replace", urnOf("usa")];
    const refusal = "this resource's order is paid and can't be cancelled";
    expect(await stack.fail("preview", ...replacing)).toContain(refusal);
    expect(await stack.fail("up", ...replacing)).toContain(refusal);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });
});
