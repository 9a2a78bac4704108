import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Result } from "../../../cli/check/result.ts";
import { runCommandLine } from "../../../cli/program.ts";
import { createTerminal } from "../../../cli/terminal.ts";
import type { PricedItem, ProxyFault, SimulatedOrder } from "../../../simulator/index.ts";
import { seedOfItsOwn, startBare } from "../../simulator/live-guests.ts";
import { startSecureWitness, startWitness, watchCallers } from "../../simulator/witness.ts";
import { findLeaks } from "../../support/secrecy.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import type { Outcome } from "../command.ts";
import { type Machine, startMachine } from "../machine.ts";
import { deliveredOrder, exportFile } from "../stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa: PricedItem = { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 };
const deu: PricedItem = { proxyType: "IPv6", country: "DEU", quantity: 2, rentPeriodDays: 90 };

interface Fleet extends Machine {
  orders: SimulatedOrder[];
  /** The ids of all proxies, in the order of the orders. */
  ids: string[];
  /** Runs `check --json`. */
  check(...flags: string[]): Promise<Outcome & { results: Result[] }>;
}

/** A machine whose account holds live proxies. At the end all output is searched for logins too. */
async function startFleet(...items: PricedItem[]): Promise<Fleet> {
  const machine = await startMachine({ live: true, seed: seedOfItsOwn() });
  const { simulator } = machine;
  const orders = items.map((item) => simulator.placeForeignOrder(item));
  const secrets = new Set(simulator.proxies().flatMap(({ login, password }) => [login, password]));
  const cli: Machine["cli"] = async (args, options) => {
    const outcome = await machine.cli(args, options);
    expect(findLeaks(secrets, [["output", outcome.stdout + outcome.stderr]])).toEqual([]);
    return outcome;
  };
  return {
    ...machine,
    cli,
    orders,
    ids: orders.flatMap(({ ipAddressIds }) => ipAddressIds),
    async check(...flags) {
      const outcome = await cli(["check", "--json", ...flags]);
      return {
        ...outcome,
        results: outcome.exitCode === 1 ? [] : JSON.parse(outcome.stdout).results,
      };
    },
  };
}

/** The verdicts by proxy and protocol. */
function verdictsOf(results: readonly Result[]): [string, string, string][] {
  return results.map(({ ipAddressId, protocol, verdict }) => [ipAddressId, protocol, verdict]);
}

function overBoth(id: string, verdict: string): [string, string, string][] {
  return [
    [id, "http", verdict],
    [id, "socks5", verdict],
  ];
}

/** Lists a proxy with other ports or another address than it has. */
function relist({ simulator }: Machine, id: string, change: Record<string, string | null>): void {
  simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: {
      kind: "answer",
      patch: (answer) => {
        const { data } = answer as { data: { content: { ipAddressId: string }[] } };
        const content = data.content.map((record) =>
          record.ipAddressId === id ? { ...record, ...change } : record,
        );
        return { ...answer, data: { ...data, content } };
      },
    },
  });
}

