import { describe, expect, test, vi } from "vitest";
import type { Orphan } from "../../../cli/orphans/orphan.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { buyWithRival, type Machine, startMachine } from "../machine.ts";
import {
  deliveredOrder,
  exportedOrder,
  exportFile,
  exportText,
  writeState,
} from "../stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;
const items = [
  usa,
  { proxyType: "IPv6", country: "DEU", quantity: 5, rentPeriodDays: 30 },
  { proxyType: "MOBILE", country: "USA", quantity: 1, rentPeriodDays: 30 },
  { proxyType: "ISP", country: "USA", quantity: 2, rentPeriodDays: 30 },
] as const;

/** The ids that `orphans --json` finds. */
async function findIds({ cli }: Machine, ...files: string[]): Promise<string[]> {
  const { stdout } = await cli(["orphans", ...files, "--json"]);
  return JSON.parse(stdout).map((orphan: Orphan) => orphan.orderId);
}

describe("orphans", () => {
  test("finds an order of each type that no state knows, spends nothing, and ends with 2", async () => {
    const machine = await startMachine();
    const { simulator, cli } = machine;
    const orders = items.map((item) => simulator.placeForeignOrder(item));
    const file = await exportFile();
    const { exitCode, stdout } = await cli(["orphans", file]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain("In none of these states: 4 of the 4 orders");
    for (const [index, { orderId }] of orders.entries()) {
      const { proxyType, country, quantity } = items[index] ?? usa;
      const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
      expect(stdout).toMatch(
        new RegExp(
          `^${orderId} +${proxyType} +${country} +${quantity} +${time} +${time} +no +unknown$`,
          "m",
        ),
      );
    }
    expect(stdout).toContain(`adoptOrderNumber: "${orders[0]?.orderId}"`);
    expect(stdout).not.toContain("goes on costing money");
    expect(await findIds(machine, file)).toEqual(orders.map(({ orderId }) => orderId));
    expect(simulator.requestCounts()).toMatchObject({
      createOrder: 0,
      extend: 0,
      setAutoExtension: 0,
    });
    expect({ ...spendingOf(simulator), charges: [] }).toEqual(nothingSpent);
  });

  test("an account without orders, or with known orders only, ends with 0", async () => {
    const { simulator, cli } = await startMachine();
    const empty = await writeState('{"version":3,"deployment":{"manifest":{}}}');
    expect(await cli(["orphans", empty])).toMatchObject({
      exitCode: 0,
      stdout: "The account holds no orders.",
    });
    const order = simulator.placeForeignOrder(usa);
    const { exitCode, stdout } = await cli(["orphans", await exportFile(deliveredOrder(order))]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^No orphans: the account holds 1 order, /);
    const { stdout: json } = await cli([
      "orphans",
      await exportFile(deliveredOrder(order)),
      "--json",
    ]);
    expect(json).toBe("[]");
  });

  test("reads several states together, and both kinds of resource", async () => {
    const machine = await startMachine();
    const [a, b, c] = items.map((item) => machine.simulator.placeForeignOrder(item));
    if (!a || !b || !c) throw new Error("there are no orders");
    const first = await exportFile(deliveredOrder(a));
    const second = await exportFile(deliveredOrder(b, { type: "proxyrental:index:ProxyOrder" }));
    const other = await exportFile(
      deliveredOrder(c, { type: "pulumi-nodejs:dynamic/proxyrental:IpAutoExtend" }),
    );
    const rest = machine.simulator.orders().map(({ orderId }) => orderId);
    expect(await findIds(machine, first)).toEqual(rest.filter((id) => id !== a.orderId));
    expect(await findIds(machine, first, second)).toEqual(rest.slice(2));
    expect(await findIds(machine, first, second, other)).toEqual(rest.slice(2));
  });

  test("finds an order whose id a state has of another type", async () => {
    const machine = await startMachine();
    const order = machine.simulator.placeForeignOrder(usa);
    const other = await exportFile(deliveredOrder({ ...order, proxyType: "ISP" }));
    expect(await findIds(machine, other)).toEqual([order.orderId]);
    expect(await findIds(machine, await exportFile(deliveredOrder(order)))).toEqual([]);
  });

  test("reads a state from standard input beside files", async () => {
    const { simulator, cli } = await startMachine();
    const [a, b] = [simulator.placeForeignOrder(usa), simulator.placeForeignOrder(usa)];
    const input = exportText([deliveredOrder(a)]);
    expect((await cli(["orphans", "-"], { input })).exitCode).toBe(2);
    expect(
      (await cli(["orphans", "-", await exportFile(deliveredOrder(b))], { input })).exitCode,
    ).toBe(0);
  });

  test("a pending operation does not make an order known", async () => {
    const machine = await startMachine();
    const order = machine.simulator.placeForeignOrder(usa);
    const file = await writeState(exportText([], [deliveredOrder(order)]));
    expect(await findIds(machine, file)).toEqual([order.orderId]);
  });

  test("finds the only orphan on the last of many pages", async () => {
    const machine = await startMachine({ pageCap: 2 });
    const orders = Array.from({ length: 9 }, () => machine.simulator.placeForeignOrder(usa));
    const last = orders.at(-1);
    const file = await exportFile(...orders.slice(0, -1).map((order) => deliveredOrder(order)));
    expect(await findIds(machine, file)).toEqual([last?.orderId]);
    expect(machine.simulator.requestCounts().listProxies).toBeGreaterThan(13);
  });

  test("flags an order that renews, and says that it goes on costing money", async () => {
    const machine = await startMachine();
    const { simulator, cli } = machine;
    const [whole, part, none] = [1, 2, 3].map(() => simulator.placeForeignOrder(usa));
    const idsOf = (order: typeof whole) =>
      simulator
        .proxies()
        .filter(({ orderId }) => orderId === order?.orderId)
        .map(({ ipAddressId }) => ipAddressId);
    simulator.setAutoExtension(idsOf(whole), true, 60);
    simulator.setAutoExtension(idsOf(part).slice(1), true, 30);
    const file = await exportFile();
    const { stdout } = await cli(["orphans", file]);
    expect(stdout).toMatch(new RegExp(`^${whole?.orderId} .* YES, every 60 days +unknown$`, "m"));
    expect(stdout).toMatch(
      new RegExp(`^${part?.orderId} .* YES, 2 of 3, every 30 days +unknown$`, "m"),
    );
    expect(stdout).toMatch(new RegExp(`^${none?.orderId} .* no +unknown$`, "m"));
    expect(stdout).toContain(
      `Renewing: ${whole?.orderId}, ${part?.orderId}. That goes on costing money until`,
    );
    const { stdout: json } = await cli(["orphans", file, "--json"]);
    expect(JSON.parse(json)).toMatchObject([
      { renewing: 3, renewsEveryDays: [60] },
      { renewing: 2, renewsEveryDays: [30] },
      { renewing: 0, renewsEveryDays: [] },
    ]);
  });

  test("says for whom the journal says that an order is bought, or may be", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const { orderIds } = await machine.beginRun().buy("other", { country: "DEU" });
    const { stdout } = await machine.cli(["orphans", await exportFile()]);
    expect(stdout).toMatch(
      new RegExp(`^${orderIds[0]} .* bought for other \\([0-9a-f]{12}-2, returned\\)$`, "m"),
    );
    expect(stdout.match(/may be bought for fleet \([0-9a-f]{12}-1, unknown\)$/gm)).toHaveLength(2);

    const [intent] = await machine.list();
    const [chosen = "", rival = ""] = intent?.candidates ?? [];
    await machine.cli(["journal", "resolve", intent?.id ?? "", "--order", chosen]);
    const resolved = await machine.cli(["orphans", await exportFile()]);
    expect(resolved.stdout).toMatch(
      new RegExp(`^${chosen} .* bought for fleet \\(.*, placed\\)$`, "m"),
    );
    expect(resolved.stdout).toMatch(new RegExp(`^${rival} .* unknown$`, "m"));
  });

  test("leaves out orders that are declared somebody else's", async () => {
    const { simulator, cli } = await startMachine();
    const order = simulator.placeForeignOrder(usa);
    const env = { PROXYRENTAL_FOREIGN_ORDERS: order.orderId };
    expect(await cli(["orphans", await exportFile()], { env })).toMatchObject({ exitCode: 0 });
  });

  test("says of an order for which its state waits that it may be listed under another id", async () => {
    const { simulator, cli } = await startMachine({ orderNumberDiffersFromOrderId: true });
    const { proxyType, orderNumber } = simulator.placeForeignOrder(usa);
    const orderIds = [orderNumber];
    const waiting = exportedOrder({ proxyType, orderNumber, orderIds, status: "pendingDelivery" });
    const file = await exportFile(waiting);
    const { exitCode, stdout } = await cli(["orphans", file]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`fleet in ${file} still waits for order ${orderNumber}`);
  });

  test("reads secret outputs if they are shown, and otherwise says how to show them", async () => {
    const machine = await startMachine();
    const order = machine.simulator.placeForeignOrder(usa);
    const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const withOutputs = (wrap: (value: unknown) => object) => {
      const resource = deliveredOrder(order);
      const { orderNumber, orderIds } = resource.outputs;
      const outputs = {
        ...resource.outputs,
        orderNumber: { ...mark, ...wrap(orderNumber) },
        orderIds: { ...mark, ...wrap(orderIds) },
      };
      return exportFile({ ...resource, outputs });
    };
    const shown = await withOutputs((value) => ({ plaintext: JSON.stringify(value) }));
    expect(await machine.cli(["orphans", shown])).toMatchObject({ exitCode: 0 });
    const hidden = await withOutputs(() => ({ ciphertext: "v1:abc" }));
    const { exitCode, stdout, stderr } = await machine.cli(["orphans", hidden]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(
      "ProxyOrder::fleet is; where its outputs are encrypted, export it with --show-secrets",
    );
  });
});

describe("an invalid state is an error that says what is expected", () => {
  const EXPECTED = "what `pulumi stack export --file FILE` writes is expected";

  test.each([
    ["no JSON", "hush-hush, not JSON"],
    ["nothing", ""],
    ["something else", '{"steps":[{"hush-hush":1}]}'],
    ["a list", '["hush-hush"]'],
    ["resources of the wrong form", '{"version":3,"deployment":{"resources":["hush-hush"]}}'],
  ])("%s", async (_, content) => {
    const { cli, simulator } = await startMachine();
    const file = await writeState(content);
    const { exitCode, stdout, stderr } = await cli(["orphans", await exportFile(), file]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`error: ${file} is no exported state: ${EXPECTED}`);
    expect(stderr).not.toContain("hush-hush");
    expect(simulator.requestCounts().listProxies).toBe(0);
  });

  test("a missing file, an empty standard input, and no state at all", async () => {
    const { cli } = await startMachine();
    const missing = await cli(["orphans", "/nowhere/state.json"]);
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain("/nowhere/state.json can't be read (ENOENT)");
    const empty = await cli(["orphans", "-"], { input: "" });
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toContain("standard input is no exported state");
    const none = await cli(["orphans"]);
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain(`no state was given: ${EXPECTED}`);
  });
});
