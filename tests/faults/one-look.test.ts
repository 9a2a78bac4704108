import { describe, expect, test } from "vitest";
import { createExtensionLifecycle } from "../../provider/core/extension/lifecycle.ts";
import type { CheckedExtension } from "../../provider/core/extension/model/state.ts";
import type { AccountRun, Interposition } from "../support/account.ts";
import { buyAndDie, createMachine, deploy, HOUR_MS, linesOf, payInAtLook } from "./machine.ts";

const MINUTE_MS = 60_000;

const slow = { deliveryDelayMs: 30 * MINUTE_MS };

const lost = { calls: [1], phase: "after", fault: { kind: "reset" } } as const;

/** Some answers about the account are behind. All others are right. */
interface Behind {
  /** The balance that they tell. */
  balance: number;
  isBalanceBehind(): boolean;
  isListingBehind?(): boolean;
}

const behind = ({
  balance,
  isBalanceBehind,
  isListingBehind = () => false,
}: Behind): Interposition => ({
  service: (real) => ({
    ...real,
    async getBalance() {
      const told = await real.getBalance();
      return isBalanceBehind() ? { ...told, balance } : told;
    },
    async listProxies(request) {
      const page = await real.listProxies(request);
      return isListingBehind() ? { ...page, totalElements: 0, totalPages: 0, content: [] } : page;
    },
  }),
});

/** Gives whether it is one of the first calls. */
function first(calls: number): () => boolean {
  let made = 0;
  return () => made++ < calls;
}

