import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { Client } from "../../provider/client/index.ts";
import { clientOf, extension, failureOf, order, still } from "./client-under-test.ts";
import { inTurn, type Reaction, serve } from "./fake-service.ts";
import { answer, dribble, hang, htmlPage, json, refusal, reset, truncate } from "./reactions.ts";

const spending: [string, (client: Client) => Promise<unknown>][] = [
  ["createOrder", (client) => client.createOrder(order)],
  [
    "extend",
    (client) => client.extend({ ...extension, ipAddressIds: [...extension.ipAddressIds] }),
  ],
];

const accepted = json({ success: true, orderNumber: "1", ipAddressIds: [], error: null });

const unclear: [string, Reaction, string][] = [
  ["a reset connection", reset, "SERVICE_CONNECTION_LOST"],
  ["a truncated answer", truncate, "SERVICE_CONNECTION_LOST"],
  ["silence", hang, "SERVICE_TIMEOUT"],
  ["a byte at a time", dribble, "SERVICE_TIMEOUT"],
  ["HTML with status 200", answer(htmlPage), "SERVICE_ANSWER_UNREADABLE"],
  ["an empty answer", answer(""), "SERVICE_ANSWER_UNREADABLE"],
  ["500", json({}, 500), "SERVICE_HTTP_STATUS"],
  ["502 in HTML", answer(htmlPage, 502), "SERVICE_HTTP_STATUS"],
  ["503 with Retry-After", json({}, 503, { "retry-after": "0" }), "SERVICE_HTTP_STATUS"],
  ["429 with Retry-After", json({}, 429, { "retry-after": "0" }), "SERVICE_HTTP_STATUS"],
  ["307 to itself", json({}, 307, { location: "/" }), "SERVICE_HTTP_STATUS"],
  ["404", json({}, 404), "SERVICE_HTTP_STATUS"],
];

describe.each(spending)("%s", (_name, call) => {
  test.each(unclear)("is sent once and ends unknown after %s", async (_what, reaction, code) => {
    const { baseUrl, seen } = await serve(inTurn(reaction, accepted));
    const chance = still();
    // Only a silent service is waited for. The time is long enough to send the call on a busy machine.
    const timeoutMs = code === "SERVICE_TIMEOUT" ? 1_000 : 30_000;
    const failure = await failureOf(call(clientOf(baseUrl, { chance, timeoutMs })));
    expect(failure).toMatchObject({ code, outcome: "unknown" });
    expect(seen).toHaveLength(1);
    expect(chance.waits).toEqual([]);
  });

  test.each([
    [14, "Incorrect goal", "SERVICE_REFUSED"],
    [16, "Insufficient funds on balance", "SERVICE_REFUSED"],
    [2, "Error api key", "API_KEY_REJECTED"],
  ])("is sent once and is rejected with code %i", async (serviceCode, message, code) => {
    const { baseUrl, seen } = await serve(inTurn(refusal(serviceCode, message), accepted));
    const failure = await failureOf(call(clientOf(baseUrl)));
    expect(failure).toMatchObject({ code, outcome: "rejected", serviceCode });
    expect(seen).toHaveLength(1);
  });

  test("is rejected, unsent, when the connection is refused", async () => {
    const chance = still();
    const failure = await failureOf(call(clientOf(await closedPort(), { chance })));
    expect(failure).toMatchObject({ code: "SERVICE_UNREACHABLE", outcome: "rejected" });
    expect(chance.waits).toEqual([]);
  });

  test("is rejected, unsent, when the name does not resolve", async () => {
    const chance = still();
    const failure = await failureOf(call(clientOf("http://proxies.invalid", { chance })));
    expect(failure).toMatchObject({ code: "SERVICE_UNREACHABLE", outcome: "rejected" });
    expect(chance.waits).toEqual([]);
  });

  test("has a connection of its own, so that nobody has closed it meanwhile", async () => {
    const fine = json({ success: true, balance: 1, currencyCode: "USD", error: null });
    const { baseUrl, seen } = await serve(({ path }) =>
      path.endsWith("/balance") ? fine : accepted,
    );
    const client = clientOf(baseUrl);
    await client.getBalance();
    await call(client);
    await client.getBalance();
    await call(client);
    await client.getBalance();
    const used = seen.map((request) => request.connection);
    const [first, second, third, fourth, fifth] = used;
    expect(used.filter((connection) => connection === second)).toHaveLength(1);
    expect(used.filter((connection) => connection === fourth)).toHaveLength(1);
    expect(new Set([first, third, fifth]).size).toBeLessThan(3);
  });
});

/** The URL of a port on which no server listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}
