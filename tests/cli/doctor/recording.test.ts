import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { recordingSchema } from "../../../cli/doctor/recording.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator/index.ts";
import { RecordingFile, readRecording } from "../../../simulator/likeness/recording-file.ts";
import { type Answer, post } from "../../simulator/caller.ts";
import { findLeaks, readTree, secretsOf } from "../../support/secrecy.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { answersOf, type Patient, startPatient } from "./patient.ts";

vi.setConfig({ testTimeout: 120_000 });

const items = [
  { proxyType: "IPv4", country: "JPN", quantity: 30, rentPeriodDays: 60 },
  { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 },
  { proxyType: "IPv6", country: "DEU", quantity: 10, rentPeriodDays: 90 },
  { proxyType: "MOBILE", country: "USA", quantity: 1, rentPeriodDays: 30 },
  { proxyType: "ISP", country: "USA", quantity: 2, rentPeriodDays: 60 },
] as const;

function stock(simulator: Simulator): void {
  for (const item of items) simulator.placeForeignOrder(item);
}

/** Records an account, and gives the folder and what doctor said. */
async function record(patient: Patient, env: Record<string, string> = {}) {
  const folder = join(await makeTemporaryFolder(), "seen");
  const report = await patient.examine(["--record", folder], { env });
  return { folder, report };
}

/** A machine whose simulator is like a recording. */
function startLike(folder: string, options: SimulatorOptions = {}): Promise<Patient> {
  return startPatient({ like: folder, ...options });
}

/** What of the answers one look at the service can see, and no draw of a failure. */
function steady(report: Parameters<typeof answersOf>[0]) {
  const { rateLimitedPercent: _, unavailablePercent: __, ...rest } = answersOf(report);
  return rest;
}

test.each<SimulatorOptions>([
  {},
  { ispNeedsUsersPrefix: true, ipv6IdsAs: "list" },
  { ipv6IdsAs: "string", pageCap: 4 },
  { pageCap: 100 },
  { minimumQuantity: { IPv4: 7, IPv6: 10, MOBILE: 2, ISP: 3 } },
  { preset: "strict" },
  { preset: "hostile", seed: 3 },
])("a simulator like the recording gives doctor the same answers: %j", async (options) => {
  const patient = await startPatient({ balance: "3000.00", ...options });
  stock(patient.simulator);
  patient.simulator.advance({ seconds: 30 });
  const { folder, report } = await record(patient);
  expect(report.recording).toBe(folder);
  expect(report.next.at(-1)).toContain(`npx pulumi-proxyrental simulator --like ${folder}`);
  const like = await startLike(folder);
  const again = await like.examine();
  expect(steady(again)).toEqual(steady(report));
  expect(again.answers?.pageCap.atLeast).toEqual(report.answers?.pageCap.atLeast);
  expect(like.simulator.balance()).toBe(patient.simulator.balance());
  expect(like.simulator.invariants().filter(({ holds }) => !holds)).toEqual([]);
  expect({ ...spendingOf(patient.simulator), charges: [] }).toEqual(nothingSpent);
});

test("what only the journal shows is in the recording, and the simulator does it", async () => {
  const patient = await startPatient({ orderNumberDiffersFromOrderId: true });
  await patient.beginRun({ isAlive: true }).buy();
  const { folder } = await record(patient);
  const { simulator } = await startLike(folder);
  const order = simulator.placeForeignOrder(items[1]);
  expect(order?.orderNumber).not.toBe(order?.orderId);
});

test("how often the service failed is in the recording", async () => {
  const { folder, report } = await record(await startPatient({ unavailablePercent: 20 }), {
    PROXYRENTAL_TIMEOUT_SECONDS: "60",
  });
  const like = await startLike(folder);
  const again = await like.examine([], { env: { PROXYRENTAL_TIMEOUT_SECONDS: "60" } });
  expect(Number(report.answers?.unavailablePercent.answer)).toBeGreaterThan(5);
  expect(Number(again.answers?.unavailablePercent.answer)).toBeGreaterThan(3);
});

