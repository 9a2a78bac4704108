import { expect, test } from "vitest";
import { listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

test("an extension moves the ends of the named proxies only, and charges the calculated price", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  await post(simulator, "order", orders.IPv4);
  const ids = await listIds(simulator, "IPv4");
  const named = ids.slice(0, 2);
  const request = { proxyType: "IPv4", rentPeriodDays: 60 };
  const calculated = await post(simulator, "calculate/extend", { ...request, IpAddressIds: named });
  expect(simulator.ledger()).toHaveLength(1);
  const extended = await post(simulator, "extend", { ...request, ipAddressIds: named });
  expect(extended).toMatchObject({ success: true, quantity: 2, ipAddressIds: named });
  expect(simulator.ledger()[1]).toMatchObject({ kind: "extension", quantity: 2, price: "5.46" });
  expect(calculated.price).toBe(5.46);
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content.map((row) => row.dateEnd.slice(0, 10))).toEqual([
    "2026-05-30",
    "2026-05-30",
    "2026-03-31",
    "2026-03-31",
    "2026-03-31",
  ]);
});

test("an extension above the balance is a warning when calculated, and refused when sent", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  simulator.setBalance("6.99");
  const ids = await listIds(simulator, "IPv4");
  const request = { proxyType: "IPv4", rentPeriodDays: 30 };
  expect(
    await post(simulator, "calculate/extend", { ...request, IpAddressIds: ids }),
  ).toMatchObject({
    success: true,
    price: 7,
    warnings: [{ code: 16 }],
  });
  const refused = await post(simulator, "extend", { ...request, ipAddressIds: ids });
  expect(refused).toMatchObject({ success: false, error: { code: 16 }, quantity: 0 });
  expect(simulator.ledger()).toHaveLength(1);
});

test("IPv6 is extended by whole orders only", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv6);
  await post(simulator, "order", orders.IPv6);
  const ids = await listIds(simulator, "IPv6");
  const codeFor = async (named: string[]) => {
    const request = { proxyType: "IPv6", rentPeriodDays: 90 };
    const calculated = await post(simulator, "calculate/extend", {
      ...request,
      IpAddressIds: named,
    });
    const extended = await post(simulator, "extend", { ...request, ipAddressIds: named });
    expect(extended.error).toEqual(calculated.error);
    return extended.error?.code ?? null;
  };
  expect(await codeFor(ids.slice(0, 2))).toBe(9007);
  expect(await codeFor(ids.slice(0, 4))).toBe(9007);
  expect(simulator.ledger()).toHaveLength(2);
  expect(await codeFor(ids.slice(0, 3))).toBeNull();
  expect(await codeFor(ids)).toBeNull();
  expect(simulator.ledger().map((entry) => entry.kind)).toEqual([
    "order",
    "order",
    "extension",
    "extension",
    "extension",
  ]);
});

test.each([
  ["list", "IPv6", true, false],
  ["string", "IPv6", false, true],
  ["either", "IPv6", true, true],
  ["string", "IPv4", true, false],
  ["either", "IPv4", true, false],
] as const)(
  "with ids as %s, %s takes a list: %s, a string: %s",
  async (ipv6IdsAs, proxyType, list, string) => {
    const simulator = await startForTest({ ipv6IdsAs });
    await post(simulator, "order", orders[proxyType]);
    const ids = await listIds(simulator, proxyType);
    const request = { proxyType, rentPeriodDays: 90 };
    const forms = [ids, ids.join(",")].map((IpAddressIds) =>
      post(simulator, "calculate/extend", { ...request, IpAddressIds }),
    );
    const answers = await Promise.all(forms);
    expect(answers.map((answer) => answer.success)).toEqual([list, string]);
  },
);

