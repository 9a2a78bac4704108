import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { get, listPage, orders, post, StillClock } from "./caller.ts";
import { openControlApi } from "./control-api.ts";
import { startForTest } from "./start.ts";

test("the control API is closed unless it was asked for", async () => {
  expect((await startForTest()).controlUrl).toBeUndefined();
});

test("the control API is no part of the service: each has its own port and its own paths", async () => {
  const { simulator, call } = await openControlApi();
  expect(new URL(simulator.controlUrl ?? "").port).not.toBe(new URL(simulator.baseUrl).port);
  expect(simulator.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await fetch(`${simulator.baseUrl}/clock`)).status).toBe(404);
  expect((await call("GET", `/client/api/v1/${simulator.apiKey}/balance`)).status).toBe(404);
});

test("calls of the control API do not count as requests", async () => {
  const { simulator, call } = await openControlApi();
  await call("POST", "/clock/advance", { days: 1 });
  await call("GET", "/accounts");
  expect(simulator.requests()).toEqual([]);
});

test("the clock can be read and advanced, and due steps happen", async () => {
  const { simulator, call } = await openControlApi({ now: new StillClock().now });
  await post(simulator, "order", orders.IPv4);
  expect((await call("GET", "/clock")).body).toEqual({ now: "2026-03-01T12:00:00.000Z" });
  const { body } = await call("POST", "/clock/advance", { days: 30, hours: 1, seconds: 1.5 });
  expect(body).toEqual({ now: "2026-03-31T13:00:01.500Z" });
  expect((await call("GET", "/accounts/main")).body.proxies).toEqual({
    undelivered: 0,
    listed: 0,
    expired: 5,
  });
});

test("faults are added, listed with their hits, removed and cleared", async () => {
  const { simulator, call } = await openControlApi();
  const rule = {
    endpoint: "createOrder",
    calls: [1],
    phase: "after",
    fault: { kind: "status", status: 503 },
  };
  const added = await call("POST", "/faults", rule);
  expect(added).toMatchObject({ status: 201, body: { id: "fault-1" } });
  await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow("503");
  expect((await call("GET", "/faults")).body).toEqual({
    struck: 1,
    faults: [{ id: "fault-1", ...rule, hits: 1, usedUp: true }],
  });
  await call("POST", "/faults", { ...rule, calls: undefined });
  expect((await call("GET", "/faults")).body.faults[1]).toMatchObject({ hits: 0, usedUp: false });
  expect((await call("DELETE", "/faults/fault-2")).status).toBe(204);
  expect((await call("DELETE", "/faults/fault-2")).status).toBe(404);
  expect((await call("DELETE", "/faults")).status).toBe(204);
  expect((await call("GET", "/faults")).body.faults).toEqual([]);
  expect((await post(simulator, "order", orders.IPv4)).success).toBe(true);
});

test("a merge patch changes an answer: null removes a field", async () => {
  const { simulator, call } = await openControlApi();
  const patch = { orderNumber: null, balance: 1 };
  const fault = { kind: "answer", patch };
  await call("POST", "/faults", { endpoint: "createOrder", phase: "after", fault });
  const answer = await post(simulator, "order", orders.IPv4);
  expect(answer).toMatchObject({ success: true, balance: 1 });
  expect(answer).not.toHaveProperty("orderNumber");
});

test("accounts are opened, with a key that is shown once, and read", async () => {
  const { simulator, call } = await openControlApi({ balance: "50.00" });
  const { status, body } = await call("POST", "/accounts", { name: "staging", balance: "9.00" });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "staging", apiKey: expect.stringMatching(/^demo-key-/) });
  const listed = await call("GET", "/accounts");
  const none = { charges: 0, orders: 0, proxies: { undelivered: 0, listed: 0, expired: 0 } };
  expect(listed.body.accounts).toEqual([
    { name: "main", balance: "50.00", currency: "USD", ...none },
    { name: "staging", balance: "9.00", currency: "USD", ...none },
  ]);
  expect(JSON.stringify(listed.body)).not.toContain("demo-key");
  const url = `${simulator.baseUrl}/client/api/v1/${body.apiKey}/balance`;
  expect(await (await fetch(url)).json()).toMatchObject({ balance: 9 });
});

