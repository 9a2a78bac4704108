import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { proxyTypes } from "../../../provider/client/index.ts";
import type { PricedItem } from "../../../simulator/index.ts";
import { findLeaks, secretsOf } from "../../support/secrecy.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { type Machine, startMachine } from "../machine.ts";
import { deliveredOrder, exportedOrder, exportFile, exportText } from "../stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa: PricedItem = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 };
const deu: PricedItem = { proxyType: "IPv6", country: "DEU", quantity: 5, rentPeriodDays: 90 };
const items: PricedItem[] = [
  usa,
  deu,
  { proxyType: "MOBILE", country: "POL", quantity: 1, rentPeriodDays: 360 },
  { proxyType: "ISP", country: "GBR", quantity: 2, rentPeriodDays: 60 },
];

const calls = ({ simulator }: Machine) => simulator.requestCounts();

/** The numbers of the orders that a program adopts. */
function adoptedIn(text: string): string[] {
  return Array.from(text.matchAll(/adoptOrderNumber: "([^"]+)"/g), ([, id = ""]) => id);
}

describe("adopt", () => {
  test("writes a ProxyOrder for each order to standard output, and spends nothing", async () => {
    const machine = await startMachine();
    const { simulator, cli } = machine;
    const orders = items.map((item) => simulator.placeForeignOrder(item));
    const [first, , , last] = orders;
    simulator.setAutoExtension(first?.ipAddressIds ?? [], true, 60);
    const { exitCode, stdout, stderr } = await cli(["adopt"]);
    expect(exitCode).toBe(0);
    expect(adoptedIn(stdout)).toEqual(orders.map(({ orderId }) => orderId));
    expect(stdout.match(/new ProxyOrder\(/g)).toHaveLength(4);
    expect(stdout).toMatch(
      new RegExp(
        String.raw`new IpAutoExtend\("usa-${first?.orderId}-renewal", \{\n  proxyType: "IPv4",\n  ipAddressIds: usa_${first?.orderId}\.ipAddressIds,\n  rentPeriodDays: 60,\n`,
      ),
    );
    expect(stdout).toContain(`new ProxyOrder("gbr-${last?.orderId}", {`);
    expect(stdout.match(/rentPeriodDays: \d+/g)?.map((line) => line.split(" ")[1])).toEqual([
      ...["30", "60", "90", "360", "60"],
    ]);
    expect(stdout).toContain('mobileOperator: "orange"');
    expect(stderr).toBe(
      "The program takes over 4 of the 4 orders that were looked at. Run `pulumi preview` with it: it shows no purchase. An order that a stack has already is left out with --state.",
    );
    expect(simulator.requestCounts()).toMatchObject({
      ...{ createOrder: 0, extend: 0, setAutoExtension: 0, calculateOrder: 0 },
      ...{ listRentPeriods: 4, listMobileOperators: 1 },
    });
    expect({ ...spendingOf(simulator), charges: [] }).toEqual(nothingSpent);
  });

  test("an account without orders: says so, writes nothing, ends with 0", async () => {
    const { cli } = await startMachine();
    const out = join(await makeTemporaryFolder(), "index.ts");
    for (const [flags, words] of [
      [[], "The account holds no orders, so nothing was written."],
      [["--out", out], "The account holds no orders, so nothing was written."],
      [["--type", "isp"], "The account holds no ISP orders, so nothing was written."],
    ] as const) {
      expect(await cli(["adopt", ...flags])).toEqual({ exitCode: 0, stdout: "", stderr: words });
    }
    await expect(readFile(out)).rejects.toThrow("ENOENT");
  });

  test("leaves out ended orders, orders of a state and orders of others, and says so if none is left", async () => {
    const machine = await startMachine();
    const { simulator, cli } = machine;
    const [a, b, c, d] = items.map((item) => simulator.placeForeignOrder(item));
    if (!a || !b || !c || !d) throw new Error("there are four orders");
    simulator.expireProxies([...a.ipAddressIds, ...b.ipAddressIds.slice(3)]);
    const state = await exportFile(deliveredOrder(c));
    const env = { PROXYRENTAL_FOREIGN_ORDERS: d.orderId };
    const { stdout, stderr } = await cli(["adopt", "--state", state], { env });
    expect(adoptedIn(stdout)).toEqual([b.orderId]);
    expect(stdout).toContain("quantity: 3,");
    expect(stderr).not.toContain("--state");
    const rest = await exportFile(deliveredOrder(b));
    const none = await cli(["adopt", "--state", state, rest], { env });
    expect(none).toMatchObject({ exitCode: 0, stdout: "" });
    expect(none.stderr).toContain("None of the account's orders is left to adopt (3 looked at)");
    const input = exportText([deliveredOrder(b)]);
    expect(adoptedIn((await cli(["adopt", "--state", "-"], { input })).stdout)).toEqual([
      ...[c.orderId, d.orderId],
    ]);
  });

  test.each([
    [
      ["--type", "isp,MOBILE", "IPv4", "ISP"],
      [0, 2, 3],
    ],
    [
      ["--country", "usa,DEU", "GBR"],
      [0, 1, 3],
    ],
    [["--country", "DEU", "--type", "IPv4"], []],
  ])("%j", async (flags, expected) => {
    const machine = await startMachine();
    const orders = items.map((item) => machine.simulator.placeForeignOrder(item));
    const { stdout, exitCode } = await machine.cli(["adopt", ...flags]);
    expect(exitCode).toBe(0);
    expect(adoptedIn(stdout)).toEqual(expected.map((index) => orders[index]?.orderId));
  });

  test("takes the named orders, and says why it can't take the others", async () => {
    const { simulator, cli } = await startMachine();
    const [a, b, c] = items.map((item) => simulator.placeForeignOrder(item));
    const named = await cli(["adopt", "--order", `${c?.orderId},${a?.orderId}`]);
    expect(adoptedIn(named.stdout)).toEqual([a?.orderId, c?.orderId]);
    const state = await exportFile(...(b ? [deliveredOrder(b)] : []));
    const order = ["--order", "17", `${b?.orderId}`, `${a?.orderId}`];
    const out = join(await makeTemporaryFolder(), "index.ts");
    const wrong = await cli(["adopt", "--state", state, "--out", out, ...order]);
    expect([wrong.exitCode, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toBe(
      `error: order 17 is not among the account's ${proxyTypes.join(", ")} proxies; order ${b?.orderId} is in a given state, or declared somebody else's. Nothing was written`,
    );
    await expect(readFile(out)).rejects.toThrow("ENOENT");
  });

  test("adopts by the listing's id if it differs from the order's number", async () => {
    const { simulator, cli } = await startMachine({ orderNumberDiffersFromOrderId: true });
    const { proxyType, orderId, orderNumber } = simulator.placeForeignOrder(usa);
    expect(adoptedIn((await cli(["adopt"])).stdout)).toEqual([orderId]);
    const orderIds = [orderNumber];
    const waiting = exportedOrder({ proxyType, orderNumber, orderIds, status: "pendingDelivery" });
    const state = await exportFile(waiting);
    const { stdout, stderr } = await cli(["adopt", "--state", state]);
    expect(adoptedIn(stdout)).toEqual([orderId]);
    expect(stderr).toContain(`fleet in ${state} still waits for order ${orderNumber}`);
  });

  test("says for whom the journal's orders were bought", async () => {
    const machine = await startMachine();
    const { orderIds } = await machine.beginRun().buy("other", { country: "DEU" });
    const { stdout } = await machine.cli(["adopt"]);
    expect(adoptedIn(stdout)).toEqual(orderIds);
    expect(stdout).toMatch(
      /\/\/ The journal of this machine: bought for other \([0-9a-f]{12}-1, returned\)\.\n/,
    );
  });

  test("takes goal, period and the rest from the journal where it has the purchase, and marks no guess", async () => {
    const machine = await startMachine();
    const { simulator, cli } = machine;
    const run = machine.beginRun();
    await run.buy("six", {
      proxyType: "IPv6",
      rentPeriodDays: 90,
      protocol: "SOCKS",
      goal: 'a "goal"',
    });
    await run.buy("by-ip", { authType: "IP", authIp: "192.0.2.7", rentPeriodDays: 60 });
    simulator.placeForeignOrder(usa);
    const { stdout } = await cli(["adopt"]);
    const [, six = "", byIp = "", foreign = ""] = stdout
      .split("new ProxyOrder(")
      .toSorted((a, b) => order(a) - order(b));
    const recorded = " // as it was bought, by the journal\n";
    expect(six).toContain(`rentPeriodDays: 90,${recorded}`);
    expect(six).toContain(`goal: "a \\"goal\\"",${recorded}`);
    expect(six).toContain(`protocol: "SOCKS",${recorded}`);
    expect(byIp).toContain(`rentPeriodDays: 60,${recorded}`);
    expect(byIp).toContain(`goal: "price comparison",${recorded}`);
    expect(byIp).toContain(`authType: "IP",${recorded}  authIp: "192.0.2.7",\n`);
    for (const text of [six, byIp]) expect(text).not.toContain("guessed");
    expect(foreign).toContain('goal: "placeholder: say what the proxies are for", // not shown');
    expect(foreign).toContain("rentPeriodDays: 30, // guessed");

    /** The head first, then the orders as they were bought. */
    function order(text: string): number {
      if (text.includes("import {")) return 0;
      if (text.includes('"IPv6"')) return 1;
      return text.includes("192.0.2.7") ? 2 : 3;
    }
  });

  test("reads an account of many pages, and orders that arrived only in part", async () => {
    const deliveryBatch = { size: 2, everyMs: 3_600_000 };
    const { simulator, cli } = await startMachine({ pageCap: 2, deliveryBatch });
    const orders = Array.from({ length: 5 }, () => simulator.placeForeignOrder(usa));
    const { stdout } = await cli(["adopt"]);
    expect(adoptedIn(stdout)).toEqual(orders.map(({ orderId }) => orderId));
    expect(stdout.match(/quantity: 2,/g)).toHaveLength(5);
  });
});

describe("--out", () => {
  test("writes a new file that holds no secret, and says what to do with it", async () => {
    const { simulator, cli } = await startMachine();
    simulator.placeForeignOrder(usa);
    simulator.placeForeignOrder(deu);
    const cwd = await makeTemporaryFolder();
    const { exitCode, stdout, stderr } = await cli(["adopt", "--out", "index.ts"], { cwd });
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("index.ts takes over 2 of the 2 orders that were looked at.");
    const text = await readFile(join(cwd, "index.ts"), "utf8");
    expect(text.replace(/^.*\n/, "")).toBe(
      `${(await cli(["adopt"])).stdout.replace(/^.*\n/, "")}\n`,
    );
    expect(findLeaks(secretsOf(simulator), [["index.ts", text]])).toEqual([]);
  });

  test("never overwrites a file", async () => {
    const { simulator, cli } = await startMachine();
    simulator.placeForeignOrder(usa);
    const folder = await makeTemporaryFolder();
    const out = join(folder, "index.ts");
    await writeFile(out, "work of weeks");
    const { exitCode, stdout, stderr } = await cli(["adopt", "--out", out]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `error: ${out} is there already and was left as it is; give --out a new file`,
    );
    expect(await readFile(out, "utf8")).toBe("work of weeks");
    const nowhere = await cli(["adopt", "--out", join(folder, "a", "index.ts")]);
    expect(nowhere.exitCode).toBe(1);
    expect(nowhere.stderr).toContain(
      "a/index.ts can't be written (ENOENT); give --out another file",
    );
    expect(await readdir(folder)).toEqual(["index.ts"]);
  });
});

test.each([
  [["--type", "IPv5"], `argument 'IPv5' is invalid. Give one or more of ${proxyTypes.join(", ")}.`],
  [["--country", "U.S."], "argument 'U.S.' is invalid. Give alpha-3 codes"],
  [["--order", ""], "argument '' is invalid. It is empty."],
  [["--state", "/nowhere/state.json"], "/nowhere/state.json can't be read (ENOENT)"],
])("%j is refused in one line before anything is asked", async (flags, message) => {
  const machine = await startMachine();
  machine.simulator.placeForeignOrder(usa);
  const { exitCode, stdout, stderr } = await machine.cli(["adopt", ...flags]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
  expect(stderr.split("\n")).toHaveLength(1);
  expect(calls(machine).listProxies).toBe(0);
});

test("writes no half program if the service fails in between", async () => {
  const machine = await startMachine();
  machine.simulator.placeForeignOrder(usa);
  const fault = { kind: "refuse", code: 4 } as const;
  machine.simulator.addFault({ endpoint: "listRentPeriods", phase: "before", fault });
  const out = join(await makeTemporaryFolder(), "index.ts");
  const { exitCode, stdout, stderr } = await machine.cli(["adopt", "--out", out]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("Incorrect proxy type");
  await expect(readFile(out)).rejects.toThrow("ENOENT");
});