test("a recording holds no key, login, password, address, id or order number of the account", async () => {
  const patient = await startPatient({ balance: "3000.00" });
  const { simulator } = patient;
  stock(simulator);
  simulator.addFault({
    endpoint: "calculateExtension",
    calls: [1],
    phase: "after",
    fault: {
      kind: "answer",
      // A service may quote anything in a message, or answer fields that nobody has foreseen.
      patch: {
        success: false,
        error: {
          code: 9,
          message: `no ${simulator.apiKey} for ${simulator.proxies()[0]?.login} at ${simulator.proxies()[0]?.ip}`,
        },
        owner: { email: "owner@example.com", [simulator.proxies()[1]?.login ?? ""]: 1 },
      },
    },
  });
  const { folder } = await record(patient);
  const proxies = simulator.proxies();
  const own = proxies.flatMap(({ login, ip, ipAddressId, orderId }) => [
    login,
    ip,
    ipAddressId,
    orderId,
  ]);
  const secrets = new Set([...secretsOf(simulator), ...own, "owner@example.com"]);
  const files = await readTree(folder);
  expect(files.map(([path]) => path.slice(folder.length + 1)).toSorted()).toEqual([
    "answers.json",
    "recording.json",
  ]);
  expect(findLeaks(secrets, files)).toEqual([]);
  const answers = await readFile(join(folder, "answers.json"), "utf8");
  expect(answers).toContain('"message": "no <API_KEY> for');
});

test("the same stands for the same", async () => {
  const patient = await startPatient({ balance: "3000.00", pageCap: 10 });
  stock(patient.simulator);
  const { folder } = await record(patient);
  const { orders } = readRecording(folder);
  const shapeOf = (ids: readonly string[]) => ids.map((id) => ids.indexOf(id));
  const seen = orders.flatMap(({ orderId, proxies }) =>
    proxies.map((proxy) => ({ orderId, ...proxy })),
  );
  const real = patient.simulator.proxies();
  for (const name of ["orderId", "ipAddressId", "ip", "login", "password"] as const) {
    expect([name, shapeOf(seen.map((proxy) => proxy[name]))]).toEqual([
      name,
      shapeOf(real.map((proxy) => proxy[name])),
    ]);
  }
  const calls = JSON.parse(await readFile(join(folder, "answers.json"), "utf8")) as {
    sent?: { IpAddressIds?: string | string[] };
  }[];
  const asked = calls
    .flatMap(({ sent }) => sent?.IpAddressIds ?? [])
    .flatMap((ids) => ids.split(","));
  const known = new Set(seen.map(({ ipAddressId }) => ipAddressId));
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((id) => !known.has(id))).toEqual([]);
});

