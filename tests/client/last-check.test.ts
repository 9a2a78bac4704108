import dns from "node:dns";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Client, SpendingOptions } from "../../provider/client/index.ts";
import { clientOf, extension, failureOf, order } from "./client-under-test.ts";

afterEach(() => void vi.restoreAllMocks());

const spending: [string, (client: Client, options?: SpendingOptions) => Promise<unknown>][] = [
  ["createOrder", (client, options) => client.createOrder(order, options)],
  [
    "extend",
    (client, options) =>
      client.extend({ ...extension, ipAddressIds: [...extension.ipAddressIds] }, options),
  ],
];

/** A service that counts connections and all received bytes. */
async function listen({ isSilent = false } = {}) {
  const seen = { connections: 0, requests: 0, bytes: () => 0 };
  const server: Server = createServer((_request, response) => {
    seen.requests += 1;
    if (isSilent) return;
    response.end(JSON.stringify({ success: true, orderNumber: "1", ipAddressIds: [] }));
  });
  server.on("connection", (socket) => {
    seen.connections += 1;
    const before = seen.bytes;
    seen.bytes = () => before() + socket.bytesRead;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, baseUrl: `http://proxies.test:${port}` };
}

/** Holds back the lookups of names until the test lets them go on. */
function holdLookups() {
  const { lookup } = dns;
  const opened = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const resolve = (_name: string, ...rest: unknown[]) => {
    asked.resolve();
    void opened.promise.then(() => Reflect.apply(lookup, dns, ["127.0.0.1", ...rest]));
  };
  vi.spyOn(dns, "lookup").mockImplementation(resolve as typeof lookup);
  return { asked: asked.promise, open: opened.resolve };
}

describe.each(spending)("%s", (_name, call) => {
  test("sends nothing if the turn was lost during the name lookup", async () => {
    const { seen, baseUrl } = await listen();
    const lookups = holdLookups();
    let isHeld = true;
    const lost = new Error("lost its turn");
    const beforeSend = () => {
      if (isHeld) return 30_000;
      throw lost;
    };
    const sent = call(clientOf(baseUrl), { beforeSend }).catch((error: unknown) => error);
    await lookups.asked;
    isHeld = false;
    lookups.open();
    expect(await sent).toBe(lost);
    await vi.waitFor(() => expect(seen.connections).toBe(1));
    expect([seen.requests, seen.bytes()]).toEqual([0, 0]);
  });

  test("calls beforeSend once, after the connection stands and before the first byte", async () => {
    const { seen, baseUrl } = await listen();
    const lookups = holdLookups();
    let asked = 0;
    const beforeSend = () => {
      asked += 1;
      expect(seen.requests).toBe(0);
      return 30_000;
    };
    const sent = call(clientOf(baseUrl), { beforeSend });
    await lookups.asked;
    expect(asked).toBe(0);
    lookups.open();
    await sent;
    expect([asked, seen.requests]).toEqual([1, 1]);
  });

  test("is rejected, unsent, if the deadline passed before the connection stood", async () => {
    const { seen, baseUrl } = await listen();
    const lookups = holdLookups();
    const beforeSend = vi.fn();
    const sent = call(clientOf(baseUrl, { timeoutMs: 20 }), { beforeSend });
    const over = AbortSignal.timeout(60);
    await new Promise((resolve) => over.addEventListener("abort", resolve));
    lookups.open();
    expect(await failureOf(sent)).toMatchObject({
      code: "SERVICE_UNREACHABLE",
      outcome: "rejected",
    });
    expect(beforeSend).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(seen.connections).toBe(1));
    expect([seen.requests, seen.bytes()]).toEqual([0, 0]);
  });

  test("waits for an answer for as long as beforeSend gives, and no longer", async () => {
    const { baseUrl } = await listen({ isSilent: true });
    holdLookups().open();
    const beganMs = performance.now();
    const sent = call(clientOf(baseUrl), { beforeSend: () => 300 });
    expect(await failureOf(sent)).toMatchObject({ code: "SERVICE_TIMEOUT", outcome: "unknown" });
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThan(250);
    expect(tookMs).toBeLessThan(10_000);
  });

  test("waits no longer than its own deadline, whatever beforeSend gives", async () => {
    const { baseUrl } = await listen({ isSilent: true });
    holdLookups().open();
    const sent = call(clientOf(baseUrl, { timeoutMs: 300 }), { beforeSend: () => 3_600_000 });
    expect(await failureOf(sent)).toMatchObject({ code: "SERVICE_TIMEOUT", outcome: "unknown" });
  });

  test("leaves the next call unharmed if beforeSend refused", async () => {
    const { seen, baseUrl } = await listen();
    holdLookups().open();
    const client = clientOf(baseUrl);
    const refuse = () => {
      throw new Error("cancelled");
    };
    await expect(call(client, { beforeSend: refuse })).rejects.toThrow("cancelled");
    await call(client);
    expect(seen.requests).toBe(1);
  });
});