test("auto-extension sets flag and days on the named proxies and spends nothing", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  const ids = await listIds(simulator, "IPv4");
  const request = { proxyType: "IPv4", ipAddressIds: ids.slice(1, 3), rentPeriodDays: 60 };
  const infos = async () =>
    (await listPage(simulator, "IPv4")).data.content.map(({ extendInfo }) => extendInfo);
  await post(simulator, "extend/auto", { ...request, autoExtend: true });
  const off = { autoExtend: false, extendDays: 0 };
  const on = { autoExtend: true, extendDays: 60 };
  expect(await infos()).toEqual([off, on, on, off, off]);
  await post(simulator, "extend/auto", { ...request, autoExtend: false });
  expect((await infos()).some(({ autoExtend }) => autoExtend)).toBe(false);
  expect(simulator.ledger()).toHaveLength(1);
});

test("a flag switched without a request shows in the listing", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  const [id = ""] = await listIds(simulator, "IPv4");
  simulator.setAutoExtension([id], true);
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content[0]?.extendInfo).toEqual({ autoExtend: true, extendDays: 30 });
  expect(simulator.requestCounts().setAutoExtension).toBe(0);
});

test("flagged proxies are extended and charged before they expire, as long as the balance lasts", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now, balance: "12.00" });
  await post(simulator, "order", orders.IPv4);
  const ids = await listIds(simulator, "IPv4");
  simulator.setAutoExtension(ids.slice(0, 2), true, 30);
  clock.advanceDays(29);
  expect(simulator.ledger()).toHaveLength(1);
  clock.advanceDays(366);
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  expect(simulator.balance()).toBe("2.20");
  expect(
    simulator.ledger().map(({ at, origin, price }) => `${at.slice(0, 10)} ${origin} ${price}`),
  ).toEqual(["2026-03-01 api 7.00", "2026-03-31 automatic 2.80"]);
});

test("renewed proxies are still listed after their first end", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  await post(simulator, "order", orders.IPv4);
  const ids = await listIds(simulator, "IPv4");
  simulator.setAutoExtension(ids.slice(0, 2), true, 30);
  clock.advanceDays(100);
  expect(await listIds(simulator, "IPv4")).toEqual(ids.slice(0, 2));
  expect(simulator.ledger().filter(({ origin }) => origin === "automatic")).toHaveLength(3);
});

test("an extension by request or automatic can change the ids; the rest stays, and old ids find nothing", async () => {
  const extendTwice = async (seed: number) => {
    const clock = new StillClock();
    const simulator = await startForTest({ now: clock.now, seed, idsChangeOnExtension: true });
    await post(simulator, "order", orders.IPv4);
    const before = simulator.proxies();
    const ids = before.map((proxy) => proxy.ipAddressId);
    const request = { proxyType: "IPv4", rentPeriodDays: 30 };
    const named = { ...request, ipAddressIds: ids.slice(1, 3) };
    expect(await post(simulator, "extend", named)).toMatchObject({
      ...{ success: true, ipAddressIds: named.ipAddressIds },
    });
    expect((await post(simulator, "extend", named)).error?.code).toBe(9006);
    const changed = await listIds(simulator, "IPv4");
    expect(changed.map((id) => ids.includes(id))).toEqual([true, false, false, true, true]);
    const rest = (list: typeof before) =>
      list.map(({ ipAddressId: _id, dateEnd: _end, ...proxy }) => proxy);
    expect(rest(simulator.proxies())).toEqual(rest(before));

    simulator.setAutoExtension(changed.slice(0, 1), true, 30);
    clock.advanceDays(30);
    const last = await listIds(simulator, "IPv4");
    expect(last.slice(1)).toEqual(changed.slice(1, 3));
    expect([...ids, ...changed]).not.toContain(last[0]);
    expect(simulator.ledger().map(({ origin, price }) => `${origin} ${price}`)).toEqual([
      "api 7.00",
      "api 2.80",
      "automatic 1.40",
    ]);
    return last;
  };
  expect(await extendTwice(7)).toEqual(await extendTwice(7));
  expect(await extendTwice(7)).not.toEqual(await extendTwice(8));
});
