import { expect, test, vi } from "vitest";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { marksOf, saidOf, startPatient } from "./patient.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;

/** A listing of proxies whose records are changed on their way. */
function withRecords(change: (record: Record<string, unknown>, index: number) => object) {
  return (answer: unknown) => {
    const { data, ...rest } = answer as { data: { content: Record<string, unknown>[] } };
    return { ...rest, data: { ...data, content: data.content.map(change) } };
  };
}

test.each([
  [
    "a field that nobody knows",
    withRecords((record) => ({ ...record, email: "a@b" })),
    "fields",
    "look",
    "listProxies answers data.content[].email, which the document has not",
  ],
  [
    "a field that is missing",
    withRecords(({ comment: _, ...record }) => record),
    "fields",
    "look",
    "listProxies does not answer data.content[].comment, which the document has",
  ],
  [
    "an id that is a number",
    withRecords((record) => ({ ...record, ipAddressId: Number(record.ipAddressId) })),
    "ids",
    "look",
    "Some ids are no texts",
  ],
  [
    "an id that two have",
    withRecords((record) => ({ ...record, ipAddressId: "7" })),
    "ids",
    "look",
    "Two listed proxies have the same id",
  ],
  [
    "a date without milliseconds",
    withRecords((record) => ({ ...record, dateEnd: "2099-01-01T00:00:00Z" })),
    "dates",
    "look",
    "The provider can read them",
  ],
  [
    "a date that can't be read",
    withRecords((record) => ({ ...record, dateEnd: "01.01.2099" })),
    "dates",
    "wrong",
    "takes what it can't read for a date that is not told yet",
  ],
  [
    "orders that are mixed up",
    withRecords((record, index) => ({ ...record, orderId: `4${index % 2}` })),
    "paging",
    "look",
    "records are not grouped by order",
  ],
  [
    "a country that is not offered",
    withRecords((record) => ({ ...record, country: "XXX" })),
    "catalogue",
    "look",
    "listed in XXX, which is no country of IPv4",
  ],
  [
    "a period that is not offered",
    withRecords((record) => ({ ...record, extendInfo: { autoExtend: true, extendDays: 45 } })),
    "catalogue",
    "look",
    "extended by 45 days",
  ],
  [
    "a record that can't be read",
    withRecords(({ orderId: _, ...record }) => record),
    "listing",
    "wrong",
    "can't be read",
  ],
] as const)("%s is found", async (_, patch, about, mark, text) => {
  const patient = await startPatient();
  patient.simulator.placeForeignOrder(usa);
  patient.simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: { kind: "answer", patch },
  });
  const report = await patient.examine();
  expect(marksOf(report, about)).toContain(mark);
  expect(saidOf(report, about)).toContain(text);
  expect(report.exitCode).toBe(mark === "wrong" ? 1 : 2);
});

test.each([
  ["getBalance", { balance: 5 }, "balance", "look", "Calculations tell a balance of"],
  [
    "listProxyTypes",
    { proxyTypes: ["IPv4", "IPv6", "MOBILE", "SATELLITE"] },
    "types",
    "look",
    "it rents SATELLITE, which this package does not know; it does not rent ISP",
  ],
  [
    "listRentPeriods",
    { rentPeriodDays: [30, 45] },
    "rentPeriods",
    "look",
    "IPv4 30, 60, 90, 180, 360, and the service 30, 45",
  ],
  ["listCountries", { countries: [] }, "catalogue", "look", "where no MOBILE proxies are offered"],
  [
    "listMobileOperators",
    { mobileOperators: { USA: [{ mobileOperator: "x", rotationTimes: [5], speed: 9 }] } },
    "fields",
    "look",
    "listMobileOperators answers mobileOperators.*[].speed",
  ],
  [
    "listPromoCodes",
    { promoCodes: "none" },
    "catalogue",
    "wrong",
    "The list of promo codes can't be read",
  ],
  [
    "calculateOrder",
    { warnings: [{ code: 77, message: "too few" }] },
    "calculation",
    "look",
    'a warning says code 77, "too few"',
  ],
  [
    "calculateExtension",
    { success: false, price: null, error: { code: 4, message: "no" } },
    "extension",
    "look",
    "The price of an extension of IPv4 can't be asked",
  ],
] as const)("%s that answers otherwise is found", async (endpoint, patch, about, mark, text) => {
  const patient = await startPatient();
  patient.simulator.placeForeignOrder(usa);
  patient.simulator.addFault({ endpoint, phase: "after", fault: { kind: "answer", patch } });
  const report = await patient.examine();
  expect(marksOf(report, about)).toContain(mark);
  expect(saidOf(report, about)).toContain(text);
  expect(report.exitCode).toBe(mark === "wrong" ? 1 : 2);
  expect({ ...spendingOf(patient.simulator), charges: [] }).toEqual(nothingSpent);
});

test("a listing that changes between two readings is found", async () => {
  const patient = await startPatient();
  const { simulator } = patient;
  simulator.placeForeignOrder(usa);
  const run = () => void simulator.placeForeignOrder({ ...usa, quantity: 1 });
  simulator.addFault({
    endpoint: "listProxies",
    calls: [2],
    phase: "before",
    fault: { kind: "act", run },
  });
  const report = await patient.examine();
  expect(saidOf(report, "paging")).toContain(
    "two readings, one right after the other, gave different proxies",
  );
});

test("a journal that can't be kept is an error that says how to check it", async () => {
  const patient = await startPatient();
  const report = await patient.examine(["--journal-dir", "/dev/null/journal"]);
  expect([report.exitCode, marksOf(report, "journal")]).toEqual([1, ["wrong"]]);
  expect(report.next.join(" ")).toContain("npx pulumi-proxyrental journal check");
});
