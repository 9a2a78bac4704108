import { expect, test } from "vitest";
import { weighPurchases } from "../../../cli/doctor/journal-evidence.ts";
import type { ProxyRecord } from "../../../provider/client/index.ts";
import {
  type Intent,
  openIntent,
  type PurchaseSpec,
} from "../../../provider/core/records/intent.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
const sentAt = "2026-03-10T11:00:00.000Z";

function bought(purchase: PurchaseSpec, facts: Partial<Intent> = {}): Intent {
  const draft = {
    owner: "urn",
    requestId: "r",
    price: 1,
    currency: "USD",
    discount: 0,
    balanceBefore: 9,
  };
  const by = { id: "i-1", project: "/p", runId: "run" };
  const intent = openIntent({ ...draft, purchase, sentAt, answerBy: sentAt }, by, now);
  return { ...intent, phase: "returned", ...facts };
}

function order(facts: Partial<Intent>, quantity = 1): Intent {
  const request = { proxyType: "IPv4", country: "USA", quantity, rentPeriodDays: 30 } as const;
  return bought({ kind: "order", request, ordersBefore: [] }, facts);
}

function extension(ipAddressId: string, address: string, facts: Partial<Intent> = {}): Intent {
  const request = { proxyType: "IPv4" as const, ipAddressIds: [ipAddressId], rentPeriodDays: 30 };
  const proxiesBefore = [{ ipAddressId, address, dateEnd: "2026-04-01T00:00:00.000Z" }];
  return bought({ kind: "extension", request, proxiesBefore }, facts);
}

const listed: ProxyRecord = {
  ipAddressId: "5",
  ipAddressIp: "192.0.2.1",
  httpsPort: "100",
  orderId: "A",
  country: "USA",
  dateStart: "2026-03-10T11:30:00.000Z",
  dateEnd: "2026-05-01T00:00:00.000Z",
  extendInfo: { autoExtend: false, extendDays: 0 },
};

const weigh = (intents: Intent[], records: ProxyRecord[] = [listed]) =>
  weighPurchases(intents, records, now);

test.each([
  ["no purchase", [], null],
  [
    "an order whose listing was seen under its number",
    [order({ orderNumber: "A", orderIds: ["A"] })],
    false,
  ],
  ["one that is listed under its number now", [order({ orderNumber: "A" })], false],
  ["one that was seen under another", [order({ orderNumber: "N1", orderIds: ["A"] })], true],
  [
    "one of two",
    [order({ orderNumber: "N1", orderIds: ["A"] }), order({ orderNumber: "B", orderIds: ["B"] })],
    true,
  ],
  ["one that was never seen", [order({ orderNumber: "N1" })], null],
  [
    "one that was not placed",
    [order({ orderNumber: "N1", orderIds: ["A"], phase: "closed" })],
    null,
  ],
])("whether numbers differ: %s", (_, intents, answer) => {
  expect(weigh(intents).orderNumberDiffersFromOrderId.answer).toBe(answer);
});

test.each([
  ["the id stayed", extension("5", "192.0.2.1 100"), false],
  ["the address has another id", extension("4", "192.0.2.1 100"), true],
  ["nothing is listed of it", extension("4", "192.0.2.9 100"), null],
  ["it was not placed", extension("4", "192.0.2.1 100", { phase: "unknown" }), null],
])("whether ids change: %s", (_, intent, answer) => {
  expect(weigh([intent]).idsChangeOnExtension.answer).toBe(answer);
});

test("an id that is listed with the end from before tells nothing", () => {
  const early = { ...listed, dateEnd: "2026-04-01T00:00:00.000Z" };
  expect(weigh([extension("5", "192.0.2.1 100")], [early]).idsChangeOnExtension.answer).toBeNull();
});

test("ends and deliveries are known by bounds only", () => {
  const { dateEnd: _, ...endless } = { ...listed, dateStart: "2026-03-10T11:45:00.000Z" };
  const answers = weigh([order({ orderNumber: "A" }, 3)], [listed, endless]);
  expect(answers.dateEndDelayMs).toMatchObject({
    answer: null,
    atLeast: 900_000,
    atMost: 1_801_000,
  });
  expect(answers.deliveryDelayMs).toMatchObject({ answer: null, atLeast: 3_600_000 });
  expect(weigh([order({ orderNumber: "A" }, 1)]).deliveryDelayMs).not.toHaveProperty("atLeast");
});
