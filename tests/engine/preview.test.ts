import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { order as dynamicOrder, program as dynamicProgram } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

it("shows the price of each order and the sum, as text and in the checked inputs, and spends nothing", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(
      order("usa"),
      order("deu", { country: "DEU", quantity: 3, promoCode: "SPRING10" }),
      order("six", { proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90, quantity: 10 }),
      order("phone", {
        ...{ proxyType: "MOBILE", quantity: 1, mobileOperator: "tmobile", rotationTime: 600 },
      }),
    ),
  });

  const text = await stack.succeed("preview");
  expect(text).toContain("usa  buys 5 IPv4 proxies in USA for 30 days for 7.00 USD");
  expect(text).toContain("deu  buys 3 IPv4 proxies in DEU for 30 days for 3.97 USD");
  expect(text).toContain("six  buys 10 IPv6 proxies in USA for 90 days for 4.56 USD");
  expect(text).toContain("phone  buys 1 MOBILE proxy in USA for 30 days for 42.00 USD");

  const plan = await stack.plan();
  const usual = { effect: "buy", currency: "USD", discount: 0, balance: 1000 };
  expect(plan.inputs("usa").quote).toEqual({ ...usual, price: 7, quantity: 5 });
  expect(plan.inputs("deu").quote).toEqual({
    ...usual,
    ...{ price: 3.97, quantity: 3, discount: 10, promoCodeStatus: "VALID" },
  });
  expect(plan.inputs("six").quote).toEqual({ ...usual, price: 4.56, quantity: 10 });
  expect(plan.inputs("phone").quote).toEqual({ ...usual, price: 42, quantity: 1 });

  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("reads the catalogue, the listing of a type and the price of a specification once, however many orders need it", async () => {
  const simulator = await startForTest();
  const orders = Array.from({ length: 8 }, (_, index) => order(`usa${index}`));
  const stack = await createStack({ ...on, simulator, program: program(...orders) });
  await stack.succeed("preview");
  expect(simulator.requestCounts()).toMatchObject({
    ...{ listProxyTypes: 1, listCountries: 1, listRentPeriods: 1, listMobileOperators: 0 },
    ...{ calculateOrder: 1, createOrder: 0, listProxies: 1 },
  });
});

it("refuses all wrong arguments of an order at once, each with its property and what is accepted", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    simulator,
    // YAML itself refuses some of these arguments.
    program: dynamicProgram(
      dynamicOrder("usa", {
        ...{ country: "usa", quantity: 0, rentPeriodDays: "month", goal: "  ", colour: "red" },
        ...{ protocol: "HTTP", authType: "IP", maxPrice: -1 },
      }),
    ),
  });
  await expectRefusals(stack, {
    country: 'must be an ISO 3166-1 alpha-3 code in capitals, for instance USA, not "usa"',
    quantity: "must be a whole number of proxies, at least 1, not 0",
    rentPeriodDays: 'must be a whole number of days, at least 1, not "month"',
    goal: "must be a text of 1 to 1000 characters",
    colour: "is not an argument; accepted: proxyType, country",
    protocol: "is accepted only for proxyType IPv6; leave it out",
    authIp: 'is required with authType "IP": an IPv4 or IPv6 address',
    maxPrice: "must be an amount in account currency, at least 0, not -1",
  });
  await stack.fail("up");
  expect(simulator.requestCounts().calculateOrder).toBe(0);
  expect((await stack.state()).find("usa")).toBeUndefined();
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("refuses arguments not on offer, an invalid promo code and a price above the cap", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", { country: "ATA", rentPeriodDays: 31 })),
  });
  await expectRefusals(stack, {
    country: "ATA is not offered for IPv4; accepted: USA, DEU",
    rentPeriodDays: "31 is not offered for IPv4; accepted: 30, 60, 90, 180, 360",
  });
  const mobile = { proxyType: "MOBILE", quantity: 1, mobileOperator: "tmobile" };
  await stack.rewrite(program(order("usa", { ...mobile, rotationTime: 7 })));
  await expectRefusals(stack, {
    rotationTime: "7 is not offered by tmobile; accepted: 300, 600, 1800",
  });
  await stack.rewrite(program(order("usa", { promoCode: "WINTER25", maxPrice: 6.99 })));
  const refused = await stack.fail("preview");
  // The program has set no price, so the engine must print the value of no argument.
  for (const reason of [
    "PROMO_CODE_NOT_VALID: the promo code is not valid (NO_VALID); the order would be charged in full",
    "PRICE_ABOVE_CAP: the price is 7.00 USD, above the 6.99 USD that is allowed by maxPrice. Raise maxPrice",
  ]) {
    expect(refused).toContain(`resource 'usa' has a problem: ${reason}`);
  }
  await stack.fail("up");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

/** Expects a line for each property that says what is wrong with it. */
async function expectRefusals(stack: Stack, refusals: Record<string, string>): Promise<void> {
  const lines = (await stack.fail("preview")).split("\n");
  for (const [property, reason] of Object.entries(refusals)) {
    const line = lines.find((candidate) => candidate.includes(`property ${property} value`));
    expect(line).toContain(`has a problem: INPUT_INVALID: ${reason}`);
  }
}
