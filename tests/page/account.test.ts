import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { chooseAxis } from "../../simulator/page/balance-axis.js";
import { listIds, orders, post, StillClock } from "../simulator/caller.ts";
import { startForTest } from "../simulator/start.ts";
import { expectCount, expectText, openPage, patience } from "./open-page.ts";

const foreignOrder = {
  proxyType: "IPv4",
  country: "DEU",
  quantity: 2,
  rentPeriodDays: 30,
} as const;

function start(options: SimulatorOptions = {}): Promise<Simulator> {
  return startForTest({ control: true, now: new StillClock().now, balance: "100.00", ...options });
}

test(
  "a new order appears by itself: in the orders, the ledger and the balance",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await expectText(page, "#no-orders", "No orders yet");
    await expectText(page, "#balance", "100.00");
    const { orderNumber } = await post(simulator, "order", orders.IPv4);
    await expectText(
      page,
      "#orders tbody",
      new RegExp(`${orderNumber}\\s+5 IPv4 in USA\\s+5\\s+0\\s+0\\s+30.0\\s+off`),
    );
    await expectText(
      page,
      "#ledger-rows tr",
      /order \d+ 5 IPv4 in USA for 30 days\s+−7.00\s+93.00/,
    );
    await expectText(page, "#balance", "93.00");
    await expectText(page, "#verdict", "Invariants hold");
  },
);

test(
  "buttons and a number of days move the clock: days left fall, turn red under three, and then IPs have ended",
  patience,
  async () => {
    const simulator = await start();
    await post(simulator, "order", orders.IPv4);
    const page = await openPage(simulator);
    await expectText(page, "#time", "2026-03-01 12:00:00");
    await page.click("#add-hour");
    await expectText(page, "#time", "2026-03-01 13:00:00");
    await page.click("#add-day");
    await expectText(page, "#orders tbody", /28\.9\s/);
    expect(await page.locator("#orders .soon").count()).toBe(0);
    await page.fill("#days", "26.5");
    await page.click("#advance button");
    await expectText(page, "#orders .soon", "2.4");
    await page.click("#add-month");
    await expectText(page, "#orders tbody", /0\s+0\s+5\s+ended/);
    expect(simulator.now().toISOString()).toBe("2026-04-28T01:00:00.000Z");
  },
);

test("the chart's line falls at a charge, and hovering shows the charge", patience, async () => {
  const simulator = await start();
  const page = await openPage(simulator);
  await expectText(page, "#balance", "100.00");
  const plain = await countColors(page);
  await post(simulator, "order", orders.IPv4);
  await post(simulator, "extend/auto", {
    proxyType: "IPv4",
    ipAddressIds: await listIds(simulator, "IPv4"),
    rentPeriodDays: 30,
    autoExtend: true,
  });
  simulator.advance({ days: 60 });
  simulator.setBalance("300.00");
  simulator.placeForeignOrder(foreignOrder);
  await expectText(page, "#ledger-count", "5 movements");
  const over = page.locator("#balance-chart .u-over");
  const { width = 0 } = (await over.boundingBox()) ?? {};
  await over.hover({ position: { x: 1, y: 20 } });
  await expectText(page, "#balance-tip", /^\d{4}-\d\d-\d\d \d\d:\d\d\s*100\.00$/);
  // The line begins before the first charge: the margin is four hundredths of its time.
  await over.hover({ position: { x: (width * 0.04) / 1.04, y: 20 } });
  await expectText(
    page,
    "#balance-tip",
    /2026-03-01 12:00\s*93\.00\s*order \d+\s*−7\.00\s*5 IPv4 in USA for 30 days$/,
  );
  await over.hover({ position: { x: (width * 0.54) / 1.04, y: 20 } });
  await expectText(page, "#balance-tip", /automatic extension \d+\s*−7\.00/);
  await over.hover({ position: { x: width - 2, y: 20 } });
  await expectText(
    page,
    "#balance-tip",
    /payment\s*221\.00\s*12:00:00\s*somebody else's order \d+\s*−2\.94\s*12:00:00 · 2 IPv4/,
  );
  expect(await countColors(page)).toBeGreaterThan(plain);
  expect(await page.locator("#balance-chart").getAttribute("aria-label")).toMatch(
    /from 100.00 to 297.06 USD/,
  );
});

test("the axis of the balance begins at 0, or the page says where", patience, async () => {
  const simulator = await start({ balance: "1000.00" });
  const page = await openPage(simulator);
  await expectText(page, "#balance", "1,000.00");
  await expectText(page, "#axis-note", /^$/);
  await post(simulator, "order", orders.IPv4);
  await expectText(page, "#axis-note", "Axis begins at 991, not 0");
  simulator.setBalance("100.00");
  await expectText(page, "#axis-note", /^$/);
});

