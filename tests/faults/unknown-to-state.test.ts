import { expect, test } from "vitest";
import { DeliveryPendingError } from "../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import { JournalError } from "../../provider/core/ports.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../support/account.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";

/** What the engine has saved of the order. */
interface Saved {
  inputs: CheckedOrder;
  outputs: OrderState;
}

interface Machine {
  simulator: Simulator;
  clock: VirtualClock;
  /** Begins a process of the provider. `interpose` may wrap its calls to the service and to the journal. */
  begin(interpose?: Interposition): AccountRun;
}

const owner = ownerOf("fleet");

const MINUTE_MS = 60_000;

const DAY_MS = 24 * 60 * MINUTE_MS;

async function createMachine(options: SimulatorOptions = {}): Promise<Machine> {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now, ...options });
  const journalDir = await makeTemporaryFolder();
  const parts = { simulator, journalDir, clock, presence: nobodyElse };
  return {
    simulator,
    clock,
    begin: (interpose) => beginAccountRun({ ...parts, ...(interpose && { interpose }) }),
  };
}

/** Creates or updates an order of this many proxies, as the engine does with what it has saved. */
async function deploy(
  { orders }: AccountRun,
  saved: Saved | undefined,
  quantity: number,
): Promise<Saved> {
  const { checked, failures } = await orders.check(owner, saved?.inputs, given({ quantity }));
  expect(failures).toEqual([]);
  const inputs = checked as CheckedOrder;
  if (saved === undefined) return { inputs, outputs: await orders.create(inputs) };
  const change = await orders.diff(saved.outputs, inputs, new Set());
  if (change.kind === "none") return { inputs, outputs: saved.outputs };
  return { inputs, outputs: await orders.update(saved.outputs, inputs) };
}

/** Ends a process at one of its steps, which then never resolves. */
function dieAt(spot: "before the answer is written down" | "before the state is saved"): {
  interpose: Interposition;
  died: Promise<void>;
} {
  const death = Promise.withResolvers<void>();
  const die = () => {
    death.resolve();
    return new Promise<never>(() => undefined);
  };
  return {
    died: death.promise,
    interpose: {
      service: (real) => ({
        ...real,
        async createOrder(request) {
          const accepted = await real.createOrder(request);
          return spot === "before the answer is written down" ? die() : accepted;
        },
      }),
      store: (real) => ({
        ...real,
        async replace(next) {
          await real.replace(next);
          if (next.phase === "returned") await die();
        },
      }),
    },
  };
}

test("19 D: a further order is found under its other number, even after an earlier order has ended", async () => {
  const { simulator, clock, begin } = await createMachine({ orderNumberDiffersFromOrderId: true });
  const first = await deploy(begin(), undefined, 1);
  clock.advance(31 * DAY_MS);

  const second = begin();
  expect((await second.orders.read(first.outputs)).kind).toBe("gone");
  const again = await deploy(second, undefined, 1);
  expect(again.outputs.status).toBe("active");

  clock.advance(2 * MINUTE_MS);
  const { outputs } = await deploy(begin(), again, 2);
  const orderIds = simulator.orders().map(({ orderId }) => orderId);
  expect(outputs.status).toBe("active");
  expect(outputs.orderIds).toEqual(orderIds.slice(1));
  expect(outputs.proxies).toHaveLength(2);
  expect(simulator.ledger().map(({ price }) => price)).toEqual(["1.40", "1.40", "1.40"]);
});

test.each(["before the answer is written down", "before the state is saved"] as const)(
  "76 A: every run names an order paid by a run killed %s, even if the edit was undone",
  async (spot) => {
    const { simulator, clock, begin } = await createMachine();
    const first = await deploy(begin(), undefined, 1);

    const { interpose, died } = dieAt(spot);
    void deploy(begin(interpose), first, 2);
    await died;
    const [, topUp] = simulator.orders();
    expect(topUp?.quantity).toBe(1);
    clock.advance(5 * MINUTE_MS);

    for (const isRefreshed of [false, true]) {
      const next = begin();
      if (isRefreshed) await next.orders.read(first.outputs);
      const told = await deploy(next, first, 1).then(
        () => next.lines,
        (error: unknown) => [...next.lines, String(error)],
      );
      expect(told.join("\n"), `refreshed: ${isRefreshed}`).toContain(topUp?.orderNumber);
    }
    expect(simulator.requestCounts().createOrder).toBe(2);
    expect(simulator.ledger().map(({ price }) => price)).toEqual(["1.40", "1.40"]);
  },
);

/** A run is killed after its order was paid and before the state is saved. Then five minutes pass. */
async function killWhenPaid() {
  const { simulator, clock, begin } = await createMachine();
  const { interpose, died } = dieAt("before the state is saved");
  void deploy(begin(interpose), undefined, 1);
  await died;
  const [paid] = simulator.orders();
  clock.advance(5 * MINUTE_MS);
  return { begin, paid };
}

test("76 B: an order paid by a killed run is named, even if the program declares another resource instead", async () => {
  const { begin, paid } = await killWhenPaid();
  const { orders, lines } = begin();
  const { failures } = await orders.check(
    ownerOf("other"),
    undefined,
    given({ quantity: 2, country: "DEU" }),
  );
  expect(failures).toEqual([]);
  expect(lines.join("\n")).toContain(`order ${paid?.orderNumber} `);
  expect(lines.join("\n")).toContain("journal show");
});