describe("check", () => {
  test("asks through each proxy over both protocols, spends nothing, and ends with 0", async () => {
    const { simulator, cli, check, ids } = await startFleet(usa, deu);
    const url = await startWitness();
    const { exitCode, results, stderr } = await check("--url", url);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(verdictsOf(results)).toEqual(ids.flatMap((id) => overBoth(id, "works")));
    expect(results[0]).toEqual({
      ipAddressId: ids[0],
      proxy: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      orderId: simulator.orders()[0]?.orderId,
      ...{ proxyType: "IPv4", country: "USA", protocol: "http", verdict: "works", status: 200 },
      ms: expect.any(Number),
      ...{ listedAddress: "127.0.0.1", exitAddress: "127.0.0.1" },
    });
    const { stdout } = await cli(["check", "--url", url]);
    expect(stdout.match(/ as listed +works$/gm)).toHaveLength(8);
    expect(stdout).toContain(
      `Asked ${url} through 4 proxies, 8 times, with at most 10 s each: all work.`,
    );
    expect({ ...spendingOf(simulator), charges: [] }).toEqual(nothingSpent);
  });

  test("tells p50 and p95 by country and by order", async () => {
    const { cli, orders } = await startFleet(usa, usa, deu);
    const url = await startWitness();
    const { stdout } = await cli(["check", "--json", "--url", url]);
    const times = { p50Ms: expect.any(Number), p95Ms: expect.any(Number) };
    expect(JSON.parse(stdout)).toMatchObject({
      url,
      countries: [
        { country: "DEU", asked: 4, working: 4, ...times },
        { country: "USA", asked: 8, working: 8, ...times },
      ],
      orders: orders.map(({ orderId }) => ({ orderId, asked: 4, working: 4, ...times })),
    });
    const text = (await cli(["check", "--url", url])).stdout;
    expect(text).toMatch(/^COUNTRY +ASKED +WORKING +P50 +P95\nDEU +4 +4 +\d+ ms +\d+ ms\nUSA /m);
    expect(text).toMatch(/^ORDER +ASKED +WORKING +P50 +P95\n/m);
  });

  test.each<[ProxyFault, string, RegExp]>([
    [{ kind: "dead" }, "dead", /: dead: the connection broke without an answer/],
    [{ kind: "slow", ms: 60_000 }, "slow", /: slow: no answer within 1 s$/m],
    [{ kind: "refuseLogin" }, "loginRefused", /: login refused: (407|SOCKS5)$/m],
    [{ kind: "wrongExit" }, "wrongExit", /: wrong exit: it comes out at 127\.0\.0\.2$/m],
  ])("names a proxy with %j, and ends with 2", async (fault, verdict, words) => {
    const { simulator, cli, check, ids, orders } = await startFleet(usa);
    const [wrong = "", other = ""] = ids;
    simulator.setProxyFault([wrong], fault);
    // Only the slow one needs all of the second, but the others get more on a busy machine.
    const flags = ["--url", await startWitness()];
    if (fault.kind === "slow") flags.push("--timeout-seconds", "1");
    const { exitCode, results } = await check(...flags);
    expect(exitCode).toBe(2);
    const ofWrong = results.filter(({ ipAddressId }) => ipAddressId === wrong);
    expect(verdictsOf(ofWrong)).toEqual(overBoth(wrong, verdict));
    if (fault.kind !== "slow") {
      const ofOther = results.filter(({ ipAddressId }) => ipAddressId === other);
      expect(verdictsOf(ofOther)).toEqual(overBoth(other, "works"));
    }
    const { stdout } = await cli(["check", ...flags]);
    expect(stdout).toMatch(words);
    expect(stdout).toContain(`- proxy ${wrong} (127.0.0.1:`);
    expect(stdout).toContain(`of order ${orders[0]?.orderId} over SOCKS5: `);
  });

  test("a proxy is slow that takes a connection and never says anything", async () => {
    const fleet = await startFleet({ ...usa, quantity: 1 });
    const { port } = await startBare();
    relist(fleet, fleet.ids[0] ?? "", { httpsPort: String(port), socks5Port: String(port) });
    const { results } = await fleet.check("--url", "http://127.0.0.1:9/", "--timeout-seconds", "1");
    expect(results.map(({ verdict }) => verdict)).toEqual(["slow", "slow"]);
    for (const { ms } of results) expect(ms).toBeGreaterThanOrEqual(990);
  });

  test("a proxy is dead where nothing listens, or where something else does", async () => {
    const fleet = await startFleet(usa);
    const [first = "", second = ""] = fleet.ids;
    const url = await startWitness();
    relist(fleet, first, { httpsPort: "9", socks5Port: "9" });
    relist(fleet, second, { socks5Port: new URL(url).port });
    const { exitCode, results } = await fleet.check("--url", url);
    expect(exitCode).toBe(2);
    expect(results.map(({ verdict, why = "" }) => [verdict, why])).toEqual([
      ["dead", "nothing listens there"],
      ["dead", "nothing listens there"],
      ["works", ""],
      ["dead", "what answers there does not speak SOCKS5"],
    ]);
  });

  test("a proxy without a port of a protocol is told, and asked over the other", async () => {
    const fleet = await startFleet({ ...usa, quantity: 1 });
    const url = await startWitness();
    relist(fleet, fleet.ids[0] ?? "", { socks5Port: null });
    const { stdout, exitCode } = await fleet.cli(["check", "--url", url]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`- proxy ${fleet.ids[0]} of order `);
    expect(stdout).toContain(": no port for SOCKS5");
    const none = await fleet.cli(["check", "--url", url, "--protocol", "socks5"]);
    expect(none.exitCode).toBe(0);
    expect(none.stdout).toContain("Nothing to check: the service lists no port yet");
  });

  test("an order with authType IP is asked without a login that nobody told", async () => {
    const fleet = await startFleet();
    await fleet.beginRun().buy("fleet", { authType: "IP", authIp: "203.0.113.7", quantity: 1 });
    const [proxy] = fleet.simulator.proxies();
    relist(fleet, proxy?.ipAddressId ?? "", { authInfo: null } as never);
    const { exitCode, results } = await fleet.check("--url", await startWitness());
    expect(exitCode).toBe(0);
    expect(results.map(({ verdict }) => verdict)).toEqual(["works", "works"]);
  });

  test("a mobile proxy may come out anywhere, and where is told", async () => {
    const mobile: PricedItem = { ...usa, proxyType: "MOBILE", country: "POL", quantity: 1 };
    const { simulator, cli, ids } = await startFleet(mobile);
    simulator.setProxyFault(ids, { kind: "wrongExit" });
    const { exitCode, stdout } = await cli(["check", "--url", await startWitness()]);
    expect(exitCode).toBe(0);
    expect(stdout.match(/ 127\.0\.0\.2 +works$/gm)).toHaveLength(2);
  });
});