test(
  "movements that lie on each other are a number, and a click tells them apart",
  patience,
  async () => {
    let at = Date.parse("2026-03-01T12:00:00Z");
    const simulator = await start({ now: () => new Date(at) });
    for (let order = 0; order < 3; order += 1) {
      await post(simulator, "order", orders.IPv4);
      at += 60_000;
    }
    simulator.advance({ days: 90 });
    simulator.setBalance("2000.00");
    const page = await openPage(simulator);
    await expectText(page, "#ledger-count", "4 movements");
    expect((await page.locator("#ledger-rows .time").allInnerTexts()).slice(1)).toEqual([
      ...["2026-03-01 12:02:00", "2026-03-01 12:01:00", "2026-03-01 12:00:00"],
    ]);
    const over = page.locator("#balance-chart .u-over");
    const { width = 0, height = 0 } = (await over.boundingBox()) ?? {};
    const x = (width * 0.04) / 1.04;
    await over.hover({ position: { x, y: 20 } });
    await expectText(
      page,
      "#balance-tip",
      /12:00:00 · 5 IPv4[\s\S]*12:01:00 · 5 IPv4[\s\S]*12:02:00 · 5/,
    );
    // All three are at the same few pixels of an axis that begins at 0.
    const [from, to] = chooseAxis(79, 2000);
    const y = height * (1 - (79 - from) / (to - from));
    await over.click({ position: { x, y } });
    await page.locator("#whole-time").waitFor();
    await over.hover({ position: { x: width / 2, y: 20 } });
    await expectText(page, "#balance-tip", /^2026-03-01 12:01\s*86\.00\s*order \d+\s*−7\.00/);
  },
);

test("lists use the height of the window, and the page does not scroll", patience, async () => {
  const simulator = await start();
  for (let payment = 1; payment <= 40; payment += 1) simulator.setBalance(payment);
  const page = await openPage(simulator, { viewport: { width: 1280, height: 1300 } });
  await expectCount(page, "#ledger-rows tr", 40);
  const [ledger, lists] = await Promise.all([
    page.locator("#ledger").locator("..").boundingBox(),
    page.evaluate(
      "[...document.querySelectorAll('.column > .list:last-of-type')].map((one) => innerHeight - one.getBoundingClientRect().bottom)",
    ),
  ]);
  expect(ledger?.height).toBeGreaterThan(300);
  expect(lists).toEqual([16, 16]);
  expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(1300);
});

test(
  "an empty account says what to type, and the lines can be copied; a chosen key is not told",
  patience,
  async () => {
    const simulator = await start({ balance: "0.00" });
    const page = await openPage(simulator);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const lines = [
      `export PROXYRENTAL_BASE_URL=${simulator.baseUrl}`,
      `export PROXYRENTAL_API_KEY=${simulator.apiKey}`,
      `export PROXYRENTAL_JOURNAL_DIR=${simulator.journalDir}`,
    ].join("\n");
    await expectText(page, "#exports", lines);
    await expectText(page, "#no-money", "Set a balance first");
    await page.click("#copy-exports");
    await expectText(page, "#copied", "Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(lines);
    simulator.setBalance("50.00");
    await expectCount(page, "#no-money", 0);
    simulator.reset();
    await expectText(page, "#exports", simulator.journalDir);
    simulator.openAccount({ name: "own", apiKey: "a-key-that-somebody-chose", balance: "9.00" });
    await page.selectOption("#account", "own");
    await expectText(page, "#exports", "PROXYRENTAL_API_KEY='the key that you have chosen'");
    expect(await page.content()).not.toContain("a-key-that-somebody-chose");
  },
);

test(
  "a new account is made on the page and shown; a taken name is refused there",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await page.click("#new-account");
    await page.fill("#account-name", "main");
    await page.click("text=Open account");
    await expectText(page, "#account-refused", 'name "main" is taken');
    await page.fill("#account-name", "staging");
    await page.fill("#account-balance", "12.5");
    await page.keyboard.press("Enter");
    await expectText(page, "#balance", "12.50");
    expect(await page.locator("#account").inputValue()).toBe("staging");
    await expectText(page, "#exports", "PROXYRENTAL_API_KEY=");
    const key = /PROXYRENTAL_API_KEY=(\S+)/.exec(await page.locator("#exports").innerText())?.[1];
    const url = `${simulator.baseUrl}/client/api/v1/${key}/balance`;
    expect(await (await fetch(url)).json()).toMatchObject({ success: true, balance: 12.5 });
  },
);

