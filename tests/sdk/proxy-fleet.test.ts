import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import { ProxyFleet, type ProxyFleetArgs } from "../../sdk/index.ts";
import { record } from "../core/support/fake-service.ts";
import { settle } from "./stack.ts";

const common = { proxyType: "IPv4", rentPeriodDays: 30, goal: "price comparison" } as const;

/** The end of each country's order. */
const ends: Record<string, string | undefined> = {
  // This is earlier than the German end, although its text sorts after that.
  USA: "2026-03-31T00:00:00.000+03:00",
  DEU: "2026-03-30T23:00:00.000+00:00",
};

/** Finishes the creation of the resource named "first". */
let finishFirst: () => void = () => undefined;

/** The declared resources. In these tests this list takes the place of the engine. */
let declared: pulumi.runtime.MockResourceArgs[] = [];

beforeEach(async () => {
  declared = [];
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve;
  });
  const newResource = async (resource: pulumi.runtime.MockResourceArgs) => {
    declared.push(resource);
    if (resource.name === "first") await first;
    const { country } = resource.inputs;
    return { id: resource.name, state: country === undefined ? {} : stateOf(resource.inputs) };
  };
  await pulumi.runtime.setMocks({ call: () => ({}), newResource }, "fleet", "dev", false, "acme");
});

/** The outputs of a country's order, which has one proxy. */
function stateOf(inputs: { country: string }) {
  const { country } = inputs;
  const proxy = record("7000", country === "USA" ? 1 : 2, { country, dateEnd: ends[country] });
  const id = proxy.ipAddressId;
  return {
    ...inputs,
    proxies: [proxy],
    ipAddressIds: [id],
    credentials: { [id]: { login: country, password: "p" } },
    urls: [`http://${country}`],
    expiresAt: ends[country],
  };
}

const declaredAs = (type: string) => declared.filter((resource) => resource.type.endsWith(type));

