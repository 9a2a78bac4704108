import { expect, test } from "vitest";
import type { OrderState } from "../../provider/core/order/model/state.ts";
import { DAY_MS } from "../../provider/core/values/dates.ts";
import { failureOf, given, ownerOf } from "../core/support/orders-under-test.ts";
import {
  buyAndDie,
  createMachine,
  deploy,
  HOUR_MS,
  linesOf,
  type Machine,
  type Saved,
  type Spot,
} from "./machine.ts";

/**
 * An order has ended, and the same request was made again by a run that was killed at this spot. Then the state of the
 * first order is put back.
 */
async function putBack(spot: Spot): Promise<Machine & { saved: Saved; lost: string }> {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const saved = await deploy(begin(), undefined);
  clock.advance(31 * DAY_MS);
  const refreshed = begin();
  expect((await refreshed.orders.read(saved.outputs)).kind).toBe("gone");
  await buyAndDie(machine, spot);
  clock.advance(HOUR_MS);
  const lost = simulator.orders().at(-1)?.orderNumber ?? "";
  expect(simulator.orders()).toHaveLength(2);
  return { ...machine, saved, lost };
}

test.each(["paid", "placed", "returned"] as const)(
  "101 A: an order of a run that was killed when it was %s is named, where the state of an earlier order of the same request was put back",
  async (spot) => {
    const { begin, saved, lost } = await putBack(spot);
    expect(await linesOf(begin(), saved)).toContain(`order ${lost} `);
    expect(await linesOf(begin(), saved)).toContain(`order ${lost} `);
  },
);

test("101 B: nothing is planned beside a lost order that was bought by the same request as the one in the state", async () => {
  const machine = await createMachine();
  const { simulator, clock, begin } = machine;
  const saved = await deploy(begin(), undefined);
  clock.advance(HOUR_MS);
  // `pulumi state delete`, and a person says that the order is accounted for elsewhere.
  const settings = { foreignOrders: new Set([saved.outputs.orderNumber]) };
  await buyAndDie({ ...machine, begin: (more) => begin({ settings, ...more }) }, "returned");
  clock.advance(HOUR_MS);
  const lost = simulator.orders().at(-1)?.orderNumber;

  const { orders, lines } = begin();
  const wanted = await orders.check(saved.inputs.owner, saved.inputs, given({ quantity: 2 }));
  const failure = await failureOf(orders.diff(saved.outputs, wanted.checked, new Set()));
  expect(failure.message).toMatch(new RegExp(`^ORDER_MAY_BE_PAID: .* as order ${lost}[: ]`));
  expect(lines.join("\n")).toContain(`order ${lost} `);
  expect(simulator.requestCounts().createOrder).toBe(2);
});

test("101 C: it stops a purchase for the same goal, though its resource is in the program", async () => {
  const { begin, saved, lost, simulator } = await putBack("returned");
  const run = begin();
  await deploy(run, saved);
  const text = await linesOf(run, undefined, { name: "other" });
  expect(text).toContain(`order ${lost} `);
  expect(text).toContain("ORDER_MAY_BE_PAID");
  expect(simulator.requestCounts().createOrder).toBe(2);
});

test.each([true, false])(
  "101 D: another resource takes it over (the state of its own one was seen: %s)",
  async (isSeen) => {
    const { begin, saved, lost } = await putBack("returned");
    const run = begin();
    if (isSeen) await deploy(run, saved);
    else await run.orders.check(saved.inputs.owner, saved.inputs, given({ quantity: 1 }));
    const adopted = await deploy(run, undefined, { name: "other", adoptOrderNumber: lost });
    expect(adopted.outputs.orderNumber).toBe(lost);
  },
);

const serving = (phase: "preview" | "update") => ({
  run: { run: phase, command: "up", commandId: "1", phase: () => phase } as const,
});

test.each(["keeps the earlier one", "takes a third one over"])(
  "104: a preview has shown that the resource of a lost order %s: a purchase for the same goal stops",
  async (how) => {
    const { simulator, clock, begin, saved, lost } = await putBack("returned");
    const third = simulator.placeForeignOrder({
      ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
    });
    clock.advance(2 * HOUR_MS);
    const wanted = given({
      quantity: 1,
      ...(how.includes("third") && { adoptOrderNumber: third.orderId }),
    });
    const before = how.includes("third") ? undefined : saved.inputs;
    const other = { name: "other", quantity: 2 };
    const preview = begin(serving("preview"));
    await preview.orders.check(saved.inputs.owner, before, wanted);
    await preview.orders.check(ownerOf("other"), undefined, given({ quantity: 2 }));

    const text = await linesOf(begin(serving("update")), undefined, other);
    expect(text).toContain("ORDER_MAY_BE_PAID");
    expect(text).toContain(`order ${lost} `);
    expect(simulator.requestCounts().createOrder).toBe(2);
  },
);

test.each([
  ["does not renew itself", false, "gone"],
  ["renews itself", true, "present"],
])(
  "127: a state from before its order was delivered is put back, the listing names that otherwise, and it %s",
  async (_how, autoExtend, kind) => {
    const machine = await createMachine({ orderNumberDiffersFromOrderId: true });
    const { simulator, clock, begin } = machine;
    const saved = await deploy(begin(), undefined);
    const { orderNumber, purchases, ipAddressIds } = saved.outputs;
    const earlier: OrderState = {
      ...saved.outputs,
      ...{ status: "pendingDelivery", orderIds: [orderNumber], proxies: [], ipAddressIds: [] },
      purchases: purchases.map((purchase) => ({ ...purchase, orderIds: [orderNumber] })),
    };
    simulator.setAutoExtension([...ipAddressIds], autoExtend);
    clock.advance(45 * DAY_MS);

    const run = begin();
    const found = await run.orders.read(earlier);
    expect(found.kind).toBe(kind);
    if (found.kind !== "present") return;
    const next = await deploy(run, { inputs: saved.inputs, outputs: found.state });
    expect(next.outputs).toMatchObject({ status: "active", orderNumber, quantity: 1 });
    expect(simulator.requestCounts().createOrder).toBe(1);
  },
);
