import { expect, test } from "vitest";
import { DeliveryPendingError } from "../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import type { SimulatorOptions } from "../../simulator/index.ts";
import { failureOf, given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import {
  type AccountRun,
  type AccountRunOptions,
  beginAccountRun,
  type Interposition,
} from "../support/account.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const HOUR_MS = 3_600_000;

const item = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;

/** An account with an older order. The service gives the next one a number that is the older one's listed id. */
async function holdOlder(older: object = {}, options: SimulatorOptions = {}) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ ...options, now: clock.now });
  const journalDir = await makeTemporaryFolder();
  const { orderId } = simulator.placeForeignOrder({ ...item, ...older });
  /** What the service gives as the number of the next order. */
  const name = { id: orderId };
  clock.advance((options.deliveryDelayMs ?? 0) + 3 * HOUR_MS);
  const misnumber: Interposition = {
    service: (real) => ({
      ...real,
      createOrder: async (...call) => ({
        ...(await real.createOrder(...call)),
        orderNumber: name.id,
      }),
    }),
  };
  const begin = (more: Partial<AccountRunOptions> = {}) =>
    beginAccountRun({
      ...{ simulator, journalDir, clock, presence: nobodyElse, interpose: misnumber },
      ...more,
    });
  const newest = () => simulator.orders().at(-1);
  return { simulator, clock, begin, orderId, name, misnumber, newest };
}

type Held = Awaited<ReturnType<typeof holdOlder>>;

async function plan({ orders }: AccountRun, args: object = {}): Promise<CheckedOrder> {
  const { checked, failures } = await orders.check(
    ownerOf("fleet"),
    undefined,
    given({ quantity: 1, ...args }),
  );
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
  return checked as CheckedOrder;
}

test.each([
  ["108 A", "of the same kind", {}],
  ["108 B", "in another country", { country: "DEU" }],
  ["108 C", "with more proxies", { quantity: 3 }],
])(
  "%s: an order whose number is the listed id of an older one %s is found by what is new",
  async (_row, _what, older) => {
    const { begin, orderId, newest } = await holdOlder(older);
    const run = begin();
    const state = await run.orders.create(await plan(run));
    expect(state).toMatchObject({ orderNumber: orderId, status: "active" });
    expect(state.orderIds).toEqual([newest()?.orderId]);
    expect(state.ipAddressIds).toEqual(newest()?.ipAddressIds);
    const found = await begin().orders.read(state);
    expect(found).toMatchObject({ kind: "present", state: { ipAddressIds: state.ipAddressIds } });
  },
);

test("108 D: until such an order arrives, the older one is not taken for it", async () => {
  const { begin, clock, newest, simulator } = await holdOlder({}, { deliveryDelayMs: HOUR_MS });
  const run = begin();
  const inputs = await plan(run, { deliveryTimeoutSeconds: 60 });
  const pending = await run.orders.create(inputs).catch((error: unknown) => error);
  if (!(pending instanceof DeliveryPendingError)) throw pending;
  const { state } = pending;
  expect([state.status, state.ipAddressIds]).toEqual(["pendingDelivery", []]);
  const early = await begin().orders.read(state);
  expect(early).toMatchObject({ kind: "present", state: { ipAddressIds: [] } });

  clock.advance(HOUR_MS);
  const next = begin();
  await next.orders.read(state);
  const delivered = await next.orders.update(state, inputs);
  expect(delivered.ipAddressIds).toEqual(newest()?.ipAddressIds);
  expect(delivered.status).toBe("active");
  expect(simulator.requestCounts().createOrder).toBe(1);
});

/** Buys in a run that is killed once the journal knows that the order is placed. */
async function buyAndDie({ begin, misnumber }: Held, older: OrderState): Promise<void> {
  const death = Promise.withResolvers<void>();
  const interpose: Interposition = {
    ...misnumber,
    store: (real) => ({
      ...real,
      async replace(next) {
        await real.replace(next);
        if (next.phase !== "placed") return;
        death.resolve();
        await new Promise<never>(() => undefined);
      },
    }),
  };
  const killed = begin({ interpose });
  await killed.orders.read(older);
  void killed.orders.create(await plan(killed));
  await death.promise;
}

/** A state has the older order. A killed run has paid one whose number is the older one's listed id. */
async function loseOne(older: object) {
  const held = await holdOlder({}, { orderNumberDiffersFromOrderId: true });
  const { begin, clock, name, simulator } = held;
  const first = begin({ interpose: {} });
  const wanted = given({ quantity: 1, ...older });
  if (wanted.known.proxyType === "IPv4") Object.assign(wanted.known, { adoptOrderNumber: name.id });
  const { checked } = await first.orders.check(ownerOf("older"), undefined, wanted);
  const state = await first.orders.create(checked);
  name.id = state.orderIds[0] ?? "";
  clock.advance(3 * HOUR_MS);
  simulator.resetRequestCounts();
  await buyAndDie(held, state);
  clock.advance(3 * HOUR_MS);
  const run = begin();
  await run.orders.read(state);
  return { ...held, run };
}

test("108 E: such an order that a killed run has paid is taken over, though a state has the older one", async () => {
  const { run, newest, simulator } = await loseOne({});
  const inputs = await plan(run);
  expect(inputs.quote.effect).toBe("recover");
  const state = await run.orders.create(inputs);
  expect(state.ipAddressIds).toEqual(newest()?.ipAddressIds);
  expect(simulator.requestCounts().createOrder).toBe(1);
});

test("108 F: nor is it bought again if the older one is of another type; a person says which it is", async () => {
  const { run, newest, simulator } = await loseOne({ proxyType: "ISP" });
  const inputs = await plan(run);
  expect(inputs.quote.effect).toBe("recover");
  const { message } = await failureOf(run.orders.create(inputs));
  expect(message).toMatch(/^DELIVERY_PENDING/);
  expect(message).toContain(newest()?.orderId);
  expect(simulator.requestCounts().createOrder).toBe(1);
});
