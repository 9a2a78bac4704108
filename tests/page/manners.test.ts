import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { get, orders, post } from "../simulator/caller.ts";
import { startForTest } from "../simulator/start.ts";
import { findFaultsOfAccess } from "./axe.ts";
import { expectCount, expectText, openPage, patience } from "./open-page.ts";

const hostile = `<img src="http://example.com/x" onerror="document.body.id = 'taken'">`;

function start(options: SimulatorOptions = {}): Promise<Simulator> {
  return startForTest({ control: true, ...options });
}

test("nothing comes from another host, and the browser reports no error", patience, async () => {
  const simulator = await start();
  const page = await openPage(simulator);
  await post(simulator, "order", orders.IPv4);
  await expectCount(page, "#orders tbody", 1);
  await page.click("#orders .opener");
  await page.click("#requests .opener");
  await page.locator("#balance-chart .u-over").hover();
  await page.click("#verdict");
  await page.click("#add-day");
  await expectCount(page, ".proxies tbody tr", 5);
  const { host } = new URL(simulator.controlUrl ?? "");
  expect(new Set(page.conduct.asked.map((address) => new URL(address).host))).toEqual(
    new Set([host]),
  );
  expect(page.conduct.complaints).toEqual([]);
});

test("only the page's own files are served, under a policy that runs nothing else", async () => {
  const { controlUrl } = await start();
  const ask = (path: string) => fetch(`${controlUrl}${path}`);
  const page = await ask("/");
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("Content-Security-Policy")).toMatch(/^default-src 'self';/);
  expect(page.headers.get("Cache-Control")).toBe("no-store");
  expect((await ask("/assets/uplot.css")).headers.get("Content-Type")).toMatch("text/css");
  expect((await ask("/page/main.js")).headers.get("Content-Type")).toMatch("text/javascript");
  for (const path of [
    "/page/..%2fmain.ts",
    "/page/tsconfig.json",
    "/page/answers.d.ts",
    "/page/",
    "/assets/%2e%2e/package.json",
  ]) {
    expect((await ask(path)).status, path).toBe(404);
  }
});

test("the content of a request stays text, wherever it is shown", patience, async () => {
  const simulator = await start();
  await post(simulator, "order", { ...orders.IPv4, goal: hostile });
  await post(simulator, "order", { ...orders.IPv4, country: hostile });
  simulator.addFault({
    endpoint: "any",
    phase: "before",
    fault: { kind: "foreignOrder", item: { ...orders.IPv4, proxyType: "IPv4", country: hostile } },
  });
  await get(simulator, "balance");
  const page = await openPage(simulator);
  await expectCount(page, "#orders tbody", 2);
  for (const opener of await page.locator(".opener").all()) await opener.click();
  await expectText(page, "#orders tbody:last-child .details", "<img src=");
  await expectText(page, "#fault-rows", "<img src=");
  await page.locator("#balance-chart .u-over").hover({ position: { x: 1, y: 20 } });
  expect(await page.locator("img").count()).toBe(1);
  expect(await page.locator("#taken").count()).toBe(0);
  expect(page.conduct.complaints).toEqual([]);
});

test(
  "everything works with the keyboard alone, and a refresh keeps the focus",
  patience,
  async () => {
    const simulator = await start({ deliveryDelayMs: 3_600_000 });
    await post(simulator, "order", orders.IPv4);
    const page = await openPage(simulator);
    await expectCount(page, "#orders tbody", 1);
    const seen = new Set<string>();
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return page.evaluate<string>(
        "document.activeElement.id || document.activeElement.textContent",
      );
    };
    const reach = async (name: string) => {
      for (let step = 0; step < 60; step += 1) {
        const at = await press("Tab");
        seen.add(at);
        if (at === name) return;
      }
      throw new Error(`Tab leads to ${[...seen].join(", ")}, not to ${name}`);
    };
    await reach("reset");
    await press("Enter");
    await expectText(page, "#reset-title", "Reset the simulator?");
    await press("Escape");
    await reach("add-hour");
    await press("Enter");
    await reach("days");
    await page.keyboard.type("1");
    await reach(simulator.orders()[0]?.orderNumber ?? "");
    await press("Enter");
    await expectText(page, ".proxies tbody tr", "listed");
    await get(simulator, "balance");
    await expectText(page, "#requests tbody", "getBalance");
    expect(await press("Shift")).toBe(simulator.orders()[0]?.orderNumber);
    await reach("Next call: HTTP 503");
    await press(" ");
    await expectText(page, "#fault-rows", "status 503");
    await reach("GET getBalance");
  },
);

