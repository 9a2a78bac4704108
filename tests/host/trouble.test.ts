import { expect, test } from "vitest";
import { inTurn, serve } from "../client/fake-service.ts";
import { answer, htmlPage, json, reset } from "../client/reactions.ts";
import { startForTest } from "../simulator/start.ts";
import { orderArgs as args } from "./order-args.ts";
import { inputsOf, startProvider } from "./provider-process.ts";
import { expectNoSecrets } from "./secrecy.ts";

test("missing settings are one check failure with all names, before anything else happens", {
  timeout: 30_000,
}, async () => {
  const provider = await startProvider({});
  const news = inputsOf("ProxyOrder", args);
  const { inputs, failures } = await provider.check({}, news);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.reason).toMatch(
    /^CONFIGURATION_INVALID: proxyrental:baseUrl is missing: .*; proxyrental:apiKey is missing: .* Nothing was bought\. \(A refresh does not see [^()]*\)$/,
  );
  expect(inputs).toEqual(news);
});

test("settings are read from the environment, and an error does not repeat the key", {
  timeout: 30_000,
}, async () => {
  const environment = {
    PROXYRENTAL_BASE_URL: "ftp://proxies.invalid",
    PROXYRENTAL_API_KEY: "k3y-in-the-environment",
    PROXYRENTAL_MAX_SPEND: "much",
  };
  const provider = await startProvider({}, environment);
  const { failures } = await provider.check({}, inputsOf("ProxyOrder", args));
  expect(failures[0]?.reason).toMatch(
    /PROXYRENTAL_BASE_URL is not accepted \(.*PROXYRENTAL_MAX_SPEND is not accepted/,
  );
  expect(failures[0]?.reason).not.toContain("k3y-in-the-environment");
  expect(await provider.printed()).not.toContain("k3y-in-the-environment");
});

test("a wrong key gives one sentence at preview", { timeout: 30_000 }, async () => {
  const { baseUrl } = await startForTest();
  const provider = await startProvider({ baseUrl, apiKey: "n0b0dy/s key" });
  const { failures } = await provider.check({}, inputsOf("ProxyOrder", args));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.reason).toContain("API_KEY_REJECTED");
  expect(`${failures[0]?.reason}${await provider.printed()}`).not.toMatch(/n0b0dy/);
});

test("an unreachable service gives one sentence at preview, without the key", {
  timeout: 30_000,
}, async () => {
  const provider = await startProvider({ baseUrl: "http://127.0.0.1:1", apiKey: "k3y-of-mine" });
  const { failures } = await provider.check({}, inputsOf("ProxyOrder", args));
  expect(failures[0]?.reason).toMatch(
    /^SERVICE_UNREACHABLE: .*127\.0\.0\.1:1 .*Nothing was bought/,
  );
  expect(`${failures[0]?.reason}${await provider.printed()}`).not.toContain("k3y");
});

test.each([
  ["reset connection", reset],
  ["500", json({}, 500)],
  ["HTML page", answer(htmlPage)],
])(
  "an order that ends in a %s is sent once, and nothing more is bought",
  { timeout: 30_000 },
  async (_what, reaction) => {
    const calculation = { success: true, price: 7, currency: "USD", balance: 100, error: null };
    let ordered = false;
    const { baseUrl, seen } = await serve(({ path }) => {
      if (path.endsWith("/order") && !path.includes("calculate")) {
        ordered = true;
        return reaction;
      }
      // After the lost answer the listing fails, too. So nobody can see what became of the order.
      if (path.includes("/ipAddress") && ordered) return json({}, 404);
      const catalogue = {
        proxyTypes: ["IPv4"],
        countries: [{ name: "United States", alpha3code: "USA" }],
        rentPeriodDays: [30],
        data: { totalElements: 0, totalPages: 0, content: [] },
      };
      return inTurn(json({ ...calculation, ...catalogue }))();
    });
    const apiKey = "k3y%/with strange?parts";
    const provider = await startProvider({ baseUrl, apiKey, settlingSeconds: "1" });
    const news = inputsOf("ProxyOrder", args);
    const { inputs } = await provider.check({}, news);
    const other = await provider.check({}, { ...news, owner: "org/urn::other" });
    const failures = [];
    for (const wanted of [inputs, inputs, other.inputs]) {
      failures.push(await provider.create(wanted).catch((error: Error) => error.message));
    }
    expect(failures).toEqual([
      expect.stringContaining("ORDER_OUTCOME_UNKNOWN"),
      expect.stringContaining("ORDER_OUTCOME_UNKNOWN"),
      expect.stringContaining("BUYING_STOPPED"),
    ]);
    const orders = seen.filter(({ path }) => /v1\/[^/]+\/order$/.test(path));
    expect(orders).toHaveLength(1);
    expect(orders[0]?.body).toEqual({ ...args, authType: "LOGIN" });
    for (const text of [...failures, await provider.printed()]) {
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain(encodeURIComponent(apiKey));
    }
  },
);

test("an expected error is printed without a stack trace", { timeout: 30_000 }, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const { inputs } = await provider.check({}, inputsOf("ProxyOrder", args));
  const { id, properties } = await provider.create(inputs);
  simulator.removeProxies(simulator.proxies().map(({ ipAddressId }) => ipAddressId));
  const later = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  await expect(later.read(id, properties)).rejects.toThrow(/^ORDER_MISSING: 1 of the 1 proxies/);
  expect(await later.printed()).toContain("ORDER_MISSING");
  expect(await later.printed()).not.toMatch(/\n\s+at /);
  await expectNoSecrets(simulator, later, properties);
});

test("an order that is gone is dropped with an empty id", { timeout: 30_000 }, async () => {
  const simulator = await startForTest();
  const { baseUrl, apiKey } = simulator;
  const provider = await startProvider({ baseUrl, apiKey });
  const news = inputsOf("ProxyOrder", args);
  const { inputs } = await provider.check({}, news);
  const { id, properties } = await provider.create(inputs);
  simulator.removeProxies(simulator.proxies().map(({ ipAddressId }) => ipAddressId));
  const later = await startProvider({ baseUrl, apiKey, goneOrders: `1, ${id}` });
  expect((await later.read(id, properties)).id).toBe("");
  expect((await later.check({}, news)).inputs).toMatchObject({ quote: { effect: "buy" } });
  expect(simulator.requestCounts().createOrder).toBe(1);
});
