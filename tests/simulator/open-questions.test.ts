import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type PresetName, presets, resolveOpenQuestions } from "../../simulator/open-questions.ts";
import { ask, get, listIds, listPage, orders, post, StillClock, send } from "./caller.ts";
import { startForTest } from "./start.ts";

test("dateEnd is missing from the listing for the given time", async () => {
  const simulator = await startForTest({ now: new StillClock().now, dateEndDelayMs: 5000 });
  await post(simulator, "order", orders.IPv4);
  const ends = async () =>
    (await listPage(simulator, "IPv4")).data.content.map(({ dateEnd }) => dateEnd);
  expect(await ends()).toEqual(Array.from({ length: 5 }, () => undefined));
  simulator.advance({ seconds: 4.999 });
  expect(new Set(await ends())).toEqual(new Set([undefined]));
  simulator.advance({ seconds: 0.001 });
  expect(new Set(await ends())).toEqual(new Set(["2026-03-31T12:00:00.000+00:00"]));
});

test("calls above the rate limit get 429 with Retry-After, and are not carried out", async () => {
  const simulator = await startForTest({ rateLimitedPercent: 100 });
  const call = { method: "POST", path: "/client/api/v1/{apiKey}/order", body: orders.IPv4 };
  const response = await send(simulator, call);
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe("1");
  expect(simulator.ledger()).toEqual([]);
});

test("half of the calls that get 503 are carried out", async () => {
  const simulator = await startForTest({ unavailablePercent: 100, balance: 1000 });
  const call = { method: "POST", path: "/client/api/v1/{apiKey}/order", body: orders.IPv4 };
  const statuses = new Set<number>();
  for (let index = 0; index < 40; index += 1) statuses.add((await send(simulator, call)).status);
  expect(statuses).toContain(503);
  const charged = simulator.ledger().length;
  expect(charged).toBeGreaterThan(8);
  expect(charged).toBeLessThan(32);
});

test("a preset's failures are a standing fault: cleared like others, back after a reset", async () => {
  const simulator = await startForTest({ unavailablePercent: 100 });
  const call = { method: "GET", path: "/client/api/v1/{apiKey}/proxyType" };
  const statuses = async () => {
    const seen = new Set<number>();
    for (let index = 0; index < 10; index += 1) seen.add((await send(simulator, call)).status);
    return [...seen];
  };
  expect(await statuses()).toContain(503);
  simulator.clearFaults();
  expect(await statuses()).toEqual([200]);
  simulator.reset();
  expect(await statuses()).toContain(503);
});

test("the strict preset refuses everything that the document does not show", async () => {
  const simulator = await startForTest({ preset: "strict" });
  expect((await get(simulator, "country", { proxyType: "ISP" })).error?.code).toBe(4);
  expect((await post(simulator, "order", orders.IPv6)).error?.code).toBe(9002);
  await post(simulator, "order", { ...orders.IPv6, quantity: 10 });
  const ids = await listIds(simulator, "IPv6");
  const extension = { proxyType: "IPv6", rentPeriodDays: 90 };
  const asList = await post(simulator, "calculate/extend", { ...extension, IpAddressIds: ids });
  expect(asList.error?.code).toBe(9006);
  const asText = { ...extension, IpAddressIds: ids.join(",") };
  expect((await post(simulator, "calculate/extend", asText)).success).toBe(true);
});

test("the hostile preset: other order numbers, late and partial delivery, no ends, pages of three", async () => {
  const simulator = await startForTest({ preset: "hostile", now: new StillClock().now });
  simulator.clearFaults();
  const { orderNumber } = await post(simulator, "order", orders.IPv4);
  expect((await listPage(simulator, "IPv4")).data.content).toEqual([]);
  simulator.advance({ seconds: 1.5 });
  const { data } = await listPage(simulator, "IPv4");
  expect(data).toMatchObject({ totalElements: 3, totalPages: 1 });
  expect(data.content[0]).not.toHaveProperty("dateEnd");
  expect(data.content[0]?.orderId).not.toBe(orderNumber);
  simulator.advance({ seconds: 0.5 });
  expect((await listPage(simulator, "IPv4")).data).toMatchObject({
    totalElements: 5,
    totalPages: 2,
  });
});

test("an option overrides its preset", async () => {
  const simulator = await startForTest({
    preset: "strict",
    minimumQuantity: {},
    pageCap: undefined,
  });
  expect((await post(simulator, "order", orders.IPv6)).success).toBe(true);
  await post(simulator, "order", { ...orders.IPv4, quantity: 11 });
  expect((await listPage(simulator, "IPv4")).data.content).toHaveLength(10);
});