describe("the URL", () => {
  test("may answer with any status: it proves that the proxy works, and is told", async () => {
    const { cli } = await startFleet({ ...usa, quantity: 1 });
    const { exitCode, stdout } = await cli(["check", "--url", await startWitness({ status: 500 })]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("2 answers have a status of 400 or more: the URL's own");
  });

  test.each([
    ["JSON with ip", (ip: string) => JSON.stringify({ ip }), "works"],
    ["another address", () => "203.0.113.99", "wrongExit"],
    ["no address", () => "hello", "works"],
    ["more than anybody reads", () => "1".repeat(1_000_000), "works"],
  ])("answers with %s", async (_what, write, verdict) => {
    const { cli, check } = await startFleet({ ...usa, quantity: 1 });
    const url = await startWitness({ write });
    const { results } = await check("--url", url);
    expect(results.map((result) => result.verdict)).toEqual([verdict, verdict]);
    const { stdout } = await cli(["check", "--url", url]);
    const isTold = results.some(({ exitAddress }) => exitAddress !== undefined);
    expect(stdout.includes("The URL tells no address, so no exit was compared.")).toBe(!isTold);
  });

  test("is down: that is told, and not held against the proxies alone", async () => {
    const { cli, check } = await startFleet({ ...usa, quantity: 1 });
    const { exitCode, results } = await check("--url", "http://127.0.0.1:9/");
    expect(exitCode).toBe(2);
    expect(results.map(({ verdict, why = "" }) => [verdict, why])).toEqual([
      ["urlNotReached", expect.stringContaining("HTTP status 502")],
      ["urlNotReached", "the proxy opened no way to it (ConnectionRefused)"],
    ]);
    const { stdout } = await cli(["check", "--url", "http://127.0.0.1:9/"]);
    expect(stdout).toContain("No proxy brought an answer: is the URL up");
  });

  test("with https goes through tunnels, and its certificate is checked", async () => {
    const { cli, check } = await startFleet({ ...usa, quantity: 1 });
    const { url, certificate } = await startSecureWitness();
    const { exitCode, results } = await check("--url", url);
    expect(exitCode).toBe(2);
    expect(results.map(({ verdict, why = "" }) => [verdict, why])).toEqual([
      ["untrusted", expect.stringContaining("NODE_EXTRA_CA_CERTS")],
      ["untrusted", expect.stringContaining("NODE_EXTRA_CA_CERTS")],
    ]);
    const file = join(await makeTemporaryFolder(), "authority.pem");
    await writeFile(file, certificate);
    // Only a process reads this variable.
    const env = { NODE_EXTRA_CA_CERTS: file };
    const trusted = await cli(["check", "--url", url], { env, isProcess: true });
    expect(trusted).toMatchObject({ exitCode: 0, stderr: "" });
    expect(trusted.stdout.match(/ as listed +works$/gm)).toHaveLength(2);
  });

  test("with https is told from the proxy's own answers", async () => {
    const { check } = await startFleet({ ...usa, quantity: 1 });
    const { results } = await check("--url", "https://127.0.0.1:9/");
    expect(results.map(({ verdict, why }) => [verdict, why])).toEqual([
      ["urlNotReached", "the proxy opened no way to it (502)"],
      ["urlNotReached", "the proxy opened no way to it (ConnectionRefused)"],
    ]);
  });

  test("with https also shows a login that is refused", async () => {
    const { simulator, check, ids } = await startFleet({ ...usa, quantity: 1 });
    simulator.setProxyFault(ids, { kind: "refuseLogin" });
    const { results } = await check("--url", "https://127.0.0.1:9/");
    expect(results.map(({ verdict }) => verdict)).toEqual(["loginRefused", "loginRefused"]);
  });

  test.each([
    [[], "no URL was given"],
    [["--url", "example.com/ip?key=hidden-part"], "no http or https URL"],
    [["--url", "ftp://example.com/hidden-part"], "no http or https URL"],
    [["--url", "http://hidden-part:x@example.com/"], "holds a login"],
    [["--url", ""], "no http or https URL"],
  ])("%j is refused in one sentence that does not repeat it", async (flags, words) => {
    const { simulator, cli } = await startFleet();
    const { exitCode, stdout, stderr } = await cli(["check", ...flags]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(words);
    expect(stderr).toContain("give --url an http or https URL of your own");
    expect(stderr).not.toContain("hidden-part");
    expect(simulator.requests()).toEqual([]);
  });

  test("is shown without its query, which may hold a secret", async () => {
    const { cli } = await startFleet({ ...usa, quantity: 1 });
    const url = await startWitness();
    for (const flags of [[], ["--json"]]) {
      const { stdout } = await cli(["check", "--url", `${url}?token=hidden-part`, ...flags]);
      expect(stdout).toContain(url);
      expect(stdout).not.toContain("hidden-part");
    }
  });
});

describe("what is asked", () => {
  test.each<[string[], number[]]>([
    [["--country", "DEU"], [1]],
    [
      ["--country", "usa,deu"],
      [0, 1],
    ],
    [["--type", "ipv4"], [0]],
    [["--country", "DEU", "--type", "IPv4"], []],
  ])("%j", async (flags, expected) => {
    const { check, orders } = await startFleet(usa, deu);
    const { exitCode, results } = await check("--url", await startWitness(), ...flags);
    expect(exitCode).toBe(0);
    const asked = new Set(results.map(({ orderId }) => orderId));
    expect([...asked]).toEqual(expected.map((index) => orders[index]?.orderId));
  });

  test("is one protocol only, if that is asked for", async () => {
    const { check } = await startFleet(usa);
    const url = await startWitness();
    for (const protocol of ["http", "socks5"]) {
      const { results } = await check("--url", url, "--protocol", protocol);
      expect(results.map((result) => result.protocol)).toEqual([protocol, protocol]);
    }
  });

  test("are the named orders, and why another can't be is said", async () => {
    const { simulator, check, orders } = await startFleet(usa, deu, usa);
    const [first, second, ended] = orders.map(({ orderId }) => orderId);
    const url = await startWitness();
    const { results } = await check("--url", url, "--order", `${second}`);
    expect(new Set(results.map(({ orderId }) => orderId))).toEqual(new Set([second]));
    simulator.expireProxies(orders[2]?.ipAddressIds ?? []);
    const wrong = await check(
      ...["--url", url, "--country", "DEU", "--order", `${first},${ended}`, "1"],
    );
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain(`order ${first} is left out by --country or --state`);
    expect(wrong.stderr).toContain(`order ${ended} is not among the account's`);
    expect(wrong.stderr).toContain("order 1 is not among the account's");
  });

  test("are the orders of the given states, with the names of their resources", async () => {
    const { cli, check, orders } = await startFleet(usa, deu, usa);
    const url = await startWitness();
    const [a, b] = orders;
    if (a === undefined || b === undefined) throw new Error("there are three orders");
    const files = [
      await exportFile(deliveredOrder(a, { name: "shop" })),
      await exportFile(deliveredOrder(b, { name: "news" })),
    ];
    const { results } = await check("--url", url, "--state", ...files);
    const named = new Set(results.map(({ orderId, resource }) => `${orderId} ${resource}`));
    expect(named).toEqual(new Set([`${a.orderId} shop`, `${b.orderId} news`]));
    const { stdout } = await cli(["check", "--url", url, "--state", ...files]);
    expect(stdout).toMatch(new RegExp(`^${a.orderId} +shop +USA +127`, "m"));
    expect(stdout).toMatch(new RegExp(`^${b.orderId} +news +4 +4 `, "m"));
  });

  test("leaves out what has ended, and orders of somebody else unless they are named", async () => {
    const { simulator, cli, orders, ids } = await startFleet(usa, deu);
    const url = await startWitness();
    simulator.expireProxies([ids[0] ?? ""]);
    const foreign = orders[1]?.orderId ?? "";
    const env = { PROXYRENTAL_FOREIGN_ORDERS: foreign };
    const ask = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await cli(["check", "--json", "--url", url, ...flags], { env });
      const { results }: { results: Result[] } = JSON.parse(stdout);
      return [...new Set(results.map(({ ipAddressId }) => ipAddressId))];
    };
    expect(await ask()).toEqual([ids[1]]);
    expect(await ask("--order", foreign)).toEqual(ids.slice(2));
  });
});

test("no more are asked at once than --at-once says", async () => {
  const { check } = await startFleet({ ...usa, quantity: 6 });
  for (const atOnce of [1, 3]) {
    const { url, mostAtOnce } = await watchCallers({ afterMs: 40 });
    expect((await check("--url", url, "--at-once", String(atOnce))).exitCode).toBe(0);
    expect(mostAtOnce()).toBe(atOnce);
  }
});

test("a terminal shows how many were asked", async () => {
  const { env } = await startFleet({ ...usa, quantity: 1 });
  const shown: string[] = [];
  const sink = { isTTY: true, write: (text: string) => shown.push(text) };
  const terminal = createTerminal({ env, stdout: { write: () => {} }, stderr: sink });
  await runCommandLine(["check", "--url", await startWitness()], terminal);
  const texts = shown.map((text) => text.replaceAll("\r\u001b[2K", ""));
  expect(texts).toEqual(["asked 0 of 2", "asked 1 of 2", "asked 2 of 2", ""]);
});

test.each([
  ["--at-once", "0", "Give a whole number from 1 to 200."],
  ["--timeout-seconds", "1.5", "Give a whole number from 1 to 300."],
  ["--protocol", "ftp", "Allowed choices are http, socks5."],
  ["--type", "IPv5", "Give one or more of IPv4"],
])("%s %s is refused", async (flag, value, words) => {
  const { cli } = await startFleet();
  const { exitCode, stderr } = await cli(["check", "--url", "http://127.0.0.1:9/", flag, value]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(words);
});

test("nothing to check is said, and ends with 0", async () => {
  const { cli } = await startFleet();
  const url = "http://127.0.0.1:9/";
  const empty = await cli(["check", "--url", url]);
  expect(empty).toMatchObject({
    exitCode: 0,
    stdout: "Nothing to check: the account holds no proxy that has not ended.",
  });
  const filtered = await cli(["check", "--url", url, "--country", "DEU"]);
  expect(filtered.exitCode).toBe(0);
  expect(filtered.stdout).toContain("Run it without --order, --country, --type and --state");
});
