import { expect, test } from "vitest";
import type { ProxyType } from "../../provider/client/index.ts";
import type { CheckedOrder } from "../../provider/core/order/model/state.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../support/account.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createMachine, HOUR_MS, type Saved } from "./machine.ts";

/** The number of the first order of each type. */
const FIRST = "1001";

/** A service that numbers the orders of each type by themselves. */
function numberEachType(): Interposition {
  const ids = new Map<ProxyType, string[]>();
  const numberOf = (proxyType: ProxyType, id: string) => {
    const known = ids.get(proxyType) ?? [];
    ids.set(proxyType, known);
    if (!known.includes(id)) known.push(id);
    return String(Number(FIRST) + known.indexOf(id));
  };
  return {
    service: (real) => ({
      ...real,
      async createOrder(request, ...call) {
        const accepted = await real.createOrder(request, ...call);
        return { ...accepted, orderNumber: numberOf(request.proxyType, accepted.orderNumber) };
      },
      async listProxies(request) {
        const page = await real.listProxies(request);
        const content = page.content.map((row) => ({
          ...row,
          orderId: numberOf(request.proxyType, row.orderId),
        }));
        return { ...page, content };
      },
    }),
  };
}

async function plan({ orders }: AccountRun, name: string, args: object): Promise<CheckedOrder> {
  const wanted = given({ quantity: 1, ...args });
  const { checked, failures } = await orders.check(ownerOf(name), undefined, wanted);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
  return checked as CheckedOrder;
}

async function create(run: AccountRun, name: string, args: object): Promise<Saved> {
  const inputs = await plan(run, name, args);
  return { inputs, outputs: await run.orders.create(inputs) };
}

/** A resource has taken over the first ISP order. Each run begins an hour after the last. */
async function holdIsp() {
  const machine = await createMachine();
  const interpose = numberEachType();
  const isp = { proxyType: "ISP", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;
  machine.simulator.placeForeignOrder(isp);
  const begin = () => {
    machine.clock.advance(HOUR_MS);
    return machine.begin({ interpose });
  };
  const keeper = await create(begin(), "keeper", { proxyType: "ISP", adoptOrderNumber: FIRST });
  expect(keeper.outputs.orderIds).toEqual([FIRST]);
  return { ...machine, begin, interpose, keeper };
}

test("210 A: a killed run's order is taken over, though a state has one of another type with its number", async () => {
  const { begin, keeper, simulator } = await holdIsp();
  const killed = begin();
  await killed.orders.create(await plan(killed, "fleet", {}));
  const run = begin();
  await run.orders.read(keeper.outputs);
  const inputs = await plan(run, "fleet", {});
  expect(inputs.quote.effect, run.lines.join("\n")).toBe("recover");
  const state = await run.orders.create(inputs);
  expect(state).toMatchObject({ orderNumber: FIRST, proxyType: "IPv4", status: "active" });
  expect(simulator.requestCounts().createOrder).toBe(1);
});

test("210 B: an order that no journal knows stops a purchase, though a state has one of another type with its number", async () => {
  const { keeper, interpose, simulator, clock } = await holdIsp();
  simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
  });
  clock.advance(60_000);
  const journalDir = await makeTemporaryFolder();
  const run = beginAccountRun({ simulator, clock, journalDir, interpose });
  await run.orders.read(keeper.outputs);
  await expect(plan(run, "fleet", {})).rejects.toThrow(`order ${FIRST}`);
});

test("210 C: a deleted order's automatic extension ends, though a state has one of another type with its number", async () => {
  const { begin, keeper, simulator } = await holdIsp();
  const first = begin();
  const fleet = await create(first, "fleet", {});
  expect(fleet.outputs.orderIds).toEqual([FIRST]);
  simulator.setAutoExtension(fleet.outputs.ipAddressIds, true);
  const run = begin();
  await run.orders.read(keeper.outputs);
  const read = await run.orders.read(fleet.outputs);
  if (read.kind !== "present") throw new Error(read.kind);
  await run.orders.delete(read.state);
  expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toEqual([]);
  expect(run.lines.join("\n")).not.toContain("keeper");
});

test("210 D: an order is imported and adopted beside one of another type with its number", async () => {
  const { begin, keeper, simulator } = await holdIsp();
  simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
  });
  const run = begin();
  await plan(run, "keeper", { proxyType: "ISP", adoptOrderNumber: FIRST });
  await run.orders.read(keeper.outputs);
  const { outputs } = await create(run, "fleet", { adoptOrderNumber: FIRST });
  expect(outputs).toMatchObject({ proxyType: "IPv4", orderIds: [FIRST] });
});

test.each([
  ["the killed run's order", 0],
  ["an older order of its type", 1],
])(
  "192: an ISP order that somebody else has bought since is not its charge, though it has the number of %s",
  async (_whose, older) => {
    const { simulator, clock, begin } = await createMachine();
    const interpose = numberEachType();
    const order = (proxyType: ProxyType) =>
      simulator.placeForeignOrder({ proxyType, country: "USA", quantity: 1, rentPeriodDays: 30 });
    // A whole hour may stand for a whole day.
    clock.advance(1_000);
    for (let placed = 0; placed < older; placed++) order("IPv4");
    clock.advance(HOUR_MS);
    const death = Promise.withResolvers<void>();
    const numbered = interpose.service ?? ((real) => real);
    const service: Interposition["service"] = (real) => ({
      ...numbered(real),
      async createOrder(...call) {
        await numbered(real).createOrder(...call);
        death.resolve();
        return new Promise<never>(() => undefined);
      },
    });
    const killed = begin({ interpose: { service } });
    create(killed, "fleet", {}).catch(death.reject);
    await death.promise;
    clock.advance(60_000);
    order("ISP");
    simulator.setBalance(Number(simulator.balance()) - 3);
    clock.advance(HOUR_MS);
    const run = begin({ interpose });
    await plan(run, "fleet", {});
    const [left] = await run.account.journal.readAll();
    expect(left).toMatchObject({ phase: "placed", charged: undefined });
    expect(run.lines.join("\n")).toContain("what was charged can't be told");
  },
);
