import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ICAL from "ical.js";
import { describe, expect, test, vi } from "vitest";
import type { Forecast } from "../../../cli/forecast/account-forecast.ts";
import type { SimulatedOrder } from "../../../simulator/index.ts";
import { readPage } from "../../support/docs.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { type Machine, startMachine } from "../machine.ts";
import { exportedOrder, exportFile } from "../stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const BEGIN = new Date("2026-03-01T12:00:00Z");
const usa = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;

/** An account with an order that renews for 7.00 USD each 30 days, and one of which two proxies of three renew. */
async function startTwo(begin = BEGIN): Promise<Machine> {
  const machine = await startMachine({ now: () => begin });
  const { simulator } = machine;
  const first = simulator.placeForeignOrder(usa);
  const second = simulator.placeForeignOrder({
    ...{ proxyType: "ISP", country: "USA", quantity: 3, rentPeriodDays: 60 },
  });
  simulator.setAutoExtension(first.ipAddressIds, true, 30);
  simulator.setAutoExtension(second.ipAddressIds.slice(0, 2), true, 60);
  simulator.setBalance(100);
  return machine;
}

/** A state whose order was not listed yet. */
function stateOf(order: SimulatedOrder | undefined) {
  const { proxyType = "IPv4", orderNumber = "" } = order ?? {};
  return { proxyType, orderNumber, orderIds: [], status: "active" as const };
}

async function readForecast({ cli }: Machine, ...flags: string[]): Promise<Forecast> {
  return JSON.parse((await cli(["forecast", "--json", ...flags])).stdout);
}