test("an account's environment has the key that the seed has made, and none that was chosen", async () => {
  const { simulator, call } = await openControlApi();
  const { PROXYRENTAL_JOURNAL_DIR: folder, ...rest } = (
    await call("GET", "/accounts/main/environment")
  ).body;
  expect(rest).toEqual({
    PROXYRENTAL_BASE_URL: simulator.baseUrl,
    PROXYRENTAL_API_KEY: simulator.apiKey,
  });
  expect(folder).toBe(simulator.journalDir);
  simulator.reset();
  expect(simulator.journalDir).not.toBe(folder);
  simulator.openAccount({ name: "own", apiKey: "chosen" });
  expect((await call("GET", "/accounts/own/environment")).body.PROXYRENTAL_API_KEY).toBeNull();
});

test("an account's ledger, orders and proxies are shown without logins", async () => {
  const { simulator, call } = await openControlApi({ now: new StillClock().now });
  await post(simulator, "order", orders.IPv4);
  await post(simulator, "order", orders.ISP);
  expect((await call("GET", "/accounts/main/ledger")).body).toEqual({
    opening: "1000.00",
    entries: simulator.ledger(),
    payments: [],
  });
  const { body } = await call("GET", "/accounts/main/orders");
  expect(body.orders).toMatchObject([
    {
      proxyType: "IPv4",
      country: "USA",
      quantity: 5,
      proxies: { listed: 5 },
      autoExtending: 0,
      endsAt: "2026-03-31T12:00:00.000+00:00",
    },
    { proxyType: "ISP", proxies: { listed: 2 } },
  ]);
  const [{ orderNumber }] = body.orders;
  const page = await call("GET", `/accounts/main/proxies?order=${orderNumber}&page=1&size=3`);
  expect(page.body).toMatchObject({ total: 5, proxies: [{ orderNumber }, { orderNumber }] });
  expect((await call("GET", "/accounts/main/proxies")).body.total).toBe(7);
  const [{ login, password } = { login: "", password: "" }] = simulator.proxies();
  expect(login).not.toBe("");
  for (const path of ["proxies", "orders", "ledger"]) {
    const text = JSON.stringify((await call("GET", `/accounts/main/${path}`)).body);
    expect(text).not.toContain(login);
    expect(text).not.toContain(password);
  }
});

test("money is added, prices change, and somebody else orders", async () => {
  const { simulator, call } = await openControlApi();
  expect((await call("PUT", "/accounts/main/balance", { balance: "20.50" })).body).toMatchObject({
    balance: "20.50",
  });
  expect(simulator.balance()).toBe("20.50");
  await call("PUT", "/accounts/main/price-factor", { proxyType: "ISP", factor: 2 });
  const item = { proxyType: "ISP", country: "USA", quantity: 1, rentPeriodDays: 30 };
  const foreign = await call("POST", "/accounts/main/foreign-orders", item);
  expect(foreign).toMatchObject({ status: 201, body: { origin: "foreign", ...item } });
  expect(simulator.ledger()).toMatchObject([{ origin: "foreign", price: "4.60" }]);
  const ledger = await call("GET", "/accounts/main/ledger");
  expect(ledger.body.payments).toMatchObject([{ amount: "-979.50", balanceAfter: "20.50" }]);
});

test("proxies end, disappear and are renewed without a request", async () => {
  const { simulator, call } = await openControlApi();
  await post(simulator, "order", orders.IPv4);
  const ids = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
  const act = (what: string, body: object) => call("POST", `/accounts/main/proxies/${what}`, body);
  expect((await act("expire", { ipAddressIds: ids.slice(0, 1) })).status).toBe(204);
  expect((await act("remove", { ipAddressIds: ids.slice(1, 2) })).status).toBe(204);
  const renewed = { ipAddressIds: ids.slice(2, 3), autoExtend: true, rentPeriodDays: 60 };
  expect((await act("auto-extension", renewed)).status).toBe(204);
  expect((await listPage(simulator, "IPv4")).data.content).toMatchObject([
    { ipAddressId: ids[2], extendInfo: { autoExtend: true, extendDays: 60 } },
    { ipAddressId: ids[3] },
    { ipAddressId: ids[4] },
  ]);
});