test(
  "a selected part of the chart stays while time goes on, until the whole is selected",
  patience,
  async () => {
    const simulator = await start();
    await post(simulator, "order", orders.IPv4);
    simulator.advance({ days: 100 });
    const page = await openPage(simulator);
    await expectText(page, "#ledger-count", "1 movement");
    const {
      x = 0,
      y = 0,
      width = 0,
    } = (await page.locator("#balance-chart .u-over").boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + 50);
    await page.mouse.down();
    await page.mouse.move(x + width - 5, y + 60);
    await page.mouse.up();
    await page.locator("#whole-time").waitFor();
    await page.click("#add-day");
    await expectText(page, "#time", "2026-06-10");
    // A refresh begins only when the one before it is over.
    await page.click("#add-day");
    await expectText(page, "#time", "2026-06-11");
    await page.mouse.move(x + 2, y + 50);
    await expectText(page, "#balance-tip", /^2026-04-1\d/);
    await page.click("#whole-time");
    await page.mouse.move(x + 3, y + 50);
    await expectText(page, "#balance-tip", /^2026-02-2\d/);
  },
);

test("opening an order shows its IPs, page by page, as they are delivered", patience, async () => {
  const simulator = await start({ deliveryDelayMs: 3_600_000 });
  await post(simulator, "order", { ...orders.IPv4, quantity: 60, goal: "price comparison" });
  const page = await openPage(simulator);
  await expectText(page, "#orders tbody", /0\s+60\s+0/);
  await page.click("#orders .opener");
  await expectText(page, "#orders .details", /Goal\s+price comparison/);
  await expectCount(page, ".proxies tbody tr", 50);
  await expectText(page, ".proxies tbody tr", "undelivered");
  await page.click(".pager button:has-text('Next')");
  await expectText(page, ".pager", "51–60 of 60 IPs");
  await expectCount(page, ".proxies tbody tr", 10);
  await page.click("#add-hour");
  await expectText(page, ".proxies tbody tr", "listed");
  await expectText(page, ".pager", "51–60 of 60 IPs");
  expect(await page.locator(".proxies").innerText()).not.toContain(
    simulator.proxies()[55]?.password,
  );
});

test(
  "a selected account shows its own money, orders and IPs, and stays selected after a reload",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await expectText(page, "#account-only", "main");
    const other = simulator.openAccount({ name: "staging", balance: "1234.50" });
    other.placeForeignOrder(foreignOrder);
    await post(simulator, "order", orders.IPv4);
    await page.selectOption("#account", "staging");
    await expectText(page, "#balance", "1,231.56");
    await expectText(page, "#orders tbody", "2 IPv4 in DEU");
    await expectText(page, "#ledger-rows tr", "somebody else's order");
    await page.reload();
    await expectText(page, "#balance", "1,231.56");
    await page.selectOption("#account", "main");
    await expectText(page, "#orders tbody", "5 IPv4 in USA");
    await expectCount(page, "#orders tbody", 1);
  },
);

test(
  "setting the balance is a payment, and a refusal is shown in the control API's words",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await page.fill("#new-balance", "250.5");
    await page.click("#set-balance button");
    await expectText(page, "#balance", "250.50");
    await expectText(page, "#ledger-rows tr", /payment\s+150.50\s+250.50/);
    simulator.setBalance("1.00");
    await page.click("text=somebody else orders");
    await expectText(page, "#notice", "The balance does not cover that order");
    await page.click("#notice-close");
    await expectCount(page, "#notice", 0);
  },
);

test("a long ledger shows the latest fifty until all are asked for", patience, async () => {
  const simulator = await start();
  for (let payment = 1; payment <= 70; payment += 1) simulator.setBalance(payment);
  const page = await openPage(simulator);
  await expectText(page, "#ledger-count", "latest 50 of 70 movements");
  await expectCount(page, "#ledger-rows tr", 50);
  await page.click("#ledger-all");
  await expectCount(page, "#ledger-rows tr", 70);
});

test(
  "a snapshot is saved to a file and loaded from it; a reset asks for confirmation",
  patience,
  async () => {
    const simulator = await start();
    const { orderNumber } = await post(simulator, "order", orders.IPv4);
    const page = await openPage(simulator);
    await expectCount(page, "#orders tbody", 1);
    const downloading = page.waitForEvent("download");
    await page.click("#save");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("simulator-2026-03-01T12-00-00.json");
    const file = await download.path();
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(simulator.save());

    await page.click("#reset");
    await page.click("#reset-no");
    expect(simulator.orders()).toHaveLength(1);
    await page.click("#reset");
    await page.click("#reset-yes");
    await expectText(page, "#no-orders", "No orders yet");
    await expectText(page, "#balance", "100.00");

    await page.setInputFiles("#load-file", file);
    await expectText(page, "#orders tbody", orderNumber);
    await writeFile(file, '{ "version": 2 }');
    await page.setInputFiles("#load-file", file);
    await expectText(page, "#notice", "This is no snapshot");
    expect(simulator.orders()).toHaveLength(1);
  },
);

/** The number of colours in the chart. It is 0 if nothing was drawn. */
function countColors(page: Awaited<ReturnType<typeof openPage>>): Promise<number> {
  return page.evaluate(`{
    const canvas = document.querySelector("#balance-chart canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    new Set(new Uint32Array(data.buffer)).size;
  }`);
}