test("a simulator like the recording lists the same orders, offers the same, and prices as was seen", async () => {
  const catalogue = {
    countries: { ISP: ["USA"] },
    prices: { monthly: { IPv4: "3.33" }, quantityTiers: [{ from: 25, factor: "0.5" }] },
  };
  const patient = await startPatient({ balance: "3000.00", currency: "EUR", catalogue });
  stock(patient.simulator);
  const { folder } = await record(patient);
  const like = await startLike(folder);
  const facts = ({ simulator }: Patient) =>
    simulator.proxies().map(({ proxyType, country, dateStart, dateEnd, httpsPort }) => {
      const days = Math.round((Date.parse(dateEnd) - Date.parse(dateStart)) / 86_400_000);
      return { proxyType, country, days, httpsPort };
    });
  expect(facts(like)).toEqual(facts(patient));
  const ask = async ({ simulator }: Patient, item: object): Promise<Partial<Answer>> => {
    const { price, success, discount } = await post(simulator, "calculate/order", {
      goal: "x",
      ...item,
    });
    return { price, success, discount };
  };
  for (const item of [
    { proxyType: "IPv4", country: "USA", quantity: 10, rentPeriodDays: 30 },
    { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
    { proxyType: "IPv4", country: "JPN", quantity: 3, rentPeriodDays: 30 },
    { proxyType: "ISP", country: "USA", quantity: 2, rentPeriodDays: 60 },
    { proxyType: "ISP", country: "FRA", quantity: 2, rentPeriodDays: 60 },
    {
      proxyType: "MOBILE",
      country: "POL",
      quantity: 2,
      rentPeriodDays: 360,
      mobileOperator: "play",
      rotationTime: 300,
    },
  ]) {
    expect([item, await ask(like, item)]).toEqual([item, await ask(patient, item)]);
  }
  // Of this nothing was seen but what it has in common with others, and each of those prices was rounded to cents.
  const unseen = { proxyType: "IPv4", country: "JPN", quantity: 40, rentPeriodDays: 360 };
  const prices = [await ask(like, unseen), await ask(patient, unseen)].map(({ price }) =>
    Number(price),
  );
  expect((prices[0] ?? 0) / (prices[1] ?? 0)).toBeCloseTo(1, 3);
});

test("what is named besides a recording wins", async () => {
  const patient = await startPatient({
    pageCap: 4,
    ipv6IdsAs: "list",
    minimumQuantity: { ISP: 2 },
  });
  stock(patient.simulator);
  const { folder } = await record(patient);
  const { simulator } = await startLike(folder, {
    preset: "strict",
    ipv6IdsAs: "either",
    balance: "7.00",
    catalogue: { countries: { ISP: ["FRA"] } },
  });
  const { data } = await post(simulator, "ipAddress?proxyType=IPv4", {
    proxyType: "IPv4",
    page: 0,
    size: 50,
  });
  expect([simulator.balance(), data.content.length]).toEqual(["7.00", 10]);
  const calls = { ...items[4], goal: "x", rentPeriodDays: 30 };
  expect((await post(simulator, "calculate/order", calls)).success).toBe(false);
  expect((await post(simulator, "calculate/order", { ...calls, country: "FRA" })).success).toBe(
    true,
  );
});

test("a recording is never written over, and nothing is asked for it", async () => {
  const patient = await startPatient();
  const { folder } = await record(patient);
  const before = await readTree(folder);
  patient.simulator.resetRequestCounts();
  const { exitCode, stdout, stderr } = await patient.cli(["doctor", "--record", folder]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    `error: ${folder} holds something already, which was left as it is; give --record a new folder`,
  );
  expect(await readTree(folder)).toEqual(before);
  expect(patient.simulator.requests()).toEqual([]);
});

test("where the service can't be asked, nothing is recorded", async () => {
  const { folder, report } = await record(await startPatient(), {
    PROXYRENTAL_API_KEY: "another-key-0000",
  });
  expect([report.exitCode, report.recording]).toEqual([1, undefined]);
  expect(await readdir(folder)).toEqual([]);
});

test("the form of a recording is one on both sides", () => {
  expect(z.toJSONSchema(RecordingFile)).toEqual(z.toJSONSchema(recordingSchema));
});

test.each([
  ["no JSON", "{", /^The recording ".*recording\.json" can't be read: /],
  [
    "something else",
    '{"steps":[]}',
    /^".*recording\.json" is no recording: what `doctor --record` writes is expected$/,
  ],
  [
    "a later version",
    '{"form":"pulumi-proxyrental recording","version":2}',
    /has version 2, and only version 1 can be read$/,
  ],
  [
    "a part",
    '{"form":"pulumi-proxyrental recording","version":1}',
    /^The recording ".*recording\.json" is wrong at recordedAt: /,
  ],
])("a recording that is %s is refused in one sentence", async (_, content, message) => {
  const folder = await makeTemporaryFolder();
  await writeFile(join(folder, "recording.json"), content);
  const refused = await startSimulator({ like: folder }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TypeError);
  expect((refused as Error).message).toMatch(message);
  expect((refused as Error).message).not.toContain("\n");
});
