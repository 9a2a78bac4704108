import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpointNames } from "../../simulator/api/endpoint-name.ts";
import type { Simulator } from "../../simulator/index.ts";
import { ask, type Call, listIds } from "./caller.ts";
import { startForTest } from "./start.ts";

interface Exchange {
  request: Call;
  response: object;
}

const folder = join(import.meta.dirname, "../fixtures");
const endpoints = readdirSync(folder).filter((name) => !name.includes("."));
const files = endpoints.flatMap((endpoint) =>
  readdirSync(join(folder, endpoint)).map((file) => `${endpoint}/${file}`),
);

test("every endpoint has documented exchanges, with a success and an unknown key", () => {
  expect(endpoints.toSorted()).toEqual(endpointNames.toSorted());
  for (const endpoint of endpointNames) {
    expect(files).toContain(`${endpoint}/invalid-key.json`);
    expect(files.some((file) => file.startsWith(`${endpoint}/ok`))).toBe(true);
  }
});

test.each(files)("answers like tests/fixtures/%s", async (file) => {
  const exchange: Exchange = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const simulator = await startForTest();
  await fillLikeTheFixtures(simulator);
  if (file.includes("insufficient-funds")) simulator.setBalance("1.25");
  const request = await putRealIds(simulator, exchange.request);
  const apiKey = file.endsWith("invalid-key.json") ? "nobody's" : simulator.apiKey;
  const answer = await ask(simulator, request, apiKey);
  expect(sketch(answer)).toEqual(sketch(exchange.response));
});

/** Makes the proxies that the fixtures' listings and extensions need. */
async function fillLikeTheFixtures(simulator: Simulator): Promise<void> {
  const rented = { rentPeriodDays: 90 };
  simulator.placeForeignOrder({ ...rented, proxyType: "IPv4", country: "USA", quantity: 2 });
  simulator.placeForeignOrder({ ...rented, proxyType: "IPv4", country: "DEU", quantity: 1 });
  simulator.placeForeignOrder({ ...rented, proxyType: "IPv6", country: "NLD", quantity: 2 });
  const [first] = await listIds(simulator, "IPv4");
  simulator.setAutoExtension([first ?? ""], true, 30);
}

async function putRealIds(simulator: Simulator, request: Call): Promise<Call> {
  const body = request.body as Record<string, unknown> | undefined;
  const field = ["ipAddressIds", "IpAddressIds"].find((name) => body && name in body);
  if (body === undefined || field === undefined) return request;
  const ids = (await listIds(simulator, body.proxyType === "IPv6" ? "IPv6" : "IPv4")).slice(0, 2);
  const asDocumented = typeof body[field] === "string" ? ids.join(",") : ids;
  return { ...request, body: { ...body, [field]: asDocumented } };
}

/** Fields whose exact value is documented, or follows from the request. */
const exactFields = new Set([
  "success",
  "error",
  "warnings",
  "proxyType",
  "proxyTypes",
  "promoCodeStatus",
  "discount",
  "quantity",
  "rentPeriodDays",
  "currency",
  "currencyCode",
  "totalElements",
  "totalPages",
  "comment",
]);

/** In these fields the keys are data, and not names of fields. */
const mapFields = new Set(["mobileOperators"]);

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;

/** Replaces the example values of an answer by their types, and a list by the kinds of its elements. */
function sketch(value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === "string") return timestamp.test(value) ? "timestamp" : "string";
  if (typeof value !== "object") return typeof value;
  if (Array.isArray(value)) return { kinds: distinct(value) };
  // In an answer the percentage follows from the request. In a listed promo code it is an example.
  const isAnswer = "success" in value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, field]: [string, unknown]) => {
        if (exactFields.has(key) && (isAnswer || key !== "discount")) return [key, field];
        if (mapFields.has(key)) return [key, distinct(Object.values(field ?? {}))];
        return [key, sketch(field)];
      }),
  );
}

function distinct(values: unknown[]): string[] {
  return [...new Set(values.map((value) => JSON.stringify(sketch(value))))].toSorted();
}
