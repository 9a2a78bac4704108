import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Fault, Simulator } from "../../simulator/index.ts";
import { get, orders, post, send } from "../simulator/caller.ts";
import { startForTest } from "../simulator/start.ts";
import { expectCount, expectText, openPage, patience } from "./open-page.ts";

/** How the first fault of the list looks. */
const lineOfFault = "getComputedStyle(document.querySelector('#fault-rows th')).textDecorationLine";

/** Every kind except "act": only a program can pass a function. */
const kinds = {
  reset: "before",
  hang: "before",
  truncate: "before",
  garbage: "before",
  status: "before",
  redirect: "before",
  refuse: "before",
  drip: "after",
  delay: "before",
  foreignOrder: "before",
  answer: "after",
  closeConnectionAfter: "after",
  date: "after",
  lateCommit: "before",
} as const satisfies Record<Exclude<Fault["kind"], "act">, "before" | "after">;

function start(): Promise<Simulator> {
  return startForTest({ control: true, apiKey: "demo-key-seen-nowhere" });
}

/** Fills the given fields of the form and sends it. */
async function addFault(
  page: Page,
  chosen: Partial<Record<"endpoint" | "kind" | "phase", string>>,
  typed: Partial<Record<"calls" | "probability", string>> = {},
): Promise<void> {
  for (const [name, value] of Object.entries(chosen)) {
    await page.selectOption(`#fault-${name}`, value);
  }
  for (const [name, value] of Object.entries(typed)) await page.fill(`#fault-${name}`, value);
  await page.click("text=Add fault");
}

test("a request appears with its body and the answer, without the key", patience, async () => {
  const simulator = await start();
  const page = await openPage(simulator);
  await expectText(page, "#no-requests", "No requests yet");
  const { orderNumber } = await post(simulator, "order", orders.IPv4);
  await expectText(page, "#requests tbody", /POST createOrder paid call\s+200\s+[\d.]+$/);
  await page.click("#requests .opener");
  await expectText(page, "#requests .details", /\/client\/api\/v1\/{apiKey}\/order/);
  await expectText(page, "#requests .details", /"goal": "tests"/);
  await expectText(page, "#requests .details", `"orderNumber": "${orderNumber}"`);

  await post(simulator, "order", { ...orders.IPv4, goal: simulator.apiKey });
  await send(simulator, { method: "GET", path: "/client/api/v1/{apiKey}/nonsense" }, "nobody's");
  await expectText(
    page,
    "#requests tbody",
    /GET \/client\/api\/v1\/{apiKey}\/{…} unknown path\s+404/,
  );
  await expectCount(page, "#requests .opener", 3);
  await expectCount(page, "#requests .details", 1);
  for (const opener of (await page.locator("#requests .opener").all()).slice(0, 2)) {
    await opener.click();
  }
  await expectCount(page, "#requests .details", 3);
  expect(await page.content()).not.toContain(simulator.apiKey);
});

test("a request under way is marked, and its end appears when it has ended", patience, async () => {
  const simulator = await start();
  const page = await openPage(simulator);
  const gate = Promise.withResolvers<void>();
  simulator.addFault({
    endpoint: "getBalance",
    phase: "before",
    fault: { kind: "act", run: () => gate.promise },
  });
  const asked = get(simulator, "balance");
  await expectText(page, "#requests tbody", /getBalance\s+under way/);
  await get(simulator, "proxyType");
  await expectText(page, "#requests tbody", /listProxyTypes/);
  gate.resolve();
  await asked;
  await expectText(page, "#requests tbody:nth-of-type(2)", /getBalance\s+200 act/);
});

test("only new requests are fetched, and none after the list was cleared", patience, async () => {
  const simulator = await start();
  for (let call = 0; call < 30; call += 1) await get(simulator, "balance");
  const page = await openPage(simulator);
  await expectCount(page, "#requests tbody", 30);
  const fetched: number[][] = [];
  page.on("response", async (response) => {
    if (!response.url().includes("/requests")) return;
    const { requests } = (await response.json()) as { requests: { number: number }[] };
    fetched.push(requests.map(({ number }) => number));
  });
  await get(simulator, "proxyType");
  await expectCount(page, "#requests tbody", 31);
  expect(Math.max(...fetched.map((numbers) => numbers.length))).toBeLessThan(4);
  simulator.resetRequestCounts();
  await get(simulator, "promoCode");
  await expectText(page, "#requests tbody", "listPromoCodes");
  await expectCount(page, "#requests tbody", 1);
});

