import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freezeAt, killUp } from "../faults/engine/moments.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, extension, order, program } = writerFor("plugin");

/** The price of the order in these programs, and of one extension of all its proxies. */
const PRICE = "7.00";

const start = "2026-03-01T12:00:00Z";

/** An order ends on 31 March; one extension reaches 30 April, two 30 May. */
const ONE = "2026-04-29";
const TWO = "2026-05-29";

const paidThrough = (date: string, args: object = {}) =>
  program(order("usa"), extension("keep", "usa", date, args));

it("prices an extension in the preview, pays it once, and finds it paid after that", async () => {
  const simulator = await startForTest({ now: () => new Date(start) });
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.rewrite(paidThrough(TWO));
  const plan = await stack.plan();
  expect(plan.op("keep")).toBe("create");
  expect(plan.inputs("keep").quote).toMatchObject({ effect: "extend", quantity: 5, price: 14 });
  expect(plan.messages).toContain(
    "extends 5 IPv4 proxies to at least 2026-05-29, 2 times 30 days, for 14.00 USD",
  );
  expect(spendingOf(simulator)).toEqual(ordered(PRICE));

  await stack.succeed("up");
  const paid = { orderCalls: 1, extendCalls: 2, charges: [PRICE, PRICE, PRICE] };
  expect(spendingOf(simulator)).toEqual(paid);
  const kept = (await stack.state()).find("keep")?.outputs;
  expect(kept?.paidUntil).toContain("2026-05-30T12:00:00");
  simulator.resetRequestCounts();
  await stack.succeed("up");
  expect(simulator.requestCounts()).toMatchObject({ listProxies: 1, extend: 0 });
  expect(await stack.succeed("up")).toContain("unchanged");
  expect(simulator.requestCounts()).toMatchObject({ listProxies: 1, calculateExtension: 0 });
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 3 });
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual({ ...paid, orderCalls: 0, extendCalls: 0 });
});

it("counts the cap while the order is only planned, buys both in one run, and follows changed ids", async () => {
  const simulator = await startForTest({ now: () => new Date(start), idsChangeOnExtension: true });
  const stack = await createStack({
    ...on,
    simulator,
    program: paidThrough(ONE, { maxPrice: 7.5 }),
  });
  const plan = await stack.plan();
  expect(plan.inputs("keep").quote).toMatchObject({ effect: "unknown", priceAtMost: 7.5 });
  await stack.succeed("up");
  const paid = { orderCalls: 1, extendCalls: 1, charges: [PRICE, PRICE] };
  expect(spendingOf(simulator)).toEqual(paid);
  const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
  expect((await stack.state()).find("keep")?.outputs.ipAddressIds).toEqual(ids);
  for (const flags of [[], ["--refresh"], ["--refresh"]]) {
    expect(await stack.succeed("up", ...flags)).toContain("3 unchanged");
  }
  expect(spendingOf(simulator)).toEqual(paid);
});

it("shows the price of the missing part, and pays only that", async () => {
  let now = new Date(start);
  const simulator = await startForTest({ now: () => now });
  const stack = await createStack({ ...on, simulator, program: paidThrough(ONE, { maxPrice: 7 }) });
  await stack.succeed("up");
  await stack.rewrite(paidThrough(TWO));
  now = new Date("2026-04-01T00:00:00Z");
  // If an automatic extension fires in between, less is left to pay.
  const plan = await stack.plan("--refresh");
  expect([plan.op("keep"), plan.inputs("keep").quote]).toEqual([
    "update",
    expect.objectContaining({ effect: "extend", price: 7 }),
  ]);
  const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
  simulator.setAutoExtension(ids.slice(0, 3), true, 30);
  now = new Date("2026-04-30T11:30:00Z");
  await stack.succeed("up", "--refresh");
  expect(spendingOf(simulator)).toEqual({
    ...{ orderCalls: 1, extendCalls: 2, charges: [PRICE, PRICE, "4.20", "2.80"] },
  });
  expect(await stack.succeed("up", "--refresh")).toContain("unchanged");
  await stack.rewrite(paidThrough("2026-04-01"));
  expect(await stack.succeed("up")).toContain("1 updated");
  expect(spendingOf(simulator).extendCalls).toBe(2);
});