test.each([
  [{ preset: "nasty" as "strict" }, /preset must be one of strict, hostile/],
  [{ ipv6IdsAs: "json" as "list" }, /ipv6IdsAs must be one of list, string, either/],
  [{ pageCap: 0 }, /pageCap/],
  [{ dateEndDelayMs: -1 }, /dateEndDelayMs/],
  [{ deliveryBatch: { size: 0, everyMs: 1 } }, /deliveryBatch\.size/],
  [{ minimumQuantity: { IPv6: 0.5 } }, /minimumQuantity\.IPv6/],
  [{ rateLimitedPercent: 101 }, /rateLimitedPercent must be a number from 0 to 100/],
  [{ unavailablePercent: Number.NaN }, /unavailablePercent/],
])("%j is refused, and the error names it", async (options, reason) => {
  await expect(startForTest(options)).rejects.toThrow(reason);
});

test("a custom catalogue: countries, periods, operators, promo codes and prices", async () => {
  const simulator = await startForTest({
    catalogue: {
      countries: { ISP: ["USA", { name: "Atlantis", alpha3code: "ATL" }] },
      rentPeriodDays: { ISP: [7] },
      mobileOperators: { USA: [{ mobileOperator: "one", rotationTimes: [60] }] },
      promoCodes: [{ code: "HALF", discount: 50 }],
      prices: {
        monthly: { ISP: "30.00" },
        countryFactors: { ATL: "2" },
        periodFactors: { 7: "0.3" },
        quantityTiers: [
          { from: 5, factor: "0.5" },
          { from: 2, factor: "0.9" },
        ],
      },
    },
  });
  expect((await get(simulator, "country", { proxyType: "ISP" })).countries).toEqual([
    { name: "United States", alpha3code: "USA" },
    { name: "Atlantis", alpha3code: "ATL" },
  ]);
  expect((await get(simulator, "country", { proxyType: "IPv4" })).countries.length).toBeGreaterThan(
    5,
  );
  expect((await get(simulator, "mobileOperator")).mobileOperators).toEqual({
    USA: [{ mobileOperator: "one", rotationTimes: [60] }],
  });
  const order = { ...orders.ISP, country: "ATL", rentPeriodDays: 7 };
  const price = async (more: object) =>
    (await post(simulator, "calculate/order", { ...order, ...more })).price;
  expect(await price({ quantity: 1 })).toBe(18);
  expect(await price({ quantity: 2 })).toBe(32.4);
  expect(await price({ quantity: 5 })).toBe(45);
  expect(await price({ quantity: 5, promoCode: "HALF" })).toBe(22.5);
  expect((await post(simulator, "calculate/order", orders.ISP)).error?.code).toBe(9003);
});

test.each([
  [{ countries: { IPv5: [] } }, /IPv5/],
  [{ countries: { IPv4: ["usa"] } }, /alpha-3/],
  [{ rentPeriodDays: { IPv4: [0] } }, /rentPeriodDays\.IPv4/],
  [{ prices: { monthly: { IPv4: 1.4 } } }, /prices\.monthly\.IPv4/],
  [{ price: {} }, /price/],
  [{ promoCodes: [{ code: "X", discount: 101 }] }, /promoCodes\[0\]\.discount/],
])("a catalogue with %j is refused, and the error names it", async (catalogue, reason) => {
  await expect(startForTest({ catalogue: catalogue as object })).rejects.toThrow(reason);
});

test("a hostile service requires a key too", async () => {
  const simulator = await startForTest({ preset: "hostile" });
  simulator.clearFaults();
  const call = { method: "GET", path: "/client/api/v1/{apiKey}/balance" };
  expect((await ask(simulator, call, "nobody's")).error?.code).toBe(2);
});

test("the README has each question and the presets' answers", async () => {
  const readme = await readFile(new URL("../../simulator/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|([^|]+)\|$/gm)];
  const told = rows.map(([, knob, strict = "", hostile = ""]) => [
    knob,
    strict.trim() !== "",
    hostile.trim() !== "",
  ]);
  const isAnswered = (preset: PresetName, knob: string) => Object.hasOwn(presets[preset], knob);
  expect(told.toSorted()).toEqual(
    Object.keys(resolveOpenQuestions({}))
      .map((knob) => [knob, isAnswered("strict", knob), isAnswered("hostile", knob)])
      .toSorted(),
  );
});
