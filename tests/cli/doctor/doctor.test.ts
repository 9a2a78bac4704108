import { expect, test, vi } from "vitest";
import { findLeaks, secretsOf } from "../../support/secrecy.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { makeCli, marksOf, saidOf, startPatient } from "./patient.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa = { proxyType: "IPv4", country: "USA", quantity: 30, rentPeriodDays: 30 } as const;

test("where all is well it ends with 0, spends nothing, and says so", async () => {
  const patient = await startPatient();
  const report = await patient.examine();
  expect(report.findings.filter(({ mark }) => mark === "look" || mark === "wrong")).toEqual([]);
  expect([report.exitCode, report.next]).toEqual([0, []]);
  const { stdout, exitCode } = await patient.cli(["doctor"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("well       service: The service answers at");
  expect(stdout).toContain("Nothing needs to be done.");
  expect(patient.simulator.requestCounts()).toMatchObject({
    createOrder: 0,
    extend: 0,
    setAutoExtension: 0,
  });
  expect(spendingOf(patient.simulator)).toEqual(nothingSpent);
});

test("all wrong settings are told at once, and the service is not asked", async () => {
  const patient = await startPatient();
  const env = {
    PROXYRENTAL_BASE_URL: "ftp://a",
    PROXYRENTAL_API_KEY: "hush",
    PROXYRENTAL_MAX_SPEND: "much",
    PROXYRENTAL_MAXIMUM: "5",
    PROXYRENTAL_JOURNAL: "s3://bucket/prefix",
  };
  const report = await patient.examine([], { env });
  expect(report.exitCode).toBe(1);
  expect(marksOf(report, "settings")).toEqual(Array.from({ length: 5 }, () => "wrong"));
  const said = saidOf(report, "settings");
  for (const name of Object.keys(env)) expect(said).toContain(name);
  expect(said).not.toContain("hush");
  expect(marksOf(report, "service")).toEqual([]);
  expect(patient.simulator.requests()).toEqual([]);
});

test("a rejected key is an error, and nothing else is asked with it", async () => {
  const patient = await startPatient();
  const report = await patient.examine([], { env: { PROXYRENTAL_API_KEY: "another-key-0000" } });
  expect([report.exitCode, marksOf(report, "service")]).toEqual([1, ["wrong"]]);
  expect(saidOf(report, "service")).toContain("rejected the API key");
  expect(patient.simulator.requests()).toHaveLength(1);
});

test("a service that can't be reached is an error that says what to check", async () => {
  const patient = await startPatient();
  const report = await patient.examine([], {
    env: { PROXYRENTAL_BASE_URL: "http://127.0.0.1:1", PROXYRENTAL_TIMEOUT_SECONDS: "1" },
  });
  expect([report.exitCode, marksOf(report, "service")]).toEqual([1, ["wrong"]]);
  expect(saidOf(report, "service")).toContain("can't be reached (ECONNREFUSED)");
});

test("plain HTTP to another machine than this one is to be looked at", async () => {
  const patient = await startPatient();
  // Linux and macOS take this for the machine itself, and its name is not the loopback's.
  const baseUrl = patient.simulator.baseUrl.replace("127.0.0.1", "0.0.0.0");
  const report = await patient.examine(["--base-url", baseUrl]);
  expect([report.exitCode, marksOf(report, "tls")]).toEqual([2, ["look"]]);
  expect(marksOf(await patient.examine(), "tls")).toEqual([]);
});

test.each([
  [120_000, "behind"],
  [-120_000, "ahead of"],
])("a service's clock that is %d ms ahead is to be looked at", async (aheadMs, direction) => {
  const patient = await startPatient();
  patient.simulator.addFault({ endpoint: "any", phase: "after", fault: { kind: "date", aheadMs } });
  const report = await patient.examine();
  expect([report.exitCode, marksOf(report, "clock")]).toEqual([2, ["look"]]);
  expect(saidOf(report, "clock")).toMatch(new RegExp(`1(19|20|21) s ${direction} the service's`));
});

test.each([3, 10, 25])(
  "the largest page is %d where the service gives no more",
  async (pageCap) => {
    const patient = await startPatient({ pageCap });
    patient.simulator.placeForeignOrder(usa);
    const report = await patient.examine();
    expect(report.exitCode).toBe(0);
    expect(saidOf(report, "pageSize")).toContain(`The largest page is ${pageCap},`);
    expect(saidOf(report, "paging")).toContain("the same 30 proxies");
  },
);

test("a listing that is no longer than a page shows no limit, and is read in two pages too", async () => {
  const patient = await startPatient({ pageCap: 100 });
  patient.simulator.placeForeignOrder(usa);
  const report = await patient.examine();
  expect(saidOf(report, "pageSize")).toContain("no smaller limit was seen");
  const bodies = patient.simulator.requests().map(({ body }) => body);
  expect(bodies).toContainEqual({ proxyType: "IPv4", page: 1, size: 15 });
});

test("no login, password or address is told, and no URL that has the key", async () => {
  const patient = await startPatient();
  const { simulator } = patient;
  simulator.placeForeignOrder(usa);
  const told = [await patient.cli(["doctor"]), await patient.cli(["doctor", "--json"])];
  const logins = simulator.proxies().flatMap(({ login, ip }) => [login, ip]);
  const secrets = new Set([...secretsOf(simulator), ...logins]);
  expect(
    findLeaks(
      secrets,
      told.map(({ stdout, stderr }) => ["doctor", stdout + stderr] as const),
    ),
  ).toEqual([]);
});

test("of a listing in many pages only the first ones are read again", async () => {
  const patient = await startPatient({ pageCap: 1 });
  patient.simulator.placeForeignOrder(usa);
  const report = await patient.examine();
  expect([report.exitCode, marksOf(report, "paging")]).toEqual([0, ["well"]]);
  expect(saidOf(report, "paging")).toContain(
    "the same 30 proxies in the same order (of a long listing, the first pages)",
  );
  // Once whole, 20 pages again, and an empty page twice for each of the other types.
  expect(patient.simulator.requestCounts().listProxies).toBe(30 + 20 + 6);
});

test("a listing that lacks records, or promises too few pages, is to be looked at", async () => {
  const patient = await startPatient();
  patient.simulator.placeForeignOrder(usa);
  patient.simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: { kind: "answer", patch: { data: { totalElements: 31, totalPages: 1 } } },
  });
  const report = await patient.examine();
  expect(report.exitCode).toBe(2);
  expect(saidOf(report, "paging")).toContain("it promised 31 records and gave 30");
  expect(saidOf(report, "paging")).toContain(
    "it promised 1 page where 31 records in pages of 25 need 2",
  );
  expect(report.next).toHaveLength(1);
});