test(
  "the page says at once that a simulator has stopped, and shows it again when it answers",
  patience,
  async () => {
    const first = await start();
    const page = await openPage(first);
    await get(first, "balance");
    await expectText(page, "#requests tbody", "getBalance");
    await first.stop();
    await expectText(page, "#gone", "The simulator does not answer");
    const port = Number(new URL(first.controlUrl ?? "").port);
    const second = await start({ control: { port }, balance: "5.00" });
    await get(second, "proxyType");
    await expectText(page, "#balance", /^5\.00$/);
    await expectText(page, "#base-url", second.baseUrl);
    await expectCount(page, "#gone", 0);
    await expectText(page, "#requests tbody", "listProxyTypes");
    await expectCount(page, "#requests tbody", 1);
  },
);

test("on a phone nothing overflows to the side", patience, async () => {
  const simulator = await start();
  await post(simulator, "order", { ...orders.MOBILE, goal: "x".repeat(500) });
  simulator.setBalance("123456789.00");
  simulator.openAccount({ name: "a-rather-long-name-for-an-account-of-somebody" });
  simulator.addFault({
    endpoint: "createOrder",
    phase: "after",
    fault: { kind: "answer", patch: { promoCodeStatus: "x".repeat(80) } },
  });
  const page = await openPage(simulator, { viewport: { width: 360, height: 740 } });
  await expectCount(page, "#orders tbody", 1);
  for (const opener of await page.locator(".opener").all()) await opener.click();
  await expectCount(page, ".proxies tbody tr", 1);
  await expectText(page, ".hint", "scroll this table");
  const table = page.getByRole("region", { name: /^IPs of order/ });
  expect(
    await page.evaluate(
      "(({ scrollWidth, clientWidth, tabIndex }) => [scrollWidth > clientWidth, tabIndex])(document.querySelector('.sideways'))",
    ),
  ).toEqual([true, 0]);
  const { width = 0 } = (await table.boundingBox()) ?? {};
  expect(width).toBeLessThan(360);
  await page.click("#verdict");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await listSmallTargets(page)).toEqual([]);
});

