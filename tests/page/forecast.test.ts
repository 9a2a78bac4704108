import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Machine, startMachine } from "../cli/machine.ts";
import { exportedOrder, exportFile } from "../cli/stack-export.ts";
import { findLeaks, secretsOf } from "../support/secrecy.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { findFaultsOfAccess } from "./axe.ts";
import { type OpenedPage, openUrl, patience } from "./open-page.ts";

/** An account that has bought, renews, ends in part, and is short of money in 60 days. */
async function startShort(name = "fleet"): Promise<{ machine: Machine; url: string }> {
  const machine = await startMachine({ balance: 200 });
  const { simulator, beginRun, cli } = machine;
  const bought = await beginRun().buy(name);
  simulator.placeForeignOrder({
    ...{ proxyType: "ISP", country: "USA", quantity: 3, rentPeriodDays: 60 },
  });
  const [first, second] = simulator.orders().map(({ ipAddressIds }) => ipAddressIds);
  simulator.setAutoExtension(first ?? [], true, 30);
  simulator.setAutoExtension(second?.slice(0, 2) ?? [], true, 60);
  simulator.setBalance(15);
  const file = join(await makeTemporaryFolder(), "forecast.html");
  const state = await exportFile(exportedOrder(bought, { name }));
  expect((await cli(["forecast", "--days", "91", "--html", file, "--state", state])).exitCode).toBe(
    0,
  );
  onTestFinished(async () => {
    const page = await readFile(file, "utf8");
    expect(findLeaks(secretsOf(simulator), [["page", page]])).toEqual([]);
  });
  return { machine, url: pathToFileURL(file).href };
}

/** The texts of the rows below a heading. */
function readRows(page: OpenedPage, heading: string): Promise<string[]> {
  return page.locator(`section:has(h2:text-is("${heading}")) tbody tr`).allInnerTexts();
}

test(
  "the page of a forecast shows days, orders and months, and asks nobody for anything",
  patience,
  async () => {
    const { machine, url } = await startShort();
    const page = await openUrl(url);
    const [bought, foreign] = machine.simulator.orders();
    const days = await readRows(page, "Day by day");
    expect(days.map((row) => row.split("\t").slice(1))).toEqual([
      [
        "renews",
        "5 IPv4 proxies in USA, 30 days",
        bought?.orderId,
        "fleet",
        "7.00 USD",
        "8.00 USD",
      ],
      [
        "renews",
        "5 IPv4 proxies in USA, 30 days",
        bought?.orderId,
        "fleet",
        "7.00 USD",
        "1.00 USD",
      ],
      [
        "NOT COVERED, ends",
        "2 ISP proxies in USA, 60 days",
        foreign?.orderId,
        "no stack",
        "8.97 USD",
        "1.00 USD",
      ],
      ["ends", "1 ISP proxy in USA", foreign?.orderId, "no stack", "", "1.00 USD"],
      [
        "NOT COVERED, ends",
        "5 IPv4 proxies in USA, 30 days",
        bought?.orderId,
        "fleet",
        "7.00 USD",
        "1.00 USD",
      ],
    ]);
    const orders = await readRows(page, "The orders");
    expect(orders.map((row) => row.split("\t").slice(0, 2))).toEqual([
      [`${bought?.orderId} (fleet)`, "5 IPv4 proxies in USA"],
      [`${foreign?.orderId} (no stack)`, "3 ISP proxies in USA"],
    ]);
    const [month = ""] = await readRows(page, "The last months");
    const thisMonth = machine.simulator.now().toISOString().slice(0, "2026-03".length);
    expect(month.split("\t").slice(0, 4)).toEqual([thisMonth, "fleet/dev", "1", "7.00 USD"]);
    expect(page.conduct).toEqual({ asked: [url], complaints: [] });
  },
);

test(
  "the bar of an order reaches as far as the order is renewed, and is strong as far as it is paid",
  patience,
  async () => {
    const { url } = await startShort();
    const page = await openUrl(url);
    const widths = await page.evaluate(`
      [...document.querySelectorAll("table.narrow tr:first-child .bar rect")]
        .map((bar) => Math.round(bar.getBoundingClientRect().width * 91
          / bar.parentElement.getBoundingClientRect().width))`);
    // In days: it renews after 30 and 60, and ends after 90.
    expect(widths).toEqual([90, 30]);
  },
);

test.each(["light", "dark"] as const)(
  "%s: the page passes the checks of axe, and fits a window of 360 px",
  patience,
  async (colorScheme) => {
    const { url } = await startShort();
    const page = await openUrl(url, { colorScheme });
    expect(await findFaultsOfAccess(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(await findFaultsOfAccess(page)).toEqual([]);
  },
);

test("with the keyboard alone, each mark of the figure leads to its day", patience, async () => {
  const { url } = await startShort();
  const page = await openUrl(url);
  const days: string[] = [];
  for (let mark = 0; mark < 3; mark++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate("document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("Enter");
    expect(await page.locator("tr:target").innerText()).toContain(String(label).slice(0, 10));
    days.push(String(label));
    await page.locator("svg.balance a").nth(mark).focus();
  }
  expect(days[1]).toMatch(
    /^\d{4}-\d\d-\d\d: 5 IPv4 proxies in USA renews, 2 ISP proxies in USA NOT COVERED, ends, 1 ISP proxy in USA ends, balance 1\.00 USD$/,
  );
  expect(page.conduct.complaints).toEqual([]);
});

test("a name of the program stays text", patience, async () => {
  const hostile = `<img src="http://example.com/x" onerror="document.body.id = 'taken'">`;
  const { url } = await startShort(hostile);
  const page = await openUrl(url);
  expect(await page.locator("main").innerText()).toContain("<img src=");
  expect(await page.locator("img, #taken").count()).toBe(0);
  expect(page.conduct).toEqual({ asked: [url], complaints: [] });
});

test("a journal that can't be read leaves only the months empty", patience, async () => {
  const { simulator, cli } = await startMachine();
  simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 },
  });
  const folder = await makeTemporaryFolder();
  const file = join(folder, "forecast.html");
  const notAFolder = join(folder, "forecast.html");
  const flags = ["--html", file, "--journal-dir", notAFolder];
  await cli(["forecast", "--html", file]);
  expect((await cli(["forecast", ...flags])).exitCode).toBe(0);
  const page = await openUrl(pathToFileURL(file).href);
  expect(await page.locator("main").innerText()).toContain("The journal can't be read:");
  expect(await readRows(page, "Day by day")).toHaveLength(1);
});