test("a service that refuses large pages is asked for smaller ones", async () => {
  const patient = await startPatient();
  patient.simulator.placeForeignOrder(usa);
  patient.simulator.addFault({
    endpoint: "listProxies",
    calls: [1, 2],
    phase: "before",
    fault: { kind: "refuse", code: 4 },
  });
  const report = await patient.examine();
  expect(saidOf(report, "pageSize")).toContain("The largest page is 25, where 1000 were asked for");
  const sizes = patient.simulator
    .requests()
    .map(({ body }) => (body as { size?: number } | undefined)?.size);
  expect(sizes).toEqual(expect.arrayContaining([500, 100]));
});

test("a Pulumi CLI that is missing, fails or is old is to be looked at", async () => {
  const patient = await startPatient();
  const none = await patient.examine([], { env: { PATH: "/nowhere" } });
  expect([none.exitCode, saidOf(none, "cli")]).toEqual([
    2,
    "The Pulumi CLI can't be asked for its version: there is none on PATH.",
  ]);
  const failing = await patient.examine([], { env: { PATH: await makeCli("exit 3") } });
  expect(saidOf(failing, "cli")).toContain("it failed (3)");
  const old = await patient.examine([], { env: { PATH: await makeCli("echo v3.100.0") } });
  expect(saidOf(old, "cli")).toContain("is v3.100.0, and this package is tested with 3.220");
});