it("saves what is paid when a later extension fails, and the next up pays the rest", async () => {
  const simulator = await startForTest({ now: () => new Date(start) });
  const fault = { kind: "refuse", code: 14 } as const;
  const rule = simulator.addFault({ endpoint: "extend", calls: [2], phase: "before", fault });
  const stack = await createStack({ ...on, simulator, program: paidThrough(TWO) });
  expect(await stack.fail("up")).toContain(
    "EXTENSION_INCOMPLETE: 1 of 2 planned extensions is paid (7.00 USD) and saved",
  );
  rule.remove();
  expect((await stack.state()).find("keep")?.outputs.purchases).toHaveLength(1);
  const plan = await stack.plan();
  expect(plan.inputs("keep").quote).toMatchObject({ effect: "extend", price: 7 });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual({
    ...{ orderCalls: 1, extendCalls: 3, charges: [PRICE, PRICE, PRICE] },
  });
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
});

it("pays by a saved plan, and the engine refuses the plan after a price change", async () => {
  const simulator = await startForTest({ now: () => new Date(start) });
  const both = [order("usa"), autoExtension("renew", "usa")];
  const stack = await createStack({ ...on, simulator, program: program(...both) });
  await stack.succeed("up");
  await stack.rewrite(program(...both, extension("keep", "usa", ONE)));
  await stack.succeed("preview", "--save-plan", "plan.json");
  simulator.setPriceFactor("IPv4", "1.01");
  expect(await stack.fail("up", "--plan", "plan.json")).toContain("violates plan");
  simulator.setPriceFactor("IPv4", "1");
  await stack.succeed("up", "--plan", "plan.json");
  expect(spendingOf(simulator)).toEqual({
    ...{ orderCalls: 1, extendCalls: 1, charges: [PRICE, PRICE] },
  });
});

it("is found paid after its run was killed behind the charge", async () => {
  const simulator = await startForTest({ now: () => new Date(start) });
  // The next run waits until the call of the killed one can't be carried out any more.
  const env = { PROXYRENTAL_TIMEOUT_SECONDS: "3", PROXYRENTAL_SETTLING_SECONDS: "2" };
  const stack = await createStack({ ...on, simulator, env, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.rewrite(paidThrough(ONE));
  const reached = freezeAt(simulator, { endpoint: "extend", phase: "after" });
  await killUp(stack, () => reached);
  simulator.clearFaults();
  const paid = { orderCalls: 1, extendCalls: 1, charges: [PRICE, PRICE] };
  expect((await stack.plan()).inputs("keep").quote).toEqual({ effect: "none" });
  await stack.succeed("up");
  expect((await stack.state()).find("keep")?.outputs.purchases).toMatchObject([{ price: 7 }]);
  expect(await stack.succeed("up", "--refresh")).toContain("unchanged");
  expect(spendingOf(simulator)).toEqual(paid);
});

it("is checked by the policies before anything is paid, with a price or an open one", async () => {
  const simulator = await startForTest({ now: () => new Date(start) });
  const stack = await createStack({ ...on, simulator, program: paidThrough(TWO) });
  const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];
  expect(await stack.fail("preview", ...pack)).toContain("keep: its price is not known yet");
  await stack.rewrite(program(order("usa")));
  await stack.succeed("up", ...pack);

  await stack.rewrite(paidThrough(TWO));
  await writeFile(
    join(stack.folder, "spend.json"),
    JSON.stringify({ "max-order-price": { max: 13.99 } }),
  );
  const held = [...pack, "--policy-pack-config", "spend.json"];
  for (const command of ["preview", "up"]) {
    expect(await stack.fail(command, ...held)).toContain(
      "keep: this purchase costs 14.00 USD, above the 13.99 USD that max allows",
    );
  }
  expect(spendingOf(simulator)).toEqual(ordered(PRICE));
  await stack.succeed("up", ...pack);
  expect(spendingOf(simulator).charges).toEqual([PRICE, PRICE, PRICE]);
});
