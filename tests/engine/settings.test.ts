import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import type { EndpointName, Fault } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { order, program } from "../support/program.ts";
import { hosts } from "../support/program-files.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const one = program(order("usa"));

/** For tests of what the service does, which is the same on both hosts. */
const { on, ...plugin } = writerFor("plugin");
const onPlugin = plugin.program(plugin.order("usa"));

it("says in one sentence that key and URL are missing", async () => {
  const simulator = await startForTest();
  const env = { PROXYRENTAL_API_KEY: "", PROXYRENTAL_BASE_URL: "" };
  const stack = await createStack({ simulator, program: one, env });
  for (const command of ["preview", "up"]) {
    const text = await stack.fail(command);
    expect(text).toContain("CONFIGURATION_INVALID: proxyrental:baseUrl is missing");
    expect(text).toContain("`pulumi config set proxyrental:baseUrl …` or in PROXYRENTAL_BASE_URL");
    expect(text).toContain("proxyrental:apiKey is missing");
    expect(text).toContain("`pulumi config set --secret proxyrental:apiKey …`");
    expect(text).toContain("Nothing was bought");
  }
  expect(Object.values(simulator.requestCounts()).every((count) => count === 0)).toBe(true);
});

it("reads key and URL from the stack's configuration, the key encrypted", async () => {
  const simulator = await startForTest();
  const env = { PROXYRENTAL_API_KEY: "not-this-one", PROXYRENTAL_BASE_URL: "" };
  const stack = await createStack({ simulator, program: one, env });
  await stack.succeed("config set", "proxyrental:baseUrl", simulator.baseUrl);
  await stack.succeed("config set", "--secret", "proxyrental:apiKey", simulator.apiKey);
  await stack.succeed("up");
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it.each(hosts)(
  "63 %s host: a misspelled or empty limit buys nothing, and the error lists the existing names",
  async (host) => {
    const simulator = await startForTest();
    const { on, order, program } = writerFor(host);
    const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
    await stack.succeed("config set", "proxyrental:maxspend", "1");
    const misspelled = await stack.fail("up");
    expect(misspelled).toMatch(/maxspend.* is not a setting; accepted: baseUrl, apiKey, maxSpend/);
    await stack.succeed("config rm", "proxyrental:maxspend");
    await stack.succeed("config set", "proxyrental:maxSpend", "");
    stack.setEnv({ PROXYRENTAL_MAX_SPEND: "1" });
    expect(await stack.fail("up")).toMatch(/maxSpend.* is empty/);
    await stack.succeed("config rm", "proxyrental:maxSpend");
    stack.setEnv({ PROXYRENTAL_MAX_SPEND: "", PROXYRENTAL_MAXSPEND: "1" });
    expect(await stack.fail("up")).toContain("PROXYRENTAL_MAXSPEND is not read; accepted: ");
    expect(spendingOf(simulator)).toEqual(nothingSpent);
  },
);

it("shows no setting that it refuses: it may hold a password, or be the key under a misspelled name", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: onPlugin });
  const url = "https://me:passw0rd@example.com";
  const secrets = { baseUrl: url, journal: `${url}/journal`, apikey: "passw0rd-key" };
  const given = Object.entries(secrets).map(([name, value]) => `proxyrental:${name}=${value}`);
  await stack.succeed("config set-all", ...given.flatMap((one) => ["--plaintext", one]));
  const text = await stack.fail("up");
  for (const name of Object.keys(secrets)) expect(text).toContain(`proxyrental:${name} is not `);
  expect(text).not.toContain("passw0rd");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("refuses a key configured as plain text before it can enter the state", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: one, env: { PROXYRENTAL_API_KEY: "" } });
  await stack.succeed("config set", "--plaintext", "proxyrental:apiKey", "a-plain-key");
  for (const command of ["preview", "up"]) {
    const text = await stack.fail(command);
    expect(text).toContain("CONFIGURATION_INVALID: proxyrental:apiKey is configured as plain text");
    expect(text).toContain("`pulumi config set --secret proxyrental:apiKey …`");
    expect(text).not.toMatch(/^ +at /m);
  }
  expect(Object.values(simulator.requestCounts()).every((count) => count === 0)).toBe(true);
});

