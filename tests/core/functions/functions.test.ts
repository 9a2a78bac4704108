import { describe, expect, onTestFinished, test } from "vitest";
import { type PromoCode, proxyTypes } from "../../../provider/client/index.ts";
import {
  accountFunctions,
  callFunction,
  type FunctionName,
} from "../../../provider/core/functions/functions.ts";
import type { ProxyService } from "../../../provider/core/ports.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { namedRows, readPage } from "../../support/docs.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { findUndescribed, findUnpublishable } from "../support/published-schema.ts";

const held = { proxyType: "IPv4", country: "USA", quantity: 2, rentPeriodDays: 30 };

/** An account that holds two proxies. No test here may spend its money. */
async function holdProxies(service: (real: ProxyService) => ProxyService = (real) => real) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now });
  const journalDir = await makeTemporaryFolder();
  simulator.placeForeignOrder({ ...held, proxyType: "IPv4" });
  const ledger = simulator.ledger();
  onTestFinished(() => expect(simulator.ledger()).toEqual(ledger));
  const interpose = { service };
  const { account } = beginAccountRun({ simulator, journalDir, clock, interpose });
  return { simulator, account };
}

const names = Object.keys(accountFunctions) as FunctionName[];

const quote = { currency: "USD", discount: 0, balance: expect.any(Number), warnings: [] };

/** The arguments of a function, and the answer that it must give. */
interface Question {
  args?: (ipAddressIds: string[]) => object;
  answer: object;
}

const questions: Record<FunctionName, Question> = {
  getBalance: { answer: { balance: expect.any(Number), currency: "USD" } },
  getProxyTypes: { answer: { proxyTypes } },
  getCountries: {
    args: () => ({ proxyType: "MOBILE" }),
    answer: { countries: expect.arrayContaining([{ name: "Germany", alpha3code: "DEU" }]) },
  },
  getRentPeriods: { args: () => ({ proxyType: "MOBILE" }), answer: { rentPeriodDays: [30, 360] } },
  getMobileOperators: {
    answer: {
      mobileOperators: expect.objectContaining({
        GBR: [{ mobileOperator: "ee", rotationTimes: [180, 600] }],
      }),
    },
  },
  getPromoCodes: {
    answer: {
      promoCodes: expect.arrayContaining([
        expect.objectContaining({ code: "SPRING10", discount: 10, endless: true }),
      ]),
    },
  },
  getProxies: {
    args: () => ({ proxyType: "IPv4", country: "USA", daysLeftAtLeast: 29 }),
    answer: { proxies: Array(2).fill(expect.objectContaining({ country: "USA" })) },
  },
  getOrderQuote: {
    args: () => ({ ...held, goal: "testing", promoCode: "SPRING10" }),
    answer: { ...quote, price: 2.52, discount: 10, promoCodeStatus: "VALID" },
  },
  getExtensionQuote: {
    args: (ipAddressIds) => ({ proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 }),
    answer: { ...quote, price: 2.8 },
  },
};

describe("a function answers as described, and spends nothing", () => {
  test.each(names)("%s", async (name) => {
    const { account, simulator } = await holdProxies();
    const { args, answer } = questions[name];
    const ipAddressIds = simulator.proxies().map((proxy) => proxy.ipAddressId);
    const reply = await callFunction(account, name, { ...args?.(ipAddressIds) });
    expect(reply).toEqual({ result: answer });
    // Parsing drops the fields that the description does not have.
    const { result } = reply as { result: object };
    expect(accountFunctions[name].outputs.parse(result)).toEqual(result);
  });

  test("getPromoCodes leaves out fields that the service gives as null", async () => {
    const unsaid = { countUses: null, startDate: null, endDate: null, endless: null };
    const code: PromoCode = { code: "A", discount: 5, descriptionsByLocale: null, ...unsaid };
    const { account } = await holdProxies((real) => ({
      ...real,
      listPromoCodes: async () => [code],
    }));
    expect(await callFunction(account, "getPromoCodes", {})).toEqual({
      result: { promoCodes: [{ code: "A", discount: 5 }] },
    });
  });

  test("getProxies returns no logins", async () => {
    const { account, simulator } = await holdProxies();
    const answer = JSON.stringify(await callFunction(account, "getProxies", { proxyType: "IPv4" }));
    for (const { ipAddressId, login, password } of simulator.proxies()) {
      expect(answer).toContain(`"${ipAddressId}"`);
      expect(answer).not.toContain(login);
      expect(answer).not.toContain(password);
    }
  });
});