describe("forecast", () => {
  test("tells each day what renews and what ends, what that costs and what is left, and spends nothing", async () => {
    const { cli, simulator } = await startTwo();
    const before = simulator.ledger();
    const { exitCode, stdout, stderr } = await cli(["forecast"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const [first, second] = simulator.orders().map(({ orderId }) => orderId);
    expect(stdout).toBe(
      `
In 90 days, until 2026-05-30: 4 renewals for 29.97 USD, proxies of 1 order end. Balance: 100.00 USD now, 70.03 USD then.

DAY         WHAT    PROXIES                         ORDER    COST      BALANCE
2026-03-31  renews  5 IPv4 proxies in USA, 30 days  ${first}  7.00 USD  93.00 USD
2026-04-30  renews  5 IPv4 proxies in USA, 30 days  ${first}  7.00 USD  86.00 USD
2026-04-30  renews  2 ISP proxies in USA, 60 days   ${second}  8.97 USD  77.03 USD
2026-04-30  ends    1 ISP proxy in USA              ${second}            77.03 USD
2026-05-30  renews  5 IPv4 proxies in USA, 30 days  ${first}  7.00 USD  70.03 USD
`.trim(),
    );
    expect(simulator.ledger()).toEqual(before);
    expect({ ...spendingOf(simulator), charges: [] }).toEqual(nothingSpent);
  });

  test("prints what the page about it shows", async () => {
    const { cli, simulator } = await startTwo(new Date("2026-11-23T12:00:00Z"));
    simulator.setBalance(40);
    const [order] = simulator.orders();
    const file = await exportFile(exportedOrder(stateOf(order)));
    const { stdout } = await cli(["forecast", "--state", file]);
    const [shown = ""] = readPage("docs/every-morning.md")
      .blocks("console")
      .filter((block) => block.includes("forecast"));
    expect(stdout).toBe(shown.trimEnd().split("\n").slice(1).join("\n"));
  });

  test("an account without proxies: nothing renews or ends", async () => {
    const { cli } = await startMachine({ now: () => BEGIN });
    expect((await cli(["forecast", "--days", "1"])).stdout).toBe(
      "In 1 day, until 2026-03-02: nothing renews or ends. Balance: 1000.00 USD now, 1000.00 USD then.",
    );
  });

  test("what has ended is no part of it", async () => {
    const machine = await startMachine({ now: () => BEGIN });
    const { ipAddressIds } = machine.simulator.placeForeignOrder(usa);
    machine.simulator.expireProxies(ipAddressIds);
    expect(await readForecast(machine)).toMatchObject({ events: [], orders: [], endless: [] });
  });

  test("the markdown has the same table, and a name in it stays a name", async () => {
    const machine = await startTwo();
    const [order] = machine.simulator.orders();
    const file = await exportFile(exportedOrder(stateOf(order), { name: "a|`b`@team" }));
    const { stdout } = await machine.cli([
      "forecast",
      "--markdown",
      "--state",
      file,
      "--days",
      "31",
    ]);
    expect(stdout.split("\n").slice(2)).toEqual([
      "| day | what | proxies | order | resource | cost | balance |",
      "| --- | --- | --- | --- | --- | ---: | ---: |",
      `| 2026-03-31 | renews | 5 IPv4 proxies in USA, 30 days | ${order?.orderId} | \`a\\|'b'@team\` | 7.00 USD | 93.00 USD |`,
    ]);
  });

  test("a given state names the resources; the rest is in no stack", async () => {
    const machine = await startTwo();
    const [, order] = machine.simulator.orders();
    const forecast = await readForecast(
      machine,
      "--state",
      await exportFile(exportedOrder(stateOf(order))),
    );
    const named = forecast.orders.map(({ orderId, resource }) => [orderId, resource]);
    const [first, second] = machine.simulator.orders().map(({ orderId }) => orderId);
    expect(named).toEqual([
      [first, "no stack"],
      [second, "fleet"],
    ]);
    expect((await readForecast(machine)).orders[0]).not.toHaveProperty("resource");
  });

  test("orders of two stacks are named with their stack", async () => {
    const machine = await startTwo();
    const files = await Promise.all(
      machine.simulator.orders().map((order, index) => {
        const exported = exportedOrder(stateOf(order));
        const urn = exported.urn.replace("dev", `stack-${index}`);
        return exportFile({ ...exported, urn });
      }),
    );
    const forecast = await readForecast(machine, "--state", ...files);
    expect(forecast.orders.map(({ resource }) => resource)).toEqual([
      "stack-0/fleet",
      "stack-1/fleet",
    ]);
  });

  test("proxies whose end is not told are named, and foreseen as nothing", async () => {
    const machine = await startMachine({ now: () => BEGIN, dateEndDelayMs: 60_000 });
    const { orderId } = machine.simulator.placeForeignOrder(usa);
    expect((await readForecast(machine)).endless).toEqual([
      { proxyType: "IPv4", orderId, count: 5 },
    ]);
    expect((await machine.cli(["forecast"])).stdout).toContain(
      `The service does not tell yet when 5 proxies of order ${orderId} end: not in the table.`,
    );
  });
});

describe("--fail-if-short", () => {
  test("ends with 2 where a renewal of the next days is not covered, and says how much is missing", async () => {
    const machine = await startTwo();
    const { cli, simulator } = machine;
    simulator.setBalance(15);
    const [, second] = simulator.orders();
    const { exitCode, stdout, stderr } = await cli(["forecast", "--fail-if-short", "61"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `Within --fail-if-short 61: order ${second?.orderId} renews on 2026-04-30 for 8.97 USD, which the balance does not cover.`,
    );
    expect(stdout).toContain(
      `The balance runs dry on 2026-04-30: order ${second?.orderId} renews for 8.97 USD, and 1.00 USD is left. All renewals until 2026-05-30 are paid if at least 14.97 USD more is paid in.`,
    );
  });

  test("ends with 0 where the balance lasts for so many days, even if not for all that are told", async () => {
    const { cli, simulator } = await startTwo();
    simulator.setBalance(15);
    const { exitCode, stderr } = await cli(["forecast", "--fail-if-short", "59"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  test("looks as far as it must", async () => {
    const { cli, simulator } = await startTwo();
    simulator.setBalance(15);
    const flags = ["--days", "10", "--fail-if-short", "61"];
    expect((await cli(["forecast", ...flags])).exitCode).toBe(2);
  });

  test("a renewal that the service does not price counts as not covered, and says why", async () => {
    const { cli, simulator } = await startMachine({ now: () => BEGIN });
    const { orderId, ipAddressIds } = simulator.placeForeignOrder({
      ...{ proxyType: "MOBILE", country: "DEU", quantity: 1, rentPeriodDays: 30 },
    });
    // MOBILE can't be extended by 60 days (source: "Rent period").
    simulator.setAutoExtension(ipAddressIds, true, 60);
    const { exitCode, stdout, stderr } = await cli(["forecast", "--fail-if-short", "40"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `order ${orderId} renews on 2026-03-31, and nobody knows for how much.`,
    );
    expect(stdout).toContain("renews, price unknown");
    expect(stdout).toContain(
      `The figures are without renewals whose price is not told: order ${orderId}: `,
    );
  });
});

describe("--ics", () => {
  test("writes an all-day entry for each thing that happens on a day, which a calendar reads", async () => {
    const { cli, simulator } = await startTwo();
    const file = join(await makeTemporaryFolder(), "proxies.ics");
    await cli(["forecast", "--ics", file]);
    const read = async () => {
      const root = new ICAL.Component(ICAL.parse(await readFile(file, "utf8")));
      return root.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
    };
    const events = await read();
    expect(events.map(({ startDate, summary }) => [String(startDate), summary])).toEqual([
      ["2026-03-31", "Renews: 5 IPv4 proxies in USA, 7.00 USD"],
      ["2026-04-30", "Renews: 5 IPv4 proxies in USA, 7.00 USD"],
      ["2026-04-30", "Renews: 2 ISP proxies in USA, 8.97 USD"],
      ["2026-04-30", "Ends: 1 ISP proxy in USA"],
      ["2026-05-30", "Renews: 5 IPv4 proxies in USA, 7.00 USD"],
    ]);
    expect(events.every(({ startDate }) => startDate.isDate)).toBe(true);
    const uids = events.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(5);
    // A later forecast replaces the entries, also where a renewal is not covered any more.
    simulator.setBalance(15);
    await cli(["forecast", "--ics", file]);
    expect((await read()).map(({ uid }) => uid)).toEqual(uids);
  });
});

describe("bad input", () => {
  const days = "Give a whole number from 1 to 3650.";

  test.each([
    [["--days", "0"], days],
    [["--days", "soon"], days],
    [["--days", "3651"], days],
    [["--fail-if-short", "-1"], days],
    [["--fail-if-short", ""], days],
    [["--json", "--markdown"], "option '--json' cannot be used with option '--markdown'"],
    [["--state", "/nowhere/state.json"], "/nowhere/state.json can't be read (ENOENT)"],
    [
      ["--ics", "/nowhere/a.ics"],
      "/nowhere/a.ics can't be written (ENOENT): name a file in a folder that is there",
    ],
    [["--ics", ""], "Give the name of a file."],
    [["--html", "/"], "/ can't be written (E"],
  ])("%j is refused in one sentence", async (flags, sentence) => {
    const { cli } = await startMachine({ now: () => BEGIN });
    const { exitCode, stderr } = await cli(["forecast", ...flags]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("a key that the service refuses is said in one sentence", async () => {
    const { cli } = await startMachine();
    const env = { PROXYRENTAL_API_KEY: "another-key-of-nobody" };
    const { exitCode, stderr } = await cli(["forecast"], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("set PROXYRENTAL_API_KEY to the key of your account");
  });
});
