import { expect, test } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { ask, get, listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

/** An account that has at least one of everything that can be saved. */
async function startLived(options: Parameters<typeof startForTest>[0] = {}): Promise<Simulator> {
  const simulator = await startForTest({
    now: new StillClock().now,
    idsChangeOnExtension: true,
    ...options,
  });
  for (const order of Object.values(orders)) await post(simulator, "order", order);
  await post(simulator, "order", { ...orders.IPv4, promoCode: "TWICE15" });
  const ipAddressIds = await listIds(simulator, "IPv4");
  const extension = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 };
  await post(simulator, "extend", extension);
  const renewed = { ...extension, ipAddressIds: await listIds(simulator, "IPv4") };
  await post(simulator, "extend/auto", { ...renewed, autoExtend: true });
  simulator.setBalance("300.00");
  simulator.setPriceFactor("IPv6", "1.5");
  simulator.advance({ days: 3 });
  return simulator;
}

/** Everything that a caller can see, and what happens in the next half year. */
async function observe(simulator: Simulator): Promise<unknown> {
  const look = async () => [
    await get(simulator, "balance"),
    await get(simulator, "promoCode"),
    ...(await Promise.all(Object.keys(orders).map((type) => listPage(simulator, type)))),
  ];
  const before = await look();
  const bought = await post(simulator, "order", orders.IPv6);
  simulator.advance({ days: 180 });
  return { before, bought, after: await look(), ledger: simulator.ledger() };
}

test("a loaded snapshot continues exactly as it would have: money, ids, prices, promo codes, renewals", async () => {
  const simulator = await startLived();
  const snapshot = JSON.parse(JSON.stringify(simulator.save()));
  const expected = await observe(simulator);
  simulator.load(snapshot);
  expect(await observe(simulator)).toEqual(expected);

  const elsewhere = await startForTest({ now: new StillClock().now, idsChangeOnExtension: true });
  elsewhere.load(snapshot);
  expect(await observe(elsewhere)).toEqual(expected);
});

test("a snapshot has the service's time, and loading returns to it", async () => {
  const simulator = await startLived();
  const savedAt = simulator.now();
  const snapshot = simulator.save();
  simulator.advance({ days: 365 });
  expect((await listPage(simulator, "IPv6")).data.totalElements).toBe(0);
  simulator.load(snapshot);
  expect(simulator.now()).toEqual(savedAt);
  expect((await listPage(simulator, "IPv6")).data.totalElements).toBe(3);
});

test("a snapshot has no key; accounts of the same name keep theirs", async () => {
  const simulator = await startLived({ apiKey: "demo-key-one" });
  const other = simulator.openAccount({ name: "staging", apiKey: "demo-key-two" });
  await ask(
    simulator,
    { method: "POST", path: "/client/api/v1/{apiKey}/order", body: orders.ISP },
    other.apiKey,
  );
  const snapshot = simulator.save();
  expect(JSON.stringify(snapshot)).not.toContain("demo-key");
  simulator.reset();
  simulator.openAccount({ name: "staging", apiKey: "demo-key-three" });
  simulator.load(snapshot);
  const balanceCall = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };
  expect((await ask(simulator, balanceCall, "demo-key-three")).balance).toBe(991.03);
  expect((await get(simulator, "balance")).balance).toBe(300);
});

test("a reset is like a start: the same calls get the same answers", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  const play = async () => {
    simulator.addFault({
      endpoint: "getBalance",
      probability: 0.5,
      phase: "before",
      fault: { kind: "refuse", code: 2 },
    });
    const answers: unknown[] = [];
    for (let call = 0; call < 20; call += 1) answers.push(await get(simulator, "balance"));
    answers.push(await post(simulator, "order", orders.IPv4), await listPage(simulator, "IPv4"));
    simulator.advance({ days: 40 });
    answers.push(await listPage(simulator, "IPv4"), simulator.ledger(), simulator.requestCounts());
    return { answers, hits: simulator.faultsHit() };
  };
  const first = await play();
  simulator.reset();
  expect(simulator.ledger()).toEqual([]);
  expect(simulator.now()).toEqual(clock.now());
  expect(await play()).toEqual(first);
  expect(first.hits).toBeGreaterThan(0);
});

test("an opened account is gone after a reset, and the answer says so", async () => {
  const simulator = await startForTest();
  const other = simulator.openAccount({ name: "staging" });
  simulator.reset();
  expect(() => other.balance()).toThrow('no account "staging" any more');
});

test("nothing is saved while a call is still to be carried out late, because it would be lost", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  simulator.addFault({
    endpoint: "createOrder",
    phase: "before",
    fault: { kind: "lateCommit", afterMs: 60_000 },
  });
  await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow();
  expect(() => simulator.save()).toThrow("1 call is still to be carried out late");
  simulator.advance({ minutes: 1 });
  expect(Object.values(simulator.save().accounts)[0]?.orders).toHaveLength(1);
});

test.each([
  ["nothing", undefined, /expected object/],
  ["a list", [], /expected object/],
  ["another version", { version: 2 }, /version/],
  ["no account", { version: 1, at: "2026-03-01T12:00:00.000Z", accounts: {} }, /one account/],
  [
    "an account with half its money",
    { version: 1, at: "2026-03-01T12:00:00.000Z", accounts: { main: { seed: 1, money: {} } } },
    /accounts\.main\.money\.opening/,
  ],
])("%s is no snapshot, and nothing changes", async (_name, snapshot, reason) => {
  const simulator = await startLived();
  const before = simulator.save();
  expect(() => simulator.load(snapshot)).toThrow(reason);
  expect(simulator.save()).toEqual(before);
});
