import { expect, test } from "vitest";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import type { Interposition } from "../support/account.ts";
import { buyAndDie, createMachine, deploy, HOUR_MS, linesOf } from "./machine.ts";

const owner = ownerOf("fleet");

const onePlain = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 1,
  rentPeriodDays: 30,
} as const;

test("95 A: an order that a killed run has paid is named after its resource has taken another order over", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  await buyAndDie(machine, "returned");
  const [paid] = simulator.orders();
  clock.advance(HOUR_MS);
  const byHand = simulator.placeForeignOrder(onePlain);
  clock.advance(HOUR_MS);

  const adopted = { adoptOrderNumber: byHand.orderId };
  const saved = await deploy(begin(), undefined, adopted);
  clock.advance(HOUR_MS);
  const run = begin();
  await run.orders.read(saved.outputs);
  expect(await linesOf(run, saved, adopted)).toContain(`order ${paid?.orderNumber} `);
});

test.each([1, 2])(
  "95 B: a lost paid order stops a purchase for the same goal, though its resource has adopted %i proxies",
  async (quantity) => {
    const machine = await createMachine();
    const { simulator, clock, begin } = machine;
    await buyAndDie(machine, "returned");
    const [paid] = simulator.orders();
    clock.advance(HOUR_MS);
    const byHand = simulator.placeForeignOrder({ ...onePlain, quantity });
    clock.advance(2 * HOUR_MS);

    const adopted = { adoptOrderNumber: byHand.orderId, quantity };
    const saved = await deploy(begin(), undefined, adopted);
    clock.advance(HOUR_MS);
    const run = begin();
    await run.orders.read(saved.outputs);
    await deploy(run, saved, adopted);
    expect(await linesOf(run, undefined, { name: "other" })).toContain(
      `order ${paid?.orderNumber} `,
    );
    expect(simulator.requestCounts().createOrder).toBe(1);
  },
);

test("96: an order whose number is known stays open when another one is taken over", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  let byHand = "";
  await buyAndDie(machine, "placed", {
    beforeCharge: () => {
      byHand = simulator.placeForeignOrder(onePlain).orderId;
    },
  });
  const paid = simulator.orders().find(({ orderId }) => orderId !== byHand);
  clock.advance(HOUR_MS);

  /** The proxies of the paid one have not arrived yet. */
  const interpose: Interposition = {
    service: (real) => ({
      ...real,
      async listProxies(request) {
        const page = await real.listProxies(request);
        const content = page.content.filter(({ orderId }) => orderId !== paid?.orderId);
        return { ...page, content, totalElements: content.length };
      },
    }),
  };
  const adopted = { adoptOrderNumber: byHand };
  const saved = await deploy(begin({ interpose }), undefined, adopted);
  clock.advance(HOUR_MS);
  expect(await linesOf(begin(), saved, adopted)).toContain(`order ${paid?.orderNumber} `);
});

test("97: a further order of another checkout of the program is not taken over without a person", async () => {
  const { simulator, clock, begin } = await createMachine();
  const idOf = (index: number) => simulator.orders()[index]?.orderId ?? "";
  /** A run in a checkout. A person has said which orders are the other's. */
  const runIn = (project: string, ...foreign: string[]) =>
    begin({ project, settings: { foreignOrders: new Set(foreign) } });
  const one = await deploy(runIn("/one"), undefined);
  clock.advance(2 * HOUR_MS);
  const two = await deploy(runIn("/two", idOf(0)), undefined);
  clock.advance(2 * HOUR_MS);
  const grown = await deploy(runIn("/one", idOf(1)), one, { quantity: 2 });
  await runIn("/one").orders.read(grown.outputs);
  clock.advance(2 * HOUR_MS);

  const text = await linesOf(runIn("/two", idOf(0)), two, { quantity: 2 });
  expect(text).toContain(`as order ${idOf(2)}: `);
  expect(text).toContain("ORDER_MAY_BE_PAID");
  expect(simulator.requestCounts().createOrder).toBe(3);
});

test("98: a further order that a person has declared gone is not taken over", async () => {
  const { simulator, clock, begin } = await createMachine();
  const one = await deploy(begin(), undefined);
  clock.advance(HOUR_MS);
  const two = await deploy(begin(), one, { quantity: 2 });
  clock.advance(HOUR_MS);
  await begin().orders.read(two.outputs);
  simulator.removeProxies(two.outputs.ipAddressIds);
  const settings = { goneOrders: new Set(simulator.orders().map(({ orderId }) => orderId)) };
  const refreshed = begin({ settings });
  expect((await refreshed.orders.read(two.outputs)).kind).toBe("gone");
  const again = await deploy(refreshed, undefined);
  clock.advance(HOUR_MS);

  const wanted = given({ quantity: 2 });
  const { checked } = await begin({ settings }).orders.check(owner, again.inputs, wanted);
  expect(checked.quote?.effect).toBe("topUp");
});

test("109: an order that a killed run has paid is named after its resource has imported its former one", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const former = await deploy(begin(), undefined);
  const { orderNumber } = former.outputs;
  // A person says that it is no longer the resource's, so that the same request is made again.
  await begin().account.journal.release(former.outputs);
  clock.advance(HOUR_MS);
  await buyAndDie(machine, "returned");
  const paid = simulator.orders().find((order) => order.orderNumber !== orderNumber);
  clock.advance(HOUR_MS);

  const { inputs, state } = await begin().orders.import(owner, orderNumber);
  const imported = { inputs, outputs: state };
  clock.advance(HOUR_MS);
  const run = begin();
  await run.orders.read(imported.outputs);
  expect(await linesOf(run, imported)).toContain(`order ${paid?.orderNumber} `);
  expect(await linesOf(begin(), undefined, { name: "other" })).toContain(
    `order ${paid?.orderNumber} `,
  );
  expect(simulator.requestCounts().createOrder).toBe(2);
});
