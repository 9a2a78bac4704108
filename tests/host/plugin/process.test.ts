import { expect, test } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { findLeaks, secretsOf } from "../../support/secrecy.ts";
import { nothingSpent, ordered, spendingOf } from "../../support/spending.ts";
import { orderArgs as args } from "../order-args.ts";
import { configOf, secret, startPlugin } from "./plugin-process.ts";
import { spawnPlugin } from "./spawned.ts";

const timeout = 30_000;

const STACK = /\n\s+at /;

test("the first line of output is the port, and there is no second line", { timeout }, async () => {
  const plugin = spawnPlugin({ engineAddress: "", folder: "/", environment: {} });
  expect(await plugin.port).toMatch(/^\d+$/);
  plugin.signal("SIGINT");
  expect(await plugin.ended).toEqual({ code: 0, signal: null });
  expect(plugin.printed()).toBe("");
});

test("on a Node.js that is too old every call is refused in one sentence", {
  timeout,
}, async () => {
  // This makes the process believe that it runs on an older Node.js.
  const older =
    "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.4'})";
  const plugin = await startPlugin({ environment: { NODE_OPTIONS: `--import=${older}` } });
  const sentence =
    /^CONFIGURATION_INVALID: pulumi-proxyrental needs Node\.js 22\.12 or newer, and this is 20\.19\.4\.[^\n]*$/;
  const settings = { baseUrl: "http://127.0.0.1:1", apiKey: "k3y-of-mine" };
  expect(await plugin.checkConfig(settings)).toEqual([
    { property: "", reason: expect.stringMatching(sentence) },
  ]);
  const refusals = await Promise.allSettled([
    plugin.configure(settings),
    plugin.resource("ProxyOrder").check({}, args),
    plugin.invoke("getBalance", {}),
  ]);
  expect(refusals).toHaveLength(3);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ reason: { message: expect.stringMatching(sentence) } });
  }
  expect(plugin.logged).toEqual([]);
});

test("every call before the configuration is refused in one sentence", {
  timeout,
}, async () => {
  const plugin = await startPlugin();
  const fleet = plugin.resource("ProxyOrder");
  const saved = { id: "1", inputs: {}, properties: {} };
  const refusals = await Promise.allSettled([
    fleet.check({}, args),
    fleet.diff(saved, args),
    fleet.create(args),
    fleet.read(saved),
    fleet.update(saved, args),
    fleet.delete(saved),
    plugin.invoke("getBalance", {}),
  ]);
  expect(refusals).toHaveLength(7);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      status: "rejected",
      reason: {
        message: expect.stringMatching(/^CONFIGURATION_INVALID: [^\n]*before it configured/),
      },
    });
  }
  expect(plugin.logged).toEqual([]);
});

test("an unknown call is refused by its name, without a stack trace", {
  timeout,
}, async () => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  await plugin.configure(configOf(simulator));
  const refusals = [
    plugin.resource("ProxyPool").check({}, args),
    plugin.resource("toString").check({}, args),
    plugin.resource("__proto__").create(args),
    plugin.invoke("getWeather", {}),
    plugin.invoke("constructor", {}),
  ];
  await expect(Promise.allSettled(refusals)).resolves.toMatchObject(
    [
      "there is no resource proxyrental:index:ProxyPool",
      "there is no resource proxyrental:index:toString",
      "there is no resource proxyrental:index:__proto__",
      "there is no function proxyrental:index:getWeather",
      "there is no function proxyrental:index:constructor",
    ].map((sentence) => ({ reason: { message: expect.stringContaining(sentence) } })),
  );
  expect(plugin.logged).toEqual([]);
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

test("wrong settings get one sentence each, all at once, without the key", {
  timeout,
}, async () => {
  const environment = { PROXYRENTAL_API_KEY: "k3y-of-the-environment" };
  const plugin = await startPlugin({ environment });
  const failures = await plugin.checkConfig({ baseUrl: "ftp://x", maxSpend: "much" });
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching("^proxyrental:baseUrl is not accepted"),
    expect.stringMatching("^proxyrental:maxSpend is not accepted"),
  ]);
  const refused = await plugin.configure({ baseUrl: "ftp://x" }).catch(String);
  expect(refused).toMatch(/CONFIGURATION_INVALID: proxyrental:baseUrl is not accepted/);
  const texts = [JSON.stringify(failures), String(refused), JSON.stringify(plugin.logged)];
  for (const text of texts) expect(text).not.toContain("k3y-of");
});

