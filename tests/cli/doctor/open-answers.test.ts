import { expect, test, vi } from "vitest";
import { openAnswersSchema } from "../../../cli/doctor/open-answers.ts";
import type { Simulator, SimulatorOptions } from "../../../simulator/index.ts";
import { presets, resolveOpenQuestions } from "../../../simulator/open-questions.ts";
import { answersOf, marksOf, type Patient, saidOf, startPatient } from "./patient.ts";

vi.setConfig({ testTimeout: 120_000 });

const items = [
  { proxyType: "IPv4", country: "USA", quantity: 30, rentPeriodDays: 30 },
  { proxyType: "IPv6", country: "DEU", quantity: 10, rentPeriodDays: 90 },
  { proxyType: "MOBILE", country: "USA", quantity: 1, rentPeriodDays: 30 },
  { proxyType: "ISP", country: "USA", quantity: 2, rentPeriodDays: 60 },
] as const;

function stock(simulator: Simulator): void {
  for (const item of items) simulator.placeForeignOrder(item);
}

/** What the simulator was told, of what one look can see. */
function visible(options: SimulatorOptions) {
  const { ispNeedsUsersPrefix, ipv6IdsAs, pageCap, minimumQuantity } =
    resolveOpenQuestions(options);
  const least = { IPv4: 1, IPv6: 1, MOBILE: 1, ISP: 1, ...minimumQuantity };
  return { ispNeedsUsersPrefix, ipv6IdsAs, pageCap, minimumQuantity: least };
}

test("the questions are the simulator's", () => {
  expect(Object.keys(openAnswersSchema.shape).toSorted()).toEqual(
    Object.keys(resolveOpenQuestions({})).toSorted(),
  );
});

test.each<SimulatorOptions>([
  {},
  { ispNeedsUsersPrefix: true },
  { ipv6IdsAs: "list" },
  { ipv6IdsAs: "string" },
  { pageCap: 4 },
  { minimumQuantity: { IPv4: 7, IPv6: 10, MOBILE: 2, ISP: 3 } },
  { preset: "strict" },
])("what was set is what doctor reports: %j", async (options) => {
  const patient = await startPatient(options);
  stock(patient.simulator);
  const report = await patient.examine();
  expect(answersOf(report)).toEqual({
    ...visible(options),
    rateLimitedPercent: 0,
    unavailablePercent: 0,
  });
  expect([report.exitCode, report.findings.filter(({ mark }) => mark === "look")]).toEqual([0, []]);
});

test("the hostile service is seen as it is, through all its failures", async () => {
  const patient = await startPatient({ preset: "hostile", seed: 3 });
  const { simulator } = patient;
  stock(simulator);
  simulator.advance({ seconds: 30 });
  const report = await patient.examine();
  expect(answersOf(report)).toMatchObject(visible(presets.hostile));
  expect([report.exitCode, marksOf(report, "calls")]).toEqual([2, ["look"]]);
});

test.each([
  ["rateLimitedPercent", 429],
  ["unavailablePercent", 503],
] as const)("%s is what was met on the way", async (question, status) => {
  const patient = await startPatient({ [question]: 30 });
  const report = await patient.examine([], { env: { PROXYRENTAL_TIMEOUT_SECONDS: "60" } });
  const { answer, how } = report.answers?.[question] ?? {};
  expect(Number(answer)).toBeGreaterThan(10);
  expect(Number(answer)).toBeLessThan(55);
  const [, met, all] = /^(\d+) of (\d+) calls$/.exec(how ?? "") ?? [];
  expect(patient.simulator.requests().filter((one) => one.status === status)).toHaveLength(
    Number(met),
  );
  expect(patient.simulator.requests()).toHaveLength(Number(all));
  expect(saidOf(report, "calls")).toContain(`HTTP status ${status}`);
});

async function buyAndLook(patient: Patient) {
  await patient.beginRun({ isAlive: true }).buy();
  return patient.examine();
}

test.each([true, false])(
  "another number than the listing's is seen in the journal: %s",
  async (differs) => {
    const patient = await startPatient({ orderNumberDiffersFromOrderId: differs });
    expect(answersOf(await patient.examine())).not.toHaveProperty("orderNumberDiffersFromOrderId");
    const report = await buyAndLook(patient);
    expect(answersOf(report)).toMatchObject({ orderNumberDiffersFromOrderId: differs });
  },
);

test("ends that come late are at least as late as the proxies without them are old", async () => {
  const patient = await startPatient({ dateEndDelayMs: 3_600_000 });
  stock(patient.simulator);
  patient.simulator.advance({ minutes: 10 });
  const report = await patient.examine();
  const { answer, atLeast } = report.answers?.dateEndDelayMs ?? {};
  expect(answer).toBeNull();
  expect(Number(atLeast)).toBeGreaterThan(598_000);
  expect(Number(atLeast)).toBeLessThan(660_000);
  expect(saidOf(report, "fields")).toContain("listProxies does not answer data.content[].dateEnd");
});

test("a delivery that is awaited takes at least as long as its order is old", async () => {
  const patient = await startPatient();
  const { simulator } = patient;
  const { orderIds } = await patient.beginRun({ isAlive: true }).buy();
  const ids = simulator
    .proxies()
    .filter(({ orderId }) => orderIds.includes(orderId))
    .map(({ ipAddressId }) => ipAddressId);
  simulator.removeProxies(ids);
  simulator.advance({ minutes: 5 });
  const report = await patient.examine();
  expect(Number(report.answers?.deliveryDelayMs.atLeast)).toBeGreaterThan(298_000);
  expect(answersOf(report)).not.toHaveProperty("deliveryBatch");
});