describe("146: one look at the account does not prove that nothing was placed", () => {
  test("146 A: a killed run's order is not delivered yet, and the next run's first balance is behind", async () => {
    const machine = await createMachine(slow);
    await buyAndDie(machine, "paid");
    machine.clock.advance(10 * MINUTE_MS);
    const interpose = behind({ balance: 1000, isBalanceBehind: first(1) });
    const said = await linesOf(machine.begin({ interpose }), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("146 B: its order is listed, and the next run's first listings and balance are behind", async () => {
    const machine = await createMachine();
    await buyAndDie(machine, "paid");
    machine.clock.advance(10 * MINUTE_MS);
    const interpose = behind({
      ...{ balance: 1000, isBalanceBehind: first(1), isListingBehind: first(2) },
    });
    const said = await linesOf(machine.begin({ interpose }), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("146 C: a run of another checkout judges it by a balance that is behind, and its own buys", async () => {
    const machine = await createMachine(slow);
    await buyAndDie(machine, "paid");
    machine.clock.advance(10 * MINUTE_MS);
    const interpose = behind({ balance: 1000, isBalanceBehind: first(1) });
    const other = machine.begin({ interpose, project: "/elsewhere" });
    await linesOf(other, undefined, { name: "elsewhere", goal: "something else", quantity: 2 });
    const said = await linesOf(machine.begin(), undefined);
    const ours = machine.simulator.orders().filter(({ quantity }) => quantity === 1);
    expect(ours, said).toHaveLength(1);
  });
});

describe("147: what a look has shown is not forgotten", () => {
  test("147 A: the charge was seen and told; then somebody pays in as much", async () => {
    const machine = await createMachine(slow);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const told = await linesOf(machine.begin(), undefined);
    expect(told).toContain("it was charged, and no such order is listed");
    machine.simulator.setBalance(1000);
    const said = await linesOf(machine.begin(), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
    expect(said).toContain("an earlier look has seen its charge");
  });

  test("147 B: somebody pays in while the lost answer is watched", async () => {
    const machine = await createMachine(slow);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const interpose = payInAtLook(machine, 5, 1000);
    const watched = await linesOf(machine.begin({ interpose }), undefined);
    expect(watched).toContain("ORDER_OUTCOME_UNKNOWN");
    const said = await linesOf(machine.begin(), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("147 C: the last balance of the watch is behind", async () => {
    const machine = await createMachine(slow);
    machine.simulator.addFault({ ...lost, endpoint: "createOrder" });
    const beganMs = machine.clock.elapsedMs();
    const isLate = () => machine.clock.elapsedMs() - beganMs >= MINUTE_MS;
    const isFirst = first(1);
    const interpose = behind({ balance: 1000, isBalanceBehind: () => isLate() && isFirst() });
    await linesOf(machine.begin({ interpose }), undefined);
    const said = await linesOf(machine.begin(), undefined);
    expect(machine.simulator.orders(), said).toHaveLength(1);
  });

  test("147 D: the same for an extension, while its listing is behind", async () => {
    const machine = await createMachine();
    const saved = await deploy(machine.begin(), undefined);
    const ids = saved.outputs.proxies.map(({ ipAddressId }) => ipAddressId);
    const balance = Number(machine.simulator.balance());
    machine.clock.advance(HOUR_MS);
    const { service } = machine.begin().account;
    const before = await service.listProxies({ proxyType: "IPv4", page: 0, size: 100 });
    machine.simulator.addFault({ ...lost, endpoint: "extend" });
    const beganMs = machine.clock.elapsedMs();
    const isLate = () => machine.clock.elapsedMs() - beganMs >= MINUTE_MS;
    const isFirst = first(1);
    const late = behind({ balance, isBalanceBehind: () => isLate() && isFirst() });
    const interpose: Interposition = {
      service: (real) => ({
        ...(late.service?.(real) ?? real),
        listProxies: async () => ({ ...before, answeredAt: machine.clock.now() }),
      }),
    };
    await extend(machine.begin({ interpose }), ids).catch(() => undefined);
    await extend(machine.begin({ interpose }), ids).catch(() => undefined);
    expect(machine.simulator.ledger()).toHaveLength(2);
  });

  async function extend(run: AccountRun, ipAddressIds: string[]): Promise<void> {
    const extensions = createExtensionLifecycle(run.account);
    const known = {
      ...{ proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 },
      paidThrough: "2026-04-25T00:00:00Z",
    };
    const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpExtension::keep";
    const given = { known, unknown: new Set<string>() };
    const { checked, failures } = await extensions.check(owner, undefined, given);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    await extensions.create(checked as CheckedExtension);
  }
});

/** Each order is listed with as many proxies more. */
const doubled: Interposition = {
  service: (real) => ({
    ...real,
    async listProxies(request) {
      const page = await real.listProxies(request);
      const more = page.content.map((row) => ({
        ...row,
        ...{ ipAddressId: `${row.ipAddressId}0`, httpsPort: "1" },
      }));
      const content = [...page.content, ...more];
      return { ...page, content, totalElements: content.length };
    },
  }),
};

describe("148: the document does not say that dateStart is the moment of the purchase", () => {
  const dated = (dateStartOf: (dateStart: string) => string): Interposition => ({
    service: (real) => ({
      ...real,
      async listProxies(request) {
        const page = await real.listProxies(request);
        const content = page.content.map((row) => ({
          ...row,
          dateStart: dateStartOf(row.dateStart ?? ""),
        }));
        return { ...page, content };
      },
    }),
  });
  const midnight = (dateStart: string) => `${dateStart.slice(0, 10)}T00:00:00.000+00:00`;
  const whenDelivered = (dateStart: string) =>
    new Date(Date.parse(dateStart) + 5 * MINUTE_MS).toISOString();

  async function createAtNoon() {
    const machine = await createMachine();
    machine.clock.advance(12 * HOUR_MS + 50_000);
    return machine;
  }

  const midnightAbroad = (dateStart: string) => `${dateStart.slice(0, 10)}T00:00:00.000+03:00`;
  const minute = (dateStart: string) => `${dateStart.slice(0, 16)}+00:00`;

  const coarse: [string, (dateStart: string) => string][] = [
    ["at the beginning of its day in another time zone", midnightAbroad],
    ["at the beginning of its minute", minute],
  ];

  const odd: [string, (dateStart: string) => string][] = [
    ["at the beginning of its day", midnight],
    ["at its delivery", whenDelivered],
  ];

  test.each([
    ...odd.map((one) => ["148 A: ", ...one] as const),
    ...coarse.map((one) => ["186 A: ", ...one] as const),
  ])("%sa killed run's order that began %s is named", async (_number, _what, dateStartOf) => {
    const machine = await createAtNoon();
    await buyAndDie(machine, "paid");
    machine.clock.advance(HOUR_MS);
    const [order] = machine.simulator.orders();
    const said = await linesOf(machine.begin({ interpose: dated(dateStartOf) }), undefined);
    expect(machine.simulator.orders()).toHaveLength(1);
    expect(said).toContain(order?.orderNumber);
  });

  test.each([
    ...odd.map((one) => ["148 B: ", ...one] as const),
    ["148 B: ", "at its purchase", (same: string) => same] as const,
    ...coarse.map((one) => ["186 B: ", ...one] as const),
  ])(
    "%sone that began %s is not bought again when somebody has paid in its price",
    async (_number, _what, dateStartOf) => {
      const machine = await createAtNoon();
      await buyAndDie(machine, "paid");
      machine.clock.advance(HOUR_MS);
      machine.simulator.setBalance(1000);
      const said = await linesOf(machine.begin({ interpose: dated(dateStartOf) }), undefined);
      expect(machine.simulator.orders(), said).toHaveLength(1);
    },
  );

  test("148 C: an order that is delivered with one proxy more is named", async () => {
    const machine = await createMachine();
    await buyAndDie(machine, "paid");
    machine.clock.advance(HOUR_MS);
    const [order] = machine.simulator.orders();
    const said = await linesOf(machine.begin({ interpose: doubled }), undefined);
    expect(machine.simulator.orders()).toHaveLength(1);
    expect(said).toContain(order?.orderNumber);
  });
});

describe("205: an order that has more proxies than were bought", () => {
  test("205 A: can't be adopted as it is declared, so the advice is to name it in the journal", async () => {
    const machine = await createMachine();
    await buyAndDie(machine, "paid");
    machine.clock.advance(HOUR_MS);
    const [order] = machine.simulator.orders();
    const said = await linesOf(machine.begin({ interpose: doubled }), undefined);
    expect(said).toContain("that has more proxies than were bought");
    expect(said).not.toContain("adoptOrderNumber");
    const { account } = machine.begin({ interpose: doubled });
    const [left] = await account.journal.readAll();
    expect(said).toContain(`journal resolve ${left?.id} --order ${order?.orderNumber}`);
  });

  test("205 B: once it is named there, it is taken over, and nothing is bought", async () => {
    const machine = await createMachine();
    await buyAndDie(machine, "paid");
    machine.clock.advance(HOUR_MS);
    const [order] = machine.simulator.orders();
    await linesOf(machine.begin({ interpose: doubled }), undefined);
    const { journal } = machine.begin({ interpose: doubled }).account;
    for (const left of await journal.readAll()) {
      await journal.change(left, { phase: "placed", orderNumber: order?.orderNumber });
    }
    const saved = await deploy(machine.begin({ interpose: doubled }), undefined);
    expect(saved.outputs.orderNumber).toBe(order?.orderNumber);
    await deploy(machine.begin({ interpose: doubled }), saved);
    expect(machine.simulator.orders()).toHaveLength(1);
  });
});
