import { describe, expect, test } from "vitest";
import { clientOf, failureOf } from "./client-under-test.ts";
import { type SeenRequest, serve } from "./fake-service.ts";
import { json, refusal } from "./reactions.ts";

const countries = [{ name: "France", alpha3code: "FRA" }];
const lists = json({ success: true, countries, rentPeriodDays: [30], error: null });

/** The spelling in each request. */
function prefixes(seen: SeenRequest[]): string[] {
  return seen.map(({ path }) => (path.startsWith("/users/client/") ? "/users" : ""));
}

describe("the lists of ISP", () => {
  test.each([
    ["refused with code 4", refusal(4, "Incorrect proxy type")],
    ["not found", json({}, 404)],
  ])(
    "are read from /users if the plain path is %s, and the client remembers it",
    async (_how, no) => {
      const { baseUrl, seen } = await serve(({ path }) => (path.startsWith("/users") ? lists : no));
      const client = clientOf(baseUrl);
      expect(await client.listCountries("ISP")).toEqual(countries);
      expect(await client.listRentPeriods("ISP")).toEqual([30]);
      expect(await client.listCountries("ISP")).toEqual(countries);
      expect(prefixes(seen)).toEqual(["", "/users", "/users", "/users"]);
    },
  );

  test("are read from the plain path as long as it works", async () => {
    const { baseUrl, seen } = await serve(() => lists);
    const client = clientOf(baseUrl);
    await client.listCountries("ISP");
    await client.listRentPeriods("ISP");
    expect(prefixes(seen)).toEqual(["", ""]);
  });

  test("switch back when the remembered path stops working", async () => {
    let wanted = "/users";
    const { baseUrl, seen } = await serve(({ path }) =>
      path.startsWith("/users") === (wanted === "/users") ? lists : json({}, 404),
    );
    const client = clientOf(baseUrl);
    await client.listCountries("ISP");
    wanted = "";
    expect(await client.listCountries("ISP")).toEqual(countries);
    expect(prefixes(seen)).toEqual(["", "/users", "/users", ""]);
  });

  test("keep the working path when several are read at once", async () => {
    const { baseUrl, seen } = await serve(({ path }) =>
      path.startsWith("/users") ? lists : refusal(4, "Incorrect proxy type"),
    );
    const client = clientOf(baseUrl);
    await Promise.all([client.listCountries("ISP"), client.listRentPeriods("ISP")]);
    await client.listCountries("ISP");
    expect(prefixes(seen).at(-1)).toBe("/users");
    expect(seen).toHaveLength(5);
  });

  test("are not read from another path if the key is wrong", async () => {
    const { baseUrl, seen } = await serve(() => refusal(2, "Error api key"));
    const failure = await failureOf(clientOf(baseUrl).listCountries("ISP"));
    expect(failure.code).toBe("API_KEY_REJECTED");
    expect(prefixes(seen)).toEqual([""]);
  });
});

test.each(["IPv4", "IPv6", "MOBILE"] as const)("the lists of %s never use /users", async (type) => {
  const { baseUrl, seen } = await serve(() => refusal(4, "Incorrect proxy type"));
  await failureOf(clientOf(baseUrl).listCountries(type));
  await failureOf(clientOf(baseUrl).listRentPeriods(type));
  expect(prefixes(seen)).toEqual(["", ""]);
});

describe("calculate/extend for IPv6", () => {
  const request = { proxyType: "IPv6" as const, ipAddressIds: ["1", "2"], rentPeriodDays: 90 };
  const price = json({ success: true, price: 1, currency: "USD", balance: 9, error: null });
  const ids = (seen: SeenRequest[]) =>
    seen.map(({ body }) => (body as Record<string, unknown>).IpAddressIds);

  test("sends the ids as a string, as documented", async () => {
    const { baseUrl, seen } = await serve(() => price);
    await clientOf(baseUrl).calculateExtension(request);
    expect(ids(seen)).toEqual(["1,2"]);
  });

  test("sends a list if the string is refused, and remembers it", async () => {
    const { baseUrl, seen } = await serve(({ body }) =>
      Array.isArray((body as Record<string, unknown>).IpAddressIds) ? price : refusal(9006, "ids"),
    );
    const client = clientOf(baseUrl);
    await client.calculateExtension(request);
    await client.calculateExtension(request);
    expect(ids(seen)).toEqual(["1,2", ["1", "2"], ["1", "2"]]);
  });

  test("reports the error of the documented form if both are refused, and remembers nothing", async () => {
    const { baseUrl, seen } = await serve(({ body }) =>
      Array.isArray((body as Record<string, unknown>).IpAddressIds)
        ? refusal(9006, "not a string")
        : refusal(77, "the true reason"),
    );
    const client = clientOf(baseUrl);
    const failures = [
      await failureOf(client.calculateExtension(request)),
      await failureOf(client.calculateExtension(request)),
    ];
    expect(failures.map((failure) => failure.serviceCode)).toEqual([77, 77]);
    expect(ids(seen)).toEqual(["1,2", ["1", "2"], "1,2", ["1", "2"]]);
  });

  test.each(["IPv4", "ISP", "MOBILE"] as const)("%s always sends a list", async (proxyType) => {
    const { baseUrl, seen } = await serve(() => refusal(9006, "ids"));
    await failureOf(clientOf(baseUrl).calculateExtension({ ...request, proxyType }));
    expect(ids(seen)).toEqual([["1", "2"]]);
  });
});