/** Arguments with several mistakes, and the properties that must all be refused. */
const wrong: Record<FunctionName, [args: object, properties: string[]]> = {
  getBalance: [{ currency: "USD", all: true }, ["currency", "all"]],
  getProxyTypes: [{ proxyType: "IPv4", country: "USA" }, ["proxyType", "country"]],
  getCountries: [{ country: "USA" }, ["proxyType", "country"]],
  getRentPeriods: [{ proxyType: "IPv5", days: 30 }, ["proxyType", "days"]],
  getMobileOperators: [{ country: "USA", proxyType: "MOBILE" }, ["country", "proxyType"]],
  getPromoCodes: [{ code: "A", proxyType: "IPv4" }, ["code", "proxyType"]],
  getProxies: [
    { proxyType: null, country: "usa", daysLeftBelow: 7, daysLeftAtLeast: 7, daysLeft: 7 },
    ["proxyType", "country", "daysLeft", "daysLeftAtLeast"],
  ],
  getOrderQuote: [
    { ...held, quantity: 0, protocol: "HTTP", days: 30 },
    ["quantity", "goal", "days", "protocol"],
  ],
  getExtensionQuote: [
    { proxyType: "ipv4", ipAddressIds: ["1", "1"], promoCode: "", maxPrice: 1 },
    ["proxyType", "rentPeriodDays", "promoCode", "maxPrice", "ipAddressIds"],
  ],
};

describe("a function refuses all wrong arguments at once, and makes no request", () => {
  test.each(names)("%s", async (name) => {
    const { account, simulator } = await holdProxies();
    const [args, properties] = wrong[name];
    const reply = await callFunction(account, name, { ...args });
    const failures = "failures" in reply ? reply.failures : [];
    expect(failures.map(({ property }) => property)).toEqual(properties);
    expect(Object.values(simulator.requestCounts()).every((count) => count === 0)).toBe(true);
  });

  test("one without arguments says so", async () => {
    const { account } = await holdProxies();
    expect(await callFunction(account, "getBalance", { all: true })).toEqual({
      failures: [{ property: "all", reason: "is not an argument; accepted: none" }],
    });
  });

  test("null counts as an omitted argument", async () => {
    const { account } = await holdProxies();
    const args = { ...held, goal: "testing", promoCode: null, protocol: null };
    expect(await callFunction(account, "getOrderQuote", args)).toHaveProperty("result.price", 2.8);
  });
});

describe("a function's schema can be published", () => {
  test.each(names)("arguments of %s", (name) => {
    expect(findUndescribed(accountFunctions[name].inputs)).toEqual([]);
    expect(findUnpublishable(accountFunctions[name].inputs)).toEqual([]);
  });

  test.each(names)("result of %s", (name) => {
    const { description, outputs } = accountFunctions[name];
    expect(description).toContain("Spends nothing");
    expect(findUndescribed(outputs)).toEqual([]);
    expect(findUnpublishable(outputs)).toEqual([]);
  });
});

test("the page of resources has each function and no other", () => {
  const rows = namedRows(readPage("docs/resources.md"));
  const named = rows.flatMap(([cell]) => cell?.match(/\bget\w+/g) ?? []);
  expect(named.toSorted()).toEqual(names.toSorted());
});
