import { describe, expect, test } from "vitest";
import { clientOf, failureOf, still } from "./client-under-test.ts";
import { inTurn, type Reaction, serve } from "./fake-service.ts";
import { answer, dribble, hang, htmlPage, json, refusal, reset, truncate } from "./reactions.ts";

const balance = { balance: 993, currency: "USD" };
const fine = json({ success: true, balance: 993, currencyCode: "USD", error: null });

const passing: [string, Reaction][] = [
  ["500", json({}, 500)],
  ["429", json({}, 429)],
  ["HTML with status 200", answer(htmlPage)],
  ["an empty answer", answer("")],
  ["a reset connection", reset],
  ["a truncated answer", truncate],
];

describe("a read in passing trouble", () => {
  test.each(passing)("is asked again after %s", async (_what, reaction) => {
    const { baseUrl, seen } = await serve(inTurn(reaction, fine));
    const chance = still();
    expect(await clientOf(baseUrl, { chance }).getBalance()).toEqual(balance);
    expect(seen).toHaveLength(2);
    expect(chance.waits).toEqual([100]);
  });

  test.each(passing)("gives up after four times %s", async (_what, reaction) => {
    const { baseUrl, seen } = await serve(inTurn(reaction));
    const chance = still(1);
    expect(await failureOf(clientOf(baseUrl, { chance }).getBalance())).toMatchObject({
      outcome: "rejected",
    });
    expect(seen).toHaveLength(4);
    expect(chance.waits).toEqual([200, 400, 800]);
  });

  test("waits as long as Retry-After says", async () => {
    const busy = json({}, 429, { "retry-after": "7" });
    const { baseUrl } = await serve(inTurn(busy, fine));
    const chance = still();
    expect(await clientOf(baseUrl, { chance }).getBalance()).toEqual(balance);
    expect(chance.waits).toEqual([7_000]);
  });

  test("does not wait for a Retry-After that lies beyond its deadline", async () => {
    const { baseUrl, seen } = await serve(inTurn(json({}, 503, { "retry-after": "3600" }), fine));
    const chance = still();
    const failure = await failureOf(clientOf(baseUrl, { chance }).getBalance());
    expect(failure).toMatchObject({ httpStatus: 503, retryAfterMs: 3_600_000 });
    expect(seen).toHaveLength(1);
    expect(chance.waits).toEqual([]);
  });

  test("uses its own backoff if Retry-After is a date or nonsense", async () => {
    const odd = ["Wed, 21 Oct 2026 07:28:00 GMT", "soon", "-5"];
    const busy = odd.map((value) => json({}, 429, { "retry-after": value }));
    const { baseUrl } = await serve(inTurn(...busy, fine));
    const chance = still(1);
    expect(await clientOf(baseUrl, { chance }).getBalance()).toEqual(balance);
    expect(chance.waits).toEqual([200, 400, 800]);
  });

  test("counts the waits against the deadline of the whole call", async () => {
    const { baseUrl, seen } = await serve(inTurn(json({}, 500)));
    const chance = still(1);
    await failureOf(clientOf(baseUrl, { chance, timeoutMs: 500 }).getBalance());
    expect(seen).toHaveLength(2);
    expect(chance.waits).toEqual([200]);
  });

  test("switching auto-extension is repeated, because doing it twice changes nothing", async () => {
    const echo = { quantity: 1, ipAddressIds: ["1"], rentPeriodDays: 30 };
    const { baseUrl, seen } = await serve(inTurn(reset, json({ success: true, ...echo })));
    const wanted = { ipAddressIds: ["1"], rentPeriodDays: 30, autoExtend: true };
    const client = clientOf(baseUrl);
    expect(await client.setAutoExtension({ proxyType: "IPv4", ...wanted })).toEqual(echo);
    expect(seen).toHaveLength(2);
  });
});

describe("a read that is answered", () => {
  test.each([
    ["refused", refusal(4, "Incorrect proxy type"), "SERVICE_REFUSED"],
    ["refused because of the key", refusal(2, "Error api key"), "API_KEY_REJECTED"],
    ["answered with 404", json({}, 404), "SERVICE_HTTP_STATUS"],
  ])("is not asked again when %s", async (_how, reaction, code) => {
    const { baseUrl, seen } = await serve(inTurn(reaction, fine));
    expect(await failureOf(clientOf(baseUrl).getBalance())).toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  test("does not follow a redirect", async () => {
    const { baseUrl, seen } = await serve(({ path }) =>
      path === "/elsewhere" ? fine : json({}, 302, { location: "/elsewhere" }),
    );
    const failure = await failureOf(clientOf(baseUrl).getBalance());
    expect(failure).toMatchObject({ code: "SERVICE_HTTP_STATUS", httpStatus: 302 });
    expect(seen).toHaveLength(1);
  });
});

describe("the deadline", () => {
  test.each([
    ["a silent service", hang],
    ["a service that sends one byte at a time", dribble],
  ])("ends a call to %s, and the call is not asked again", async (_what, reaction) => {
    const { baseUrl, seen } = await serve(inTurn(reaction));
    const failure = await failureOf(clientOf(baseUrl, { timeoutMs: 1_000 }).getBalance());
    expect(failure).toMatchObject({ code: "SERVICE_TIMEOUT", outcome: "rejected" });
    expect(failure.message).toContain("1 s");
    expect(seen).toHaveLength(1);
  });
});

test("the message names a wrong base URL", async () => {
  const { baseUrl } = await serve(inTurn(answer(htmlPage)));
  const failure = await failureOf(clientOf(baseUrl).listProxyTypes());
  expect(failure.message).toMatch(/HTML page; is the base URL right/);
});

test("a base URL may end in slashes and contain a path", async () => {
  const { baseUrl, seen } = await serve(inTurn(fine));
  await clientOf(`${baseUrl}/gateway//`).getBalance();
  expect(seen[0]?.path).toMatch(/^\/gateway\/client\/api\/v1\/[^/]+\/balance$/);
});