test("76 C: an order paid by a killed run is named once, however many resources are checked at the same time", async () => {
  const { begin, paid } = await killWhenPaid();
  const { orders, lines } = begin();
  const others = ["a", "b", "c"].map(ownerOf);
  await Promise.all(
    others.map((other) => orders.check(other, undefined, given({ country: "DEU" }))),
  );
  expect(lines.filter((line) => line.includes(`order ${paid?.orderNumber} `))).toHaveLength(1);
});

test.each(["a state has confirmed", "no later run has seen"])(
  "93 A: an order that %s, and that has ended, is not taken over in place of the one that the plan names",
  async (how) => {
    const { simulator, clock, begin } = await createMachine();
    const first = await deploy(begin(), undefined, 1);
    if (how === "a state has confirmed") await begin().orders.read(first.outputs);
    // Then `pulumi state delete`, and its time is over.
    clock.advance(31 * DAY_MS);

    const { interpose, died } = dieAt("before the answer is written down");
    void deploy(begin(interpose), undefined, 1);
    await died;
    clock.advance(5 * MINUTE_MS);
    const [, living] = simulator.orders();

    const { outputs } = await deploy(begin(), undefined, 1);
    expect(outputs.orderNumber).toBe(living?.orderNumber);
    expect(outputs.status).toBe("active");
    expect(simulator.orders()).toHaveLength(2);
  },
);

/** Deploys what arrives too late for one run. Of an update that fails, the engine saves the outputs and not the inputs. */
async function deployLate(
  run: AccountRun,
  saved: Saved | undefined,
  quantity: number,
): Promise<Saved> {
  let inputs: CheckedOrder | undefined = saved?.inputs;
  const { orders } = run;
  const watched: AccountRun = {
    ...run,
    orders: {
      ...orders,
      async create(checked) {
        inputs = checked as CheckedOrder;
        return orders.create(checked);
      },
    },
  };
  const failure = await deploy(watched, saved, quantity).catch((error: unknown) => error);
  if (!(failure instanceof DeliveryPendingError) || inputs === undefined) throw failure;
  return { inputs, outputs: failure.state };
}

/** Buys one proxy and then a further one, each in two runs. Before the last one of them, something may be done. */
async function buyInTwoSteps(
  { begin, clock }: Machine,
  beforeLast: (saved: Saved) => Promise<void> = async () => undefined,
): Promise<Saved> {
  const first = await deployLate(begin(), undefined, 1);
  clock.advance(5 * MINUTE_MS);
  const one = await deploy(begin(), first, 1);
  const second = await deployLate(begin(), one, 2);
  clock.advance(5 * MINUTE_MS);
  await beforeLast(second);
  return deploy(begin(), second, 2);
}

test("93 B: a further order that was paid and had not arrived is not bought again, also after an earlier one of the same request has ended", async () => {
  const machine = await createMachine({ deliveryDelayMs: 200_000 });
  const { simulator, clock, begin } = machine;
  const { outputs } = await buyInTwoSteps(machine);
  clock.advance(31 * DAY_MS);
  expect((await begin().orders.read(outputs)).kind).toBe("gone");

  const again = await buyInTwoSteps(machine, async (saved) => {
    // This run sees that the state knows the further order.
    const run = begin();
    await run.orders.read(saved.outputs);
    const { checked, failures } = await run.orders.check(
      owner,
      saved.inputs,
      given({ quantity: 2 }),
    );
    expect(failures).toEqual([]);
    expect(checked.quote?.effect).toBe("recover");
  });
  expect(again.outputs.proxies).toHaveLength(2);
  expect(simulator.ledger().map(({ quantity }) => quantity)).toEqual([1, 1, 1, 1]);
});

test.each(["a later run", "a later run and then a person"])(
  "94 A: an order whose answer was not written down is found in the listing, where %s has recorded it by what was seen",
  async (who) => {
    const { simulator, clock, begin } = await createMachine({
      orderNumberDiffersFromOrderId: true,
      deliveryDelayMs: 200_000,
    });
    const away: Interposition = {
      store: (real) => ({
        ...real,
        async replace() {
          throw new JournalError("unavailable", "the store is away");
        },
      }),
    };
    const first = await deployLate(begin(away), undefined, 1);
    const [order] = simulator.orders();
    expect(first.outputs.orderNumber).toBe(order?.orderNumber);
    clock.advance(10 * MINUTE_MS);

    // A resource that wants the like finds out what became of the purchase.
    const other = begin();
    const check = await other.orders.check(ownerOf("other"), undefined, given({ quantity: 1 }));
    expect(check.failures).toEqual([]);
    if (who.includes("person")) await closeAll(other);

    const { outputs } = await deploy(begin(), first, 1);
    expect(outputs.status).toBe("active");
    expect(outputs.orderIds).toEqual([order?.orderId]);
    expect(simulator.ledger()).toHaveLength(1);
  },
);

/** What a person does with `journal resolve --closed`. */
async function closeAll({ account: { journal } }: AccountRun): Promise<void> {
  for (const intent of await journal.readAll()) {
    await journal.change(intent, { phase: "closed", closedBecause: "resolved" });
  }
}