describe("a fleet", () => {
  test("declares an order for each country, with its own arguments", async () => {
    const countries = { USA: 50, DEU: pulumi.output(20) };
    const fleet = new ProxyFleet("fleet", { ...common, countries, maxPrice: 100 });
    await settle(fleet.ipAddressIds);
    const orders = declaredAs(":ProxyOrder");
    expect(orders.map(({ name }) => name)).toEqual(["fleet-USA", "fleet-DEU"]);
    expect(orders.map(({ inputs }) => inputs)).toMatchObject([
      { ...common, country: "USA", quantity: 50, maxPrice: 100 },
      { ...common, country: "DEU", quantity: 20, maxPrice: 100 },
    ]);
    expect(orders[0]?.inputs).not.toHaveProperty("countries");
    expect(orders[0]?.inputs).not.toHaveProperty("autoExtend");
    expect(declaredAs(":ProxyFleet").map(({ type }) => type)).toEqual([
      "proxyrental:index:ProxyFleet",
    ]);
    expect(declaredAs(":IpAutoExtend")).toEqual([]);
  });

  test("gives its orders one limit for all of them, and only if it has one", async () => {
    const countries = { USA: 50, DEU: 20 };
    const limited = new ProxyFleet("fleet", { ...common, countries, maxSpend: pulumi.output(100) });
    await settle(limited.ipAddressIds);
    const owner = "acme/urn:pulumi:dev::fleet::proxyrental:index:ProxyFleet::fleet";
    const orders = declaredAs(":ProxyOrder").map(({ inputs }) => inputs);
    expect(orders.map((inputs) => inputs.fleet)).toEqual([
      { owner, maxSpend: 100 },
      { owner, maxSpend: 100 },
    ]);
    expect(orders[0]).not.toHaveProperty("maxSpend");

    declared = [];
    await settle(new ProxyFleet("other", { ...common, countries }).ipAddressIds);
    for (const { inputs } of declaredAs(":ProxyOrder")) expect(inputs).not.toHaveProperty("fleet");
  });

  test.each([
    [true, 30],
    [{ rentPeriodDays: 60 }, 60],
  ])("extends the proxies of each country if asked: %j", async (autoExtend, days) => {
    const fleet = new ProxyFleet("fleet", {
      ...common,
      countries: { USA: 1, DEU: 1 },
      autoExtend,
    });
    await settle(fleet.urn);
    await expect.poll(() => declaredAs(":IpAutoExtend")).toHaveLength(2);
    expect(declaredAs(":IpAutoExtend").map(({ name, inputs }) => ({ name, inputs }))).toMatchObject(
      [
        {
          name: "fleet-USA-auto-extend",
          inputs: { proxyType: "IPv4", ipAddressIds: ["ip-1"], rentPeriodDays: days },
        },
        {
          name: "fleet-DEU-auto-extend",
          inputs: { proxyType: "IPv4", ipAddressIds: ["ip-2"], rentPeriodDays: days },
        },
      ],
    );
  });

  test("has its orders' outputs, together and by country", async () => {
    const fleet = new ProxyFleet("fleet", { ...common, countries: { USA: 1, DEU: 1 } });
    expect(await settle(fleet.ipAddressIds)).toEqual(["ip-1", "ip-2"]);
    expect(await settle(fleet.ipAddressIdsByCountry.DEU)).toEqual(["ip-2"]);
    expect((await settle(fleet.proxies)).map(({ country }) => country)).toEqual(["USA", "DEU"]);
    expect(await settle(fleet.proxiesByCountry.USA)).toHaveLength(1);
    expect(await settle(fleet.credentials)).toEqual({
      "ip-1": { login: "USA", password: "p" },
      "ip-2": { login: "DEU", password: "p" },
    });
    expect(await settle(fleet.credentialsByCountry.DEU)).toHaveProperty("ip-2");
    expect(await settle(fleet.urls)).toEqual(["http://USA", "http://DEU"]);
    expect(await settle(fleet.urlsByCountry.USA)).toEqual(["http://USA"]);
    expect(await settle(fleet.expiresAt)).toBe(ends.USA);
    expect(await settle(fleet.expiresAtByCountry.DEU)).toBe(ends.DEU);
    expect(await settle(fleet.orders.DEU.urn)).toContain("proxyrental:ProxyOrder::fleet-DEU");
  });

  test("keeps logins secret, and the others plain", async () => {
    const fleet = new ProxyFleet("fleet", { ...common, countries: { USA: 1 } });
    expect(await pulumi.isSecret(fleet.credentials)).toBe(true);
    expect(await pulumi.isSecret(fleet.urls)).toBe(true);
    expect(await pulumi.isSecret(fleet.credentialsByCountry.USA)).toBe(true);
    expect(await pulumi.isSecret(fleet.urlsByCountry.USA)).toBe(true);
    expect(await pulumi.isSecret(fleet.proxies)).toBe(false);
    expect(await pulumi.isSecret(fleet.ipAddressIds)).toBe(false);
  });

  test("orders nothing before its dependencies are there", async () => {
    class First extends pulumi.CustomResource {}
    const dependsOn = new First("acme:index:First", "first");
    const waiting = new ProxyFleet("waiting", { ...common, countries: { USA: 1 } }, { dependsOn });
    const free = new ProxyFleet("free", { ...common, countries: { USA: 1 } });
    await settle(free.ipAddressIds);
    expect(declaredAs(":ProxyOrder").map(({ name }) => name)).toEqual(["free-USA"]);
    finishFirst();
    await settle(waiting.ipAddressIds);
    expect(declaredAs(":ProxyOrder").map(({ name }) => name)).toEqual(["free-USA", "waiting-USA"]);
  });

  test("refuses impossible orders before it declares anything", async () => {
    const wrong = { ...common, countries: { usa: 5, DEU: 0 }, adoptOrderNumber: "4683731" };
    const declare = () => new ProxyFleet("fleet", wrong as unknown as ProxyFleetArgs);
    expect(declare).toThrow(
      expect.objectContaining({
        code: "INPUT_INVALID",
        message: expect.stringMatching(
          /^INPUT_INVALID: ProxyFleet fleet: adoptOrderNumber is not .+; countries\.usa must .+; countries\.DEU must /,
        ),
      }),
    );
    const later = pulumi.output({ USA: 5 }) as unknown as { USA: number };
    expect(() => new ProxyFleet("fleet", { ...common, countries: later })).toThrow(
      /countries must be known when the program runs/,
    );
    // This later declaration arrives. So an earlier one would have arrived before it.
    const fleet = new ProxyFleet("other", { ...common, countries: { USA: 1 } });
    await settle(fleet.ipAddressIds);
    expect(declared.filter(({ name }) => name.startsWith("fleet"))).toEqual([]);
  });
});
