import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

/** The calls that a refused edit must not have made. */
const noChange = { createOrder: 0, extend: 0, setAutoExtension: 0 };

it("refuses at preview an edit that would pay again, says until when the order is paid, and changes nothing", async () => {
  const simulator = await startForTest();
  const paid = {
    usa: {},
    six: { proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90 },
    phone: { proxyType: "MOBILE", mobileOperator: "tmobile", rotationTime: 600, quantity: 1 },
  };
  const write = (edits: Partial<Record<keyof typeof paid, object>>) =>
    program(
      order("usa", { ...paid.usa, ...edits.usa }),
      order("six", { ...paid.six, ...edits.six }),
      order("phone", { ...paid.phone, ...edits.phone }),
    );
  const stack = await createStack({ ...on, simulator, program: write({}) });
  await stack.succeed("up");
  const before = await stack.state();
  simulator.resetRequestCounts();
  const spent = spendingOf(simulator);

  const refusals = [
    ["usa", { country: "DEU" }, 'country ("USA" to "DEU") would mean buying again for 7.35 USD'],
    [
      "usa",
      { authType: "IP", authIp: "192.0.2.1" },
      'authType ("LOGIN" to "IP"), authIp (none to "192.0.2.1") would mean buying again',
    ],
    ["usa", { proxyType: "ISP" }, 'proxyType ("IPv4" to "ISP") would mean buying again'],
    ["six", { protocol: "SOCKS" }, 'protocol ("HTTP" to "SOCKS") would mean buying again'],
    ["phone", { rotationTime: 300 }, "rotationTime (600 to 300) would mean buying again"],
    ["phone", { mobileOperator: "verizon" }, '("tmobile" to "verizon") would mean buying again'],
  ] as const;
  for (const [name, edit, refusal] of refusals) {
    await stack.rewrite(write({ [name]: edit }));
    const text = await stack.fail("preview");
    expect(text).toContain("EDIT_REFUSED");
    expect(text).toContain(refusal);
    expect(text).toContain(`paid until ${before.find(name)?.outputs.expiresAt}`);
    expect(text).toContain("Nothing was bought");
  }
  await stack.fail("up");
  await stack.fail("up", "--refresh");

  expect(spendingOf(simulator)).toEqual(spent);
  expect(simulator.requestCounts()).toMatchObject(noChange);
  const after = await stack.state();
  for (const name of Object.keys(paid)) {
    expect(after.find(name)?.outputs).toEqual(before.find(name)?.outputs);
  }
});

it("records edits for the next purchase, with no other change and no spend, before and after a refresh", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");

  await stack.rewrite(
    program(order("usa", { goal: "another", promoCode: "SPRING10", rentPeriodDays: 60 })),
  );
  const plan = await stack.plan();
  expect(plan.changes).toEqual({ same: 2 });
  expect(plan.messages).toContain(
    "rentPeriodDays, goal, promoCode recorded for the next purchase; nothing is bought",
  );

  expect(await stack.succeed("up")).toContain("2 unchanged");
  expect((await stack.state()).find("usa")?.inputs).toMatchObject({
    ...{ goal: "another", promoCode: "SPRING10", rentPeriodDays: 60 },
    quote: {
      effect: "none",
      owned: { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" },
    },
  });
  simulator.resetRequestCounts();
  await stack.succeed("refresh");
  expect((await stack.plan()).changes).toEqual({ same: 2 });
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  expect(simulator.requestCounts()).toMatchObject({ calculateOrder: 0, listCountries: 0 });
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges: ["7.00"] });
});

it("buys an allowed replacement once, before the old order goes, at the plan's price", async () => {
  const simulator = await startForTest();
  const allowed = { allowReplacement: true };
  const stack = await createStack({ ...on, simulator, program: program(order("usa", allowed)) });
  await stack.succeed("up");
  const [first] = simulator.orders();

  await stack.rewrite(program(order("usa", { ...allowed, country: "DEU" })));
  const plan = await stack.plan();
  expect(plan.op("usa")).toBe("replace");
  expect(plan.messages).toContain("for 7.35 USD");
  const planned = plan.inputs("usa");
  expect(planned.quote).toMatchObject({ effect: "replace", price: 7.35, quantity: 5 });
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  const text = await stack.succeed("up");
  expect(text.indexOf("created replacement")).toBeGreaterThan(0);
  expect(text.indexOf("created replacement")).toBeLessThan(text.indexOf("deleting original"));
  expect(text).toContain(
    `the service has no cancellation: order ${first?.orderNumber} stays paid until`,
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.35"));

  const bought = (await stack.state()).find("usa");
  expect(bought?.inputs.requestId).toBe(planned.requestId);
  expect(bought?.outputs.orderNumber).toBe(simulator.orders()[1]?.orderNumber);
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.35"));
});