test("requests are read from a number on, or the latest ones, without keys", async () => {
  const { simulator, call } = await openControlApi();
  for (let index = 0; index < 5; index += 1) await get(simulator, "balance");
  const numbers = async (query: string) =>
    (await call("GET", `/requests${query}`)).body.requests.map(
      (one: { number: number }) => one.number,
    );
  expect(await numbers("?after=3")).toEqual([4, 5]);
  expect(await numbers("?after=1&limit=2")).toEqual([2, 3]);
  expect(await numbers("?limit=2")).toEqual([4, 5]);
  const { body } = await call("GET", "/requests");
  expect(body.counts.getBalance).toBe(5);
  expect(body.requests[0]).toMatchObject({
    endpoint: "getBalance",
    path: "/client/api/v1/{apiKey}/balance",
    account: "main",
    status: 200,
    tookMs: expect.any(Number),
  });
  expect(JSON.stringify(body)).not.toContain(simulator.apiKey);
  expect((await call("DELETE", "/requests")).status).toBe(204);
  expect(await numbers("")).toEqual([]);
});

test("a snapshot is saved, loaded and reset over HTTP", async () => {
  const { simulator, call } = await openControlApi();
  await post(simulator, "order", orders.IPv4);
  const { body: snapshot } = await call("GET", "/snapshot");
  expect(JSON.stringify(snapshot)).not.toContain(simulator.apiKey);
  expect((await call("POST", "/reset")).status).toBe(204);
  expect(simulator.ledger()).toEqual([]);
  expect((await call("PUT", "/snapshot", snapshot)).status).toBe(204);
  expect(simulator.balance()).toBe("993.00");
  expect((await listPage(simulator, "IPv4")).data.totalElements).toBe(5);
});

test("a snapshot during a postponed step is a conflict, and the error says what to do", async () => {
  const { simulator, call } = await openControlApi();
  const fault = { kind: "lateCommit", afterMs: 60_000 };
  await call("POST", "/faults", { endpoint: "createOrder", phase: "before", fault });
  await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow();
  expect(await call("GET", "/snapshot")).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("advance the clock") },
  });
});

test("returns its options, without the key", async () => {
  const { simulator, call } = await openControlApi({ preset: "hostile", seed: 5 });
  const { body } = await call("GET", "/settings");
  expect(body).toMatchObject({
    baseUrl: simulator.baseUrl,
    seed: 5,
    balance: "1000.00",
    pageCap: 3,
  });
  expect(JSON.stringify(body)).not.toContain("demo-key");
});