it("says that the key was rejected, and what to set, and a second run says the same", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: onPlugin,
    env: { PROXYRENTAL_API_KEY: "a-key-of-somebody-else" },
  });
  const text = await stack.fail("preview");
  expect(text).toContain(
    'API_KEY_REJECTED: the service rejected the API key (code 2, "Error api key")',
  );
  expect(text).toContain("Set proxyrental:apiKey (or PROXYRENTAL_API_KEY)");
  expect(text).not.toContain("a-key-of-somebody-else");
  await stack.fail("up");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("says that the base URL is wrong if a web page answers", async () => {
  const simulator = await startForTest();
  const page = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Shop</p>");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void page.close());
  await once(page, "listening");
  const address = page.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const stack = await createStack({
    ...on,
    simulator,
    program: onPlugin,
    baseUrl: `http://127.0.0.1:${port}`,
  });
  const text = await stack.fail("preview");
  expect(text).toContain("SERVICE_ANSWER_UNREADABLE");
  expect(text).toContain("it is an HTML page; is the base URL right?");
  expect(text).not.toMatch(/^ +at /m);
  await stack.fail("up");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("refuses an invalid base URL and a limit that is no amount, before any request", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    simulator,
    program: one,
    env: { PROXYRENTAL_BASE_URL: "proxies", PROXYRENTAL_MAX_SPEND: "ten" },
  });
  const text = await stack.fail("up");
  expect(text).toContain(
    "PROXYRENTAL_BASE_URL is not accepted (it does not begin with https:// or http://): set it to the service's URL, like https://api.example.com",
  );
  expect(text).toContain("PROXYRENTAL_MAX_SPEND is not accepted: set it to an amount");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("says that nothing listens at the URL", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: onPlugin,
    baseUrl: "http://127.0.0.1:1",
  });
  const text = await stack.fail("preview");
  expect(text).toContain("SERVICE_UNREACHABLE: the service at http://127.0.0.1:1 can't be reached");
  expect(text).toContain("Check proxyrental:baseUrl and the network");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("says that an https URL is one of an http port, and what to type", async () => {
  const simulator = await startForTest();
  const baseUrl = simulator.baseUrl.replace("http:", "https:");
  const stack = await createStack({ ...on, simulator, program: onPlugin, baseUrl });
  const text = await stack.fail("preview");
  expect(text).toContain(`SERVICE_UNREACHABLE: what answers at ${baseUrl} does not speak TLS`);
  expect(text).toContain(`if that is the service, its URL is ${simulator.baseUrl}`);
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("gives up on a service that hangs when the call's time is over", async () => {
  const simulator = await startForTest();
  for (const endpoint of ["listProxyTypes", "calculateOrder"] as const) {
    simulator.addFault({ endpoint, phase: "before", fault: { kind: "hang" } });
  }
  const stack = await createStack({
    ...on,
    simulator,
    program: onPlugin,
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "1" },
  });
  const text = await stack.fail("up");
  expect(text).toContain("SERVICE_TIMEOUT: the service did not answer listProxyTypes");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("goes on after short failures of reads", async () => {
  const simulator = await startForTest();
  const stumble = (endpoint: EndpointName, calls: number[], fault: Fault) =>
    simulator.addFault({ endpoint, calls, phase: "before", fault });
  stumble("listProxyTypes", [1], { kind: "status", status: 500 });
  stumble("listCountries", [1, 2], { kind: "reset" });
  stumble("calculateOrder", [1, 3], { kind: "garbage" });
  stumble("listProxies", [1], { kind: "truncate" });
  const stack = await createStack({ ...on, simulator, program: onPlugin });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
