import fc from "fast-check";
import { expect, test } from "vitest";
import { proxyTypes } from "../../simulator/catalogue/catalogue.ts";
import { openApiDocument, type Simulator } from "../../simulator/index.ts";
import { type Call, orders, send } from "./caller.ts";
import { startForTest } from "./start.ts";

const key = "/client/api/v1/{apiKey}";
const { paths } = openApiDocument() as { paths: Record<string, object> };
const reads = served("get");
const writes = served("post");
const knownCodes = [4, 8, 13, 14, 16, ...Array.from({ length: 10 }, (_, index) => 9001 + index)];

/** Most values are right. So a wrong field is reached even if the service checks other fields first. */
const mostly = (...right: unknown[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...right), weight: 20 },
    { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
  );

/** The fields of all endpoints in one body. Each endpoint reads its own fields. */
const bodyAround = (heldIds: readonly string[]) => {
  const ids = mostly(heldIds, heldIds.slice(0, 2), heldIds.join(","), [], ["1"]);
  return fc.record(
    {
      proxyType: mostly(...proxyTypes),
      country: mostly("USA", "DEU"),
      quantity: mostly(1, 2, 3, 25, 100, 0, 10_001),
      rentPeriodDays: mostly(30, 60, 90, 180, 360, 31),
      goal: mostly("tests", "scraping", "наука", " "),
      authType: mostly("LOGIN", "LOGIN", "IP"),
      authIp: mostly("192.0.2.1", ""),
      promoCode: mostly("SPRING10", "NONE", null),
      protocol: mostly("HTTP", "SOCKS"),
      mobileOperator: mostly("telekom", "verizon"),
      rotationTime: mostly(300, 600),
      ipAddressIds: ids,
      IpAddressIds: ids,
      autoExtend: mostly(true, false),
      page: mostly(0, 1, -1),
      size: mostly(1, 25, 1e9),
    },
    { requiredKeys: ["proxyType", "country", "quantity", "rentPeriodDays", "goal", "authType"] },
  );
};

const callAround = (heldIds: readonly string[]): fc.Arbitrary<Call> => {
  const anyJson = fc.jsonValue({ maxDepth: 5 });
  const body = fc.oneof(
    { arbitrary: bodyAround(heldIds), weight: 5 },
    { arbitrary: anyJson, weight: 1 },
  );
  const query = fc.oneof(
    fc.record({ proxyType: fc.constantFrom(...proxyTypes) }),
    fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })),
  );
  const prefix = fc.constantFrom("", "/users");
  return fc.oneof(
    fc.record({
      method: fc.constant("GET"),
      path: fc
        .tuple(prefix, fc.constantFrom(...reads))
        .map(([before, name]) => `${before}${key}/${name}`),
      query,
    }),
    fc.record({
      method: fc.constant("POST"),
      path: fc.constantFrom(...writes).map((name) => `${key}/${name}`),
      query,
      body,
    }),
  );
};

test("any input to any endpoint gets a documented answer, and charges only for what was sold", async () => {
  const simulator = await startForTest({ balance: 1_000_000_000 });
  simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "USA",
    quantity: 3,
    rentPeriodDays: 30,
  });
  const heldIds = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
  const sold = new Set<string>();
  await fc.assert(
    fc.asyncProperty(callAround(heldIds), async (call) => {
      const before = simulator.ledger().length;
      const outcome = await sortAnswer(simulator, call);
      const charges = simulator.ledger().slice(before);
      const isSale = outcome === "success" && /\/(order|extend)$/.test(call.path);
      const isSold = isSale && !call.path.includes("/calculate/");
      expect(charges).toHaveLength(isSold ? 1 : 0);
      if (isSold) {
        expect(charges).toMatchObject([{ origin: "api", proxyType: typeOf(call.body) }]);
        sold.add(call.path);
      }
    }),
    // This seed also makes orders and extensions that succeed. Otherwise the absence of charges would prove little.
    { numRuns: 1000, seed: 7 },
  );
  expect([...sold].toSorted()).toEqual([`${key}/extend`, `${key}/order`]);
}, 60_000);

test("an order with a field missing or wrong is never charged", async () => {
  const simulator = await startForTest();
  const anyValue = fc.option(fc.jsonValue({ maxDepth: 3 }), { nil: undefined });
  const spoiled = fc.constantFrom(...Object.values(orders)).chain((right) =>
    fc
      .tuple(fc.constantFrom(...Object.entries(right)), anyValue)
      // A value of the same type might be right by chance: any text is a goal.
      .filter(([[, rightValue], value]) => typeof value !== typeof rightValue)
      .map(([[field], value]) => ({ ...right, [field]: value })),
  );
  await fc.assert(
    fc.asyncProperty(spoiled, async (body) => {
      const outcome = await sortAnswer(simulator, { method: "POST", path: `${key}/order`, body });
      expect(outcome).not.toBe("success");
      expect(simulator.ledger()).toEqual([]);
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** An answer is one of three things. Anything else fails the test, above all a 500. */
async function sortAnswer(
  simulator: Simulator,
  call: Call,
): Promise<"success" | "refusal" | "no request"> {
  const response = await send(simulator, call);
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status === 200 && answer.success === true) {
    expect(answer.error).toBeNull();
    return "success";
  }
  if (response.status === 200) {
    expect(answer).toMatchObject({ success: false, error: { message: expect.any(String) } });
    expect(knownCodes).toContain((answer.error as { code: unknown }).code);
    return "refusal";
  }
  expect([400, 404, 405, 415]).toContain(response.status);
  expect(answer).toEqual({ message: expect.any(String) });
  return "no request";
}

function typeOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "proxyType" in body && body.proxyType;
}

/** The paths after the key that the service serves with this method. */
function served(method: "get" | "post"): string[] {
  const byMethod = Object.entries(paths).filter(([, operations]) => method in operations);
  return byMethod.flatMap(([path]) => (path.startsWith(key) ? [path.slice(key.length + 1)] : []));
}
