import { describe, expect, test } from "vitest";
import type { ClientOptions, ObservedCall } from "../../provider/client/index.ts";
import { API_KEY, clientOf, failureOf, order } from "./client-under-test.ts";
import { inTurn, type Reaction, serve } from "./fake-service.ts";
import { answer, hang, htmlPage, json, refusal, reset, truncate } from "./reactions.ts";

const fine = json({ success: true, balance: 993, currencyCode: "USD", error: null });
const placed = json({
  ...{ success: true, proxyType: "IPv4", orderNumber: "4683731", balance: 993 },
  ...{ currency: "USD", error: null, promoCodeStatus: null },
});

/** A client of a service that reacts so, and the calls that its observer is told of. */
async function observed(reactions: readonly Reaction[], options: Partial<ClientOptions> = {}) {
  const [first = hang, ...rest] = reactions;
  const { baseUrl, seen } = await serve(inTurn(first, ...rest));
  const calls: ObservedCall[] = [];
  const client = clientOf(baseUrl, { observe: (call) => calls.push(call), ...options });
  return { client, calls, seen };
}

describe("an observer is told of each HTTP call", () => {
  test("that is answered, with what was sent and answered", async () => {
    const { client, calls } = await observed([placed]);
    await client.createOrder(order);
    expect(calls).toEqual([
      {
        ...{ endpoint: "createOrder", attempt: 1, httpStatus: 200, result: { outcome: "ok" } },
        ms: expect.any(Number),
        answeredAt: expect.any(Date),
        request: order,
        answer: expect.stringContaining('"orderNumber":"4683731"'),
      },
    ]);
  });

  test("of each try of one that is asked again", async () => {
    const { client, calls, seen } = await observed([json({}, 503), reset, answer(htmlPage), fine]);
    await client.getBalance();
    expect(seen).toHaveLength(4);
    expect(
      calls.map(({ attempt, httpStatus, result }) => [attempt, httpStatus, result.outcome]),
    ).toEqual([
      [1, 503, "rejected"],
      [2, undefined, "rejected"],
      [3, 200, "rejected"],
      [4, 200, "ok"],
    ]);
  });

  test.each<[string, Reaction, object, number | undefined]>([
    ["lost", reset, { outcome: "unknown", code: "SERVICE_CONNECTION_LOST" }, undefined],
    ["cut off", truncate, { outcome: "unknown", code: "SERVICE_CONNECTION_LOST" }, undefined],
    ["late", hang, { outcome: "unknown", code: "SERVICE_TIMEOUT" }, undefined],
    ["no JSON", answer(htmlPage), { outcome: "unknown", code: "SERVICE_ANSWER_UNREADABLE" }, 200],
    ["a status", json({}, 500), { outcome: "unknown", code: "SERVICE_HTTP_STATUS" }, 500],
    ["a refusal", refusal(14, "Incorrect goal"), { outcome: "rejected", serviceCode: 14 }, 200],
    ["about the key", refusal(2, "Error api key"), { code: "API_KEY_REJECTED" }, 200],
  ])("of a purchase whose answer is %s, once", async (_what, reaction, result, httpStatus) => {
    const { client, calls } = await observed([reaction], { timeoutMs: 1_000 });
    const failure = await failureOf(client.createOrder(order));
    expect(calls).toMatchObject([{ endpoint: "createOrder", attempt: 1, result }]);
    expect(calls[0]?.httpStatus).toBe(httpStatus);
    expect(calls[0]?.result).toMatchObject({ outcome: failure.outcome, code: failure.code });
  });

  test("that reaches nobody", async () => {
    const { client, calls } = await observed([], { baseUrl: "http://127.0.0.1:9" });
    await failureOf(client.getBalance());
    expect(calls.map(({ attempt, result }) => [attempt, result])).toMatchObject(
      [1, 2, 3, 4].map((attempt) => [attempt, { code: "SERVICE_UNREACHABLE" }]),
    );
  });
});

test("of a purchase that was stopped before its first byte nobody is told", async () => {
  const { client, calls, seen } = await observed([placed]);
  const stop = new Error("stop");
  const beforeSend = () => {
    throw stop;
  };
  await expect(client.createOrder(order, { beforeSend })).rejects.toBe(stop);
  expect([calls, seen]).toEqual([[], []]);
});

test("what an observer throws hides no answer and no failure", async () => {
  const observe = () => {
    throw new Error("the disk is full");
  };
  const { client } = await observed([placed, refusal(14, "Incorrect goal")], { observe });
  expect(await client.createOrder(order)).toMatchObject({ orderNumber: "4683731" });
  expect(await failureOf(client.createOrder(order))).toMatchObject({ serviceCode: 14 });
});

test("a message that quotes the key is told without it", async () => {
  const { client, calls } = await observed([refusal(14, `no ${encodeURIComponent(API_KEY)} here`)]);
  await failureOf(client.createOrder(order));
  expect(calls).toMatchObject([
    { result: { message: expect.stringContaining("no <API_KEY> here") } },
  ]);
});
