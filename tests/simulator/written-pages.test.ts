import { expect, test } from "vitest";
import type { Order, RentedProxy } from "../../simulator/account/order.ts";
import { WrittenPages } from "../../simulator/api/written-pages.ts";
import type { SimulatedProxy, Simulator } from "../../simulator/index.ts";
import { listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

const dateEndDelayMs = 60_000;

/** A simulator whose pages have been read, so that it has them written. */
async function startRead(): Promise<Simulator> {
  const simulator = await startForTest({
    now: new StillClock().now,
    idsChangeOnExtension: true,
    dateEndDelayMs,
  });
  simulator.advance({ days: 1 });
  await post(simulator, "order", orders.IPv4);
  await expectPageToTell(simulator, { isEndTold: false });
  simulator.advance({ seconds: dateEndDelayMs / 1000 });
  await expectPageToTell(simulator);
  return simulator;
}

/** What the listing should say of a proxy, from what the simulator says of it when it is asked directly. */
function expectRow(proxy: SimulatedProxy, isEndTold: boolean) {
  const { login, password, autoExtend, extendDays } = proxy;
  return {
    ipAddressId: proxy.ipAddressId,
    ipAddressIp: proxy.ip,
    orderId: proxy.orderId,
    country: proxy.country,
    dateStart: proxy.dateStart,
    ...(isEndTold && { dateEnd: proxy.dateEnd }),
    httpsPort: proxy.httpsPort,
    socks5Port: proxy.socks5Port,
    comment: "",
    authInfo: { login, password },
    extendInfo: { autoExtend, extendDays },
  };
}

async function expectPageToTell(simulator: Simulator, { isEndTold = true } = {}): Promise<void> {
  const listed = simulator.proxies().filter(({ state }) => state === "listed");
  expect((await listPage(simulator, "IPv4")).data).toEqual({
    totalElements: listed.length,
    totalPages: 1,
    content: listed.map((proxy) => expectRow(proxy, isEndTold)),
  });
}

async function readExtension(simulator: Simulator) {
  const ipAddressIds = await listIds(simulator, "IPv4");
  return { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 60 };
}

test.each<[string, (simulator: Simulator) => unknown]>([
  [
    "automatic extension is switched on",
    async (simulator) => {
      const extension = await readExtension(simulator);
      await post(simulator, "extend/auto", { ...extension, autoExtend: true });
    },
  ],
  [
    "automatic extension gets other days",
    (simulator) => {
      const ids = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
      simulator.setAutoExtension(ids.slice(0, 1), false, 90);
    },
  ],
  [
    "an extension moves the ends and changes the ids",
    async (simulator) => post(simulator, "extend", await readExtension(simulator)),
  ],
  [
    "one proxy has ended",
    (simulator) => simulator.expireProxies([simulator.proxies()[4]?.ipAddressId ?? ""]),
  ],
  ["another order lengthens the listing", (simulator) => post(simulator, "order", orders.IPv4)],
])("a page that was read before tells that %s", async (_, change) => {
  const simulator = await startRead();
  const before = simulator.proxies();
  await change(simulator);
  expect(simulator.proxies()).not.toEqual(before);
  simulator.advance({ seconds: dateEndDelayMs / 1000 });
  await expectPageToTell(simulator);
});

test("a page that was read before tells what an automatic extension did", async () => {
  const simulator = await startRead();
  const extension = await readExtension(simulator);
  await post(simulator, "extend/auto", { ...extension, autoExtend: true });
  await expectPageToTell(simulator);
  simulator.advance({ days: 30 });
  await expectPageToTell(simulator);
  expect(await listIds(simulator, "IPv4")).not.toEqual(extension.ipAddressIds);
});

test("a page that was read before tells a loaded snapshot, also if only a password differs", async () => {
  const simulator = await startRead();
  const snapshot = simulator.save();
  const [account] = Object.values(snapshot.accounts);
  Object.assign(account?.orders[0]?.proxies[0] ?? {}, { password: "another" });
  simulator.load(snapshot);
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content[0]?.authInfo.password).toBe("another");
  await expectPageToTell(simulator);
});

test("after a reset the same order has the same ids, and the page its new dates", async () => {
  const simulator = await startRead();
  const ids = await listIds(simulator, "IPv4");
  simulator.reset();
  await post(simulator, "order", orders.IPv4);
  expect(await listIds(simulator, "IPv4")).toEqual(ids);
  await expectPageToTell(simulator, { isEndTold: false });
});

test("pages of other sizes, types and accounts are not mixed up", async () => {
  const simulator = await startRead();
  const other = simulator.openAccount();
  await post(simulator, "order", orders.ISP);
  const sizes = [2, 5, 2].map((size) => listPage(simulator, "IPv4", 0, size));
  expect((await Promise.all(sizes)).map(({ data }) => data.content.length)).toEqual([2, 5, 2]);
  expect((await listPage(simulator, "IPv4", 1, 2)).data.content[0]?.ipAddressId).toBe(
    simulator.proxies()[2]?.ipAddressId,
  );
  expect((await listPage(simulator, "ISP")).data.totalElements).toBe(orders.ISP.quantity);
  expect(await listIds({ ...simulator, apiKey: other.apiKey }, "IPv4")).toEqual([]);
});

const order: Order = {
  ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
  ...{ orderNumber: "1", orderId: "1", placedAtMs: 1000, origin: "api", proxies: [] },
  details: { goal: "tests", authType: "LOGIN" },
};

function makeProxy(): RentedProxy {
  return {
    ...{ ipAddressId: "1", order, ip: "192.0.2.1", httpsPort: "10000", socks5Port: "10001" },
    ...{ login: "login", password: "password", deliverAtMs: 1000, startMs: 1000, endMs: 2000 },
    ...{ autoExtend: false, extendDays: 0, state: "listed" },
  };
}

function askForPage() {
  const proxies = [makeProxy(), makeProxy()];
  return { totalElements: 4, totalPages: 2, proxies, endsToldUntilMs: 1000 };
}

test("a page that still says the truth is not written again", () => {
  const pages = new WrittenPages();
  const asked = askForPage();
  const json = pages.write("first", asked);
  expect(
    pages.write("first", { ...asked, proxies: [...asked.proxies], endsToldUntilMs: 5000 }),
  ).toBe(json);
});

test.each<[string, (asked: ReturnType<typeof askForPage>) => unknown]>([
  ["the number of proxies", (asked) => Object.assign(asked, { totalElements: 3 })],
  ["the number of pages", (asked) => Object.assign(asked, { totalPages: 3 })],
  ["its length", (asked) => asked.proxies.push(makeProxy())],
  ["its proxies", ({ proxies }) => proxies.splice(1, 1, { ...makeProxy(), password: "another" })],
  ["the time until which ends are told", (asked) => Object.assign(asked, { endsToldUntilMs: 999 })],
  ...[
    { ipAddressId: "2" },
    { ip: "192.0.2.2" },
    { httpsPort: "20000" },
    { socks5Port: "20001" },
    { endMs: 3000 },
    { autoExtend: true },
    { extendDays: 30 },
  ].map((changed): [string, (asked: ReturnType<typeof askForPage>) => unknown] => [
    `a proxy's ${Object.keys(changed)}`,
    ({ proxies }) => Object.assign(proxies[1] ?? {}, changed),
  ]),
])("a page is written again if only %s has changed", (_, change) => {
  const pages = new WrittenPages();
  const asked = askForPage();
  const before = pages.write("first", asked).toString();
  change(asked);
  const after = pages.write("first", asked).toString();
  expect(after).not.toBe(before);
  expect(after).toBe(new WrittenPages().write("first", asked).toString());
});