test(
  "the invariants open beside the controls, also on a phone; Escape and a click elsewhere close them",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator, { viewport: { width: 1280, height: 800 } });
    await expectText(page, "#verdict", "Invariants hold");
    const verdict = page.getByRole("button", { name: /Invariants hold/, expanded: false });
    await verdict.click();
    await expectText(page, "#invariants", "main: every order is charged exactly once");
    expect(await listCoveredControls(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await listCoveredControls(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expectCount(page, "#invariants", 0);
    await verdict.click();
    await expectCount(page, "#invariants", 1);
    await page.click("#invariant-list");
    await expectCount(page, "#invariants", 1);
    await page.click("#money-title");
    await expectCount(page, "#invariants", 0);
  },
);

test.each([1280, 360])("at %i px nothing moves while events stream in", patience, async (width) => {
  const simulator = await start();
  const page = await openPage(simulator, { viewport: { width, height: 900 } });
  await expectText(page, "#exports", "PROXYRENTAL_API_KEY");
  await expectText(page, "#verdict", "Invariants hold");
  for (const part of ["movements", "faults", "requests"]) await expectCount(page, `#no-${part}`, 1);
  const measure = () =>
    page.evaluate<string[]>(`
      [...document.querySelectorAll("h1, h2, header button, .column > section, #legend")].map((one) => {
        const { x, y } = one.getBoundingClientRect();
        return [one.tagName, one.id, x, y].join(" ");
      })`);
  const before = await measure();
  expect(before.length).toBeGreaterThan(20);
  for (let order = 1; order <= 12; order += 1) {
    await post(simulator, "order", { ...orders.IPv4, quantity: order });
    simulator.advance({ days: 5 });
  }
  await expectText(page, "#order-count", "12 orders");
  await expectCount(page, "#requests tbody", 12);
  expect(await measure()).toEqual(before);
});

test("links lead past the long lists, and the account stays", patience, async () => {
  const simulator = await start();
  simulator.openAccount({ name: "staging" });
  for (let order = 0; order < 3; order += 1) await post(simulator, "order", orders.IPv4);
  const page = await openPage(simulator);
  await expectCount(page, "#orders tbody", 3);
  const focused = () =>
    page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to the account");
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("main");
  await page.getByRole("link", { name: "Skip the orders" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Next order: charged, answer lost");
  await page.getByRole("link", { name: "Skip the requests" }).focus();
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("end");
  expect(new URL(page.url()).hash).toBe("");
});

test.each(["light", "dark"] as const)(
  "%s: names, roles and contrast pass the checks of axe, with everything open",
  patience,
  async (colorScheme) => {
    const simulator = await start();
    simulator.openAccount({ name: "staging" });
    const fault = { kind: "status", status: 503 } as const;
    simulator.addFault({ endpoint: "getBalance", calls: [1], phase: "after", fault });
    await expect(get(simulator, "balance")).rejects.toThrow("503");
    await post(simulator, "order", { ...orders.IPv4, country: "XXX" });
    const page = await openPage(simulator, { colorScheme });
    await expectText(page, "#exports", "PROXYRENTAL_API_KEY");
    expect(await findFaultsOfAccess(page)).toEqual([]);
    await post(simulator, "order", orders.IPv4);
    await expectCount(page, "#requests tbody", 3);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const opener of await page.locator(".opener").all()) await opener.click();
    await expectCount(page, ".proxies tbody tr", 5);
    await page.click("#verdict");
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await findFaultsOfAccess(page)).toEqual([]);
    await page.click("#new-account");
    expect(await findFaultsOfAccess(page)).toEqual([]);
  },
);

test("a hidden page makes no requests until it is visible", patience, async () => {
  const simulator = await start();
  const page = await openPage(simulator);
  await expectText(page, "#balance", "1,000.00");
  const setHidden = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`);
  await setHidden(true);
  await expectQuiet(page.conduct.asked);
  simulator.setBalance("7.00");
  await post(simulator, "order", { ...orders.IPv4, quantity: 1 });
  await expectQuiet(page.conduct.asked);
  expect(await page.locator("#balance").innerText()).toBe("1,000.00");
  await setHidden(false);
  await expectText(page, "#balance", "5.60");
});

test(
  "with 100,000 IPs the page holds only what is visible, and an order's IPs after it is opened",
  patience,
  async () => {
    const simulator = await start({ balance: "100000000.00" });
    for (let order = 0; order < 1000; order += 1) {
      simulator.placeForeignOrder({
        proxyType: "IPv4",
        country: "USA",
        quantity: 100,
        rentPeriodDays: 30,
      });
    }
    await openPage(simulator);
    const page = await openPage(simulator);
    await expectText(page, "#order-count", "latest 50 of 1,000 orders");
    await expectText(page, "#holdings", "100,000 IPs listed");
    await expectText(page, "#ledger-count", "latest 50 of 1,000 movements");
    // The page shows only as much as a person can see, even if there is much more.
    expect(await page.locator("body *").count()).toBeLessThan(3000);
    await page.click("#orders .opener");
    await expectCount(page, ".proxies tbody tr", 50);
  },
);

/** Waits for the requests under way, then for the time of several refreshes. No new request may come. */
async function expectQuiet(asked: readonly string[]): Promise<void> {
  let count = -1;
  await expect
    .poll(
      () => {
        const isQuiet = asked.length === count;
        count = asked.length;
        return isQuiet;
      },
      { timeout: 10_000, interval: 1000 },
    )
    .toBe(true);
}

/** The controls of the header that share a place with the opened invariants. */
function listCoveredControls(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const panel = document.querySelector("#invariants").getBoundingClientRect();
    return [...document.querySelectorAll("header :is(button, input, select)")]
      .map((one) => [one.id, one.getBoundingClientRect()])
      .filter(([, { height, top, bottom }]) => height > 0 && bottom > panel.top && top < panel.bottom)
      .map(([id]) => id);
  })()`);
}

/** What a finger would miss: controls that are less than 24 px wide or high. */
function listSmallTargets(page: Page): Promise<unknown> {
  return page.evaluate(`
    [...document.querySelectorAll("button, select, input:not([type=checkbox]), label:has([type=checkbox])")]
      .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 0 && (width < 24 || height < 24))
      .map(([name, { width, height }]) => [name, width, height].join(" "))`);
}