test("the requests are those of the chosen account, or of all", patience, async () => {
  const simulator = await start();
  const staging = simulator.openAccount({ name: "staging" });
  const balance = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };
  await get(simulator, "proxyType");
  await send(simulator, balance, staging.apiKey);
  await send(simulator, balance, "nobody's");
  const page = await openPage(simulator);
  await expectCount(page, "#requests tbody", 2);
  await expectText(page, "#requests tbody", /GET getBalance unknown key\s+200 code 2/);
  await expectText(page, "#requests tbody:last-child", "listProxyTypes");
  await page.selectOption("#account", "staging");
  await expectText(page, "#requests tbody:last-child", /GET getBalance\s+200/);
  await send(simulator, balance, staging.apiKey);
  await get(simulator, "promoCode");
  await expectText(page, "#request-count", "3 calls");
  await expectCount(page, "#requests tbody", 3);
  await page.click("text=All accounts");
  await expectText(page, "#requests tbody", /listPromoCodes\s+main\s+200/);
  await expectText(page, "#requests tbody:nth-of-type(2)", /getBalance\s+staging\s+200/);
  await expectCount(page, "#requests tbody", 5);
});

test("calls that are charged look unlike those that read", patience, async () => {
  const simulator = await start();
  await post(simulator, "calculate/order", orders.IPv4);
  await post(simulator, "order", orders.IPv4);
  const page = await openPage(simulator);
  await expectText(page, "#requests tbody", /POST createOrder paid call/);
  await expectText(page, "#requests tbody:last-child", /POST calculateOrder\s+200/);
  const weights = await page.evaluate(
    "[...document.querySelectorAll('#requests .opener')].map((one) => getComputedStyle(one).fontWeight)",
  );
  expect(weights).toEqual(["600", "400"]);
});

test(
  "a fault from the form hits a real call, its hits rise, and it can be removed",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await expectText(page, "#no-faults", "All is well");
    const typed = { calls: "2, 3", probability: "1" };
    await addFault(page, { endpoint: "getBalance", kind: "status" }, typed);
    await expectText(page, "#fault-rows", /getBalance\s+before: status 503\s+call 2, 3\s+0/);
    expect(await page.evaluate(lineOfFault)).toBe("none");
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { status } = await send(simulator, {
        method: "GET",
        path: "/client/api/v1/{apiKey}/balance",
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 503, 503, 200]);
    await expectText(page, "#fault-rows", /call 2, 3 used up\s+2/);
    expect(await page.evaluate(lineOfFault)).toBe("line-through");
    await expectText(page, "#fault-count", "struck 2 times");
    await expectText(page, "#requests tbody:nth-of-type(2)", /503 status/);
    await page.click("#fault-rows button");
    await expectText(page, "#no-faults", "All is well");
  },
);

test(
  "the form as it stands makes every kind of fault, except for the phase",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await expectCount(page, "#no-faults", 1);
    const offered = await page.evaluate(
      "[...document.querySelector('#fault-kind').options].map(({ value }) => value)",
    );
    expect(offered).toEqual(expect.arrayContaining(Object.keys(kinds)));
    for (const [index, [kind, phase]] of Object.entries(kinds).entries()) {
      await addFault(page, { endpoint: "createOrder", kind, phase });
      await expectCount(page, "#fault-rows tr", index + 1);
    }
    await addFault(page, { kind: "drip", phase: "before" });
    await expectText(page, "#notice", 'phase must be "after" with a fault of kind "drip"');
    await page.click("#clear-faults");
    await expectText(page, "#no-faults", "All is well");
  },
);

test(
  "the ready-made faults: an order that is charged with its answer lost, and somebody else's order",
  patience,
  async () => {
    const simulator = await start();
    const page = await openPage(simulator);
    await page.click("text=charged, answer lost");
    await expectCount(page, "#fault-rows tr", 1);
    await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow();
    await expectText(page, "#requests tbody", /createOrder paid call\s+no answer reset/);
    await page.click("text=somebody else orders 3 IPv4");
    await expectText(page, "#orders tbody", "3 IPv4 in USA");
    expect(simulator.ledger().map(({ origin }) => origin)).toEqual(["api", "foreign"]);
  },
);