test("no failure contains a stack trace, the key or a password", { timeout }, async () => {
  const simulator = await startForTest({ apiKey: "k3y/with strange?parts" });
  const plugin = await startPlugin();
  await plugin.configure(configOf(simulator));
  const fleet = plugin.resource("ProxyOrder");
  const { inputs } = await fleet.check({}, args);
  const saved = await fleet.create(inputs);
  const troubled = await startPlugin({ folder: plugin.folder });
  await troubled.configure(configOf(simulator));
  simulator.addFault({ endpoint: "any", phase: "before", fault: { kind: "status", status: 404 } });
  const again = troubled.resource("ProxyOrder");
  const { id, properties } = saved;
  const results = await Promise.allSettled([
    again.check({}, { ...args, quantity: 2 }),
    again.read(saved),
    again.read({ id: "no such order" }),
    again.update({ id, inputs, properties: { ...properties, purchases: "none" } }, inputs),
    again.create({ ...inputs, owner: "somebody else", requestId: "another" }),
    troubled.resource("IpAutoExtend", "renewal").read({ id: "1" }),
    troubled.resource("IpExtension", "longer").read({ id: "1" }),
    troubled.invoke("getProxies", { proxyType: "IPv4" }),
    troubled.invoke("getProxies", { country: 7 }),
  ]);
  const outcomes = results.map(({ status }) => status);
  // The answer itself tells of a wrong argument and of a failed check, so these two calls are fulfilled.
  expect(outcomes).toEqual(["fulfilled", ...Array(7).fill("rejected"), "fulfilled"]);
  const texts: [string, string][] = [
    ...results.map((result, index): [string, string] => [
      `answer ${index}`,
      result.status === "rejected" ? String(result.reason) : JSON.stringify(result.value),
    ]),
    ...troubled.logged.map(({ message }): [string, string] => ["log", message]),
    ["output", troubled.printed()],
  ];
  expect(texts.filter(([, text]) => STACK.test(text))).toEqual([]);
  expect(findLeaks(secretsOf(simulator), texts)).toEqual([]);
});

test("many resources are served at once, and each gets its own answer", { timeout }, async () => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  await plugin.configure({ ...configOf(simulator), showBalance: false });
  const names = Array.from({ length: 12 }, (_, index) => `fleet-${index}`);
  const made = await Promise.all(
    names.map(async (name, index) => {
      const fleet = plugin.resource("ProxyOrder", name);
      const { inputs } = await fleet.check({}, { ...args, quantity: index + 1 });
      return fleet.create(inputs);
    }),
  );
  expect(made.map(({ properties }) => (properties.ipAddressIds as string[]).length)).toEqual(
    names.map((_, index) => index + 1),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(12);
  expect(spendingOf(simulator).orderCalls).toBe(12);
  await plugin.stop();
  const spoken = new Set(plugin.logged.map(({ urn }) => urn.split("::").at(-1)));
  // The last words are about no resource.
  expect([...spoken].toSorted()).toEqual(["", ...names].toSorted());
});

test("the same create asked twice buys once", { timeout }, async () => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  await plugin.configure({ ...configOf(simulator), maxSpend: secret("2.00") });
  const fleet = plugin.resource("ProxyOrder");
  const { inputs } = await fleet.check({}, args);
  const [first, second] = await Promise.all([fleet.create(inputs), fleet.create(inputs)]);
  expect(first).toEqual(second);
  expect(spendingOf(simulator)).toEqual(ordered("1.40"));
});