test("observers hear of a change at once", async () => {
  const { simulator } = await openControlApi();
  const leaving = new AbortController();
  const { body, headers } = await fetch(`${simulator.controlUrl}/events`, {
    signal: leaving.signal,
  });
  expect(headers.get("Content-Type")).toContain("text/event-stream");
  const reader = (body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const countOf = async () => {
    const { value = "" } = await reader.read();
    expect(value).toContain("event: change");
    return Number(/data: (\d+)/.exec(value)?.[1]);
  };
  const before = await countOf();
  await get(simulator, "balance");
  // An event comes every two seconds anyway. It may come first, and it says nothing new.
  let told = await countOf();
  while (told === before) told = await countOf();
  expect(told).toBeGreaterThan(before);
  leaving.abort();
  await expect(reader.read()).rejects.toThrow();
});

test.each([
  ["GET", "/nonsense", undefined, 404, "no /nonsense"],
  ["PATCH", "/clock", undefined, 405, "Only GET"],
  ["POST", "/clock/advance", "{", 400, "no JSON"],
  ["POST", "/clock/advance", { weeks: 1 }, 400, 'not "weeks"'],
  ["POST", "/clock/advance", { days: -1 }, 400, "advance.days must be a number of at least 0"],
  ["POST", "/clock/advance", [], 400, "expected record"],
  [
    "POST",
    "/faults",
    { endpoint: "order", phase: "before", fault: { kind: "reset" } },
    400,
    "createOrder",
  ],
  [
    "POST",
    "/faults",
    { endpoint: "any", phase: "before", fault: { kind: "rest" } },
    400,
    "fault.kind must be one of reset",
  ],
  [
    "POST",
    "/faults",
    { endpoint: "any", phase: "after", fault: { kind: "act" } },
    400,
    "fault.run must be a function",
  ],
  [
    "POST",
    "/faults",
    { endpoint: "any", phase: "after", fault: { kind: "answer", patch: 7 } },
    400,
    "fault.patch",
  ],
  [
    "POST",
    "/faults",
    { endpoint: "any", phase: "after", fault: { kind: "foreignOrder" } },
    400,
    "fault.item",
  ],
  ["POST", "/accounts", { name: "main" }, 400, "taken"],
  ["POST", "/accounts", { nam: "x" }, 400, "nam"],
  ["GET", "/accounts/nobody", undefined, 404, '"nobody"'],
  ["PUT", "/accounts/nobody/balance", { balance: 1 }, 404, '"nobody"'],
  ["PUT", "/accounts/main/balance", { balance: "much" }, 400, "balance must be a decimal"],
  ["PUT", "/accounts/main/price-factor", { proxyType: "IPv4", factor: 0 }, 400, "factor"],
  ["POST", "/accounts/main/foreign-orders", { proxyType: "IPv4" }, 400, "quantity"],
  [
    "POST",
    "/accounts/main/foreign-orders",
    { proxyType: "MOBILE", country: "DEU", quantity: 5000, rentPeriodDays: 30 },
    400,
    "does not cover",
  ],
  ["POST", "/accounts/main/proxies/expire", { ipAddressIds: ["1"] }, 400, 'no proxy "1"'],
  ["POST", "/accounts/main/proxies/expire", { ipAddressIds: [] }, 400, "ipAddressIds"],
  ["GET", "/accounts/main/proxies?page=-1", undefined, 400, "page"],
  ["GET", "/requests?after=yesterday", undefined, 400, "after"],
  ["PUT", "/snapshot", {}, 400, "no snapshot"],
])(
  "%s %s with %j is refused with a message, and changes nothing",
  async (method, path, body, status, reason) => {
    const { simulator, call } = await openControlApi({ now: new StillClock().now });
    await post(simulator, "order", orders.IPv4);
    const before = simulator.save();
    const answer = await call(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain(reason);
    expect(simulator.save()).toEqual(before);
    expect((await call("GET", "/faults")).body.faults).toEqual([]);
  },
);

test("forms and pages of other sites are refused", async () => {
  const { simulator, call } = await openControlApi();
  const strange = { Origin: "http://evil.example" };
  expect((await call("POST", "/reset", undefined, strange)).status).toBe(403);
  expect((await call("GET", "/requests", undefined, strange)).status).toBe(403);
  const own = { Origin: simulator.controlUrl ?? "" };
  expect((await call("POST", "/reset", undefined, own)).status).toBe(204);
  const form = { "Content-Type": "text/plain" };
  expect((await call("POST", "/clock/advance", '{"days":1}', form)).status).toBe(415);
});

test("a foreign host name that points to this machine does not open the control API", async () => {
  const { simulator } = await openControlApi();
  const { port } = new URL(simulator.controlUrl ?? "");
  const askAs = async (host: string) => {
    const asking = request({ port, path: "/clock", headers: { Host: host } }).end();
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await askAs(`evil.example:${port}`)).toBe(403);
  expect(await askAs(`localhost:${port}`)).toBe(200);
  expect(await askAs(`127.0.0.1:${port}`)).toBe(200);
});

test("a port in use rejects, and no part of a simulator stays open", async () => {
  const { simulator } = await openControlApi();
  const port = Number(new URL(simulator.controlUrl ?? "").port);
  await expect(startForTest({ control: { port } })).rejects.toThrow("EADDRINUSE");
});

test("the README's calls all exist", async () => {
  const { call } = await openControlApi();
  const readme = await readFile(new URL("../../simulator/README.md", import.meta.url), "utf8");
  const table = readme.slice(readme.indexOf("## The control API"), readme.indexOf("## Time"));
  const calls = [...table.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/:.-]*)/g)];
  expect(calls.length).toBeGreaterThan(15);
  for (const [, method = "", path = ""] of calls) {
    if (path === "/" || path === "/events") continue;
    const { status, body } = await call(method, path.replace(":name", "main"));
    expect([status, body?.message ?? ""]).not.toEqual([404, expect.stringContaining("has no")]);
    expect(status).not.toBe(405);
  }
});
