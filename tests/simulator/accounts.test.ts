import { expect, test } from "vitest";
import { ask, get, listPage, orders, post } from "./caller.ts";
import { startForTest } from "./start.ts";

const balanceCall = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };

test("each account has its own money, orders and proxies under its own key", async () => {
  const simulator = await startForTest({ balance: "100.00" });
  const other = simulator.openAccount({ name: "staging", balance: "20.00" });
  await post(simulator, "order", orders.IPv4);
  await ask(simulator, orderAs(orders.ISP), other.apiKey);
  expect(simulator.balance()).toBe("93.00");
  expect(other.balance()).toBe("11.03");
  expect(simulator.ledger().map(({ proxyType }) => proxyType)).toEqual(["IPv4"]);
  expect(other.ledger().map(({ proxyType }) => proxyType)).toEqual(["ISP"]);
  expect((await listPage(simulator, "ISP")).data.totalElements).toBe(0);
  expect(await ask(simulator, balanceCall, other.apiKey)).toMatchObject({ balance: 11.03 });
});

test("a second account does not change the first one's answers", async () => {
  const [alone, together] = await Promise.all([startForTest(), startForTest()]);
  const other = together.openAccount();
  await ask(together, orderAs(orders.IPv4), other.apiKey);
  await post(alone, "order", orders.IPv4);
  await post(together, "order", orders.IPv4);
  const identify = (simulator: typeof alone) =>
    simulator.proxies().map(({ ipAddressId, ip, login }) => ({ ipAddressId, ip, login }));
  expect(identify(together)).toEqual(identify(alone));
  expect(other.proxies()[0]?.login).not.toBe(alone.proxies()[0]?.login);
});

test("a new account has the first one's balance, and a name and key of its own", async () => {
  const simulator = await startForTest({ balance: "5.00", seed: 3 });
  const other = simulator.openAccount();
  expect(other.name).toBe("account-2");
  expect(other.balance()).toBe("5.00");
  expect(other.apiKey).toMatch(/^demo-key-[0-9a-f]{8}$/);
  expect(other.apiKey).not.toBe(simulator.apiKey);
});

test.each([
  [{ name: "main" }, /name "main" is taken/],
  [{ name: "7" }, /name must be a letter/],
  [{ name: "a b" }, /not "a b"/],
  [{ apiKey: "" }, /apiKey must not be empty/],
  [{ apiKey: "demo-key-one" }, /apiKey is another account's/],
  [{ balance: "much" }, /balance must be a decimal/],
])("an account of %j is refused, and none is opened", async (options, reason) => {
  const simulator = await startForTest({ apiKey: "demo-key-one" });
  expect(() => simulator.openAccount(options)).toThrow(reason);
  expect(simulator.openAccount().name).toBe("account-2");
});

test("an unknown key reaches no account", async () => {
  const simulator = await startForTest();
  simulator.openAccount();
  const answer = await ask(simulator, orderAs(orders.IPv4), "nobody's");
  expect(answer).toMatchObject({ success: false, error: { code: 2 }, balance: null });
  expect((await get(simulator, "balance")).balance).toBe(1000);
});

function orderAs(body: object) {
  return { method: "POST", path: "/client/api/v1/{apiKey}/order", body };
}
