import { describe, expect, test } from "vitest";
import { endpoints } from "../../provider/client/endpoints.ts";
import { openEnvelope } from "../../provider/client/envelope.ts";
import { type EndpointName, isServiceError } from "../../provider/client/index.ts";
import { htmlPage } from "./reactions.ts";

function open(endpoint: EndpointName, body: unknown, status = 200): unknown {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = { status, body: text, answeredAt: undefined, retryAfterMs: undefined };
  const { repeatable } = endpoints[endpoint];
  const call = { endpoint, outcomeIfUnreadable: repeatable ? "rejected" : "unknown" } as const;
  try {
    return openEnvelope(call, answer, endpoints[endpoint].answer);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const { code, outcome, serviceCode, httpStatus, message, balance } = error;
    return { code, outcome, serviceCode, httpStatus, message, balance };
  }
}

const accepted = { success: true, error: null, proxyType: "IPv4", balance: 993, currency: "USD" };
const refusedGoal = { code: 14, message: "Incorrect goal" };

describe("an answer to createOrder", () => {
  test.each([
    ["says so plainly", { ...accepted, orderNumber: "4170233", promoCodeStatus: null }],
    ["has an order number that is a number", { ...accepted, orderNumber: 4170233 }],
    ["has unknown fields", { ...accepted, orderNumber: "4170233", eta: 5, more: { a: [] } }],
    ["has no error field at all", { success: true, orderNumber: "4170233", balance: 993 }],
    ["has no balance", { ...accepted, orderNumber: "4170233", balance: 993 }],
  ])("says that the order was placed when it %s", (_how, body) => {
    expect(open("createOrder", body)).toEqual({
      orderNumber: "4170233",
      promoCodeStatus: null,
      balance: 993,
    });
  });

  test.each([
    ["balance missing", { balance: undefined }, null],
    ["balance null", { balance: null }, null],
    ["balance a text", { balance: "993.00" }, null],
    ["promo code status of another type", { balance: undefined, promoCodeStatus: 7 }, null],
    ["promo code not valid", { balance: undefined, promoCodeStatus: "NO_VALID" }, "NO_VALID"],
    ["unknown promo code status", { balance: undefined, promoCodeStatus: "USED" }, "USED"],
  ])("a bad detail never makes a paid order unreadable: %s", (_what, detail, promoCodeStatus) => {
    const body = { ...accepted, orderNumber: "4170233", ...detail };
    expect(open("createOrder", body)).toEqual({
      orderNumber: "4170233",
      promoCodeStatus,
      balance: undefined,
    });
  });

  test.each([
    ["success without an order number", accepted],
    ["success with a null order number", { ...accepted, orderNumber: null }],
    ["success with an empty order number", { ...accepted, orderNumber: "" }],
    ["success that names an error", { ...accepted, orderNumber: "4170233", error: refusedGoal }],
    ["failure that names an order", { success: false, error: refusedGoal, orderNumber: "41" }],
    ["failure that names an order by number", { success: false, error: null, orderNumber: 41 }],
    ["failure without a reason", { success: false, error: null, orderNumber: null }],
    ["failure without an error field", { success: false, proxyType: null, orderNumber: null }],
    ["failure alone", { success: false }],
    ["failure that names a type", { success: false, error: refusedGoal, proxyType: "IPv4" }],
    ["an error without a code", { success: false, error: { message: "Incorrect goal" } }],
    ["success that is a text", { ...accepted, success: "true", orderNumber: "4170233" }],
    ["an order number that JavaScript can't hold", { ...accepted, orderNumber: 2 ** 53 }],
    ["no success field", { error: null, orderNumber: "4170233" }],
    ["an error that is a text", { success: false, error: "Incorrect goal" }],
    ["HTML", htmlPage],
    ["nothing", ""],
    ["blanks", " \n"],
    ["null", "null"],
    ["a list", "[]"],
    ["half a JSON text", '{"success":true,"orderNumber":"41'],
  ])("leaves the outcome unknown: %s", (_what, body) => {
    expect(open("createOrder", body)).toMatchObject({
      code: "SERVICE_ANSWER_UNREADABLE",
      outcome: "unknown",
    });
  });

  test.each([201, 204, 301, 302, 307, 400, 401, 404, 429, 500, 502, 503, 504])(
    "leaves the outcome unknown with HTTP status %i, whatever the body says",
    (status) => {
      const refusedInBody = { success: false, error: refusedGoal };
      expect(open("createOrder", refusedInBody, status)).toMatchObject({
        code: "SERVICE_HTTP_STATUS",
        outcome: "unknown",
        httpStatus: status,
      });
    },
  );

  test.each([
    ["a code", { error: refusedGoal }, 14, /code 14, "Incorrect goal"/],
    ["an unknown code", { error: { code: 77, message: "Hm" } }, 77, /code 77, "Hm"/],
    [
      "all fields emptied",
      { error: refusedGoal, proxyType: null, orderNumber: null },
      14,
      /code 14/,
    ],
    ["an emptied order number", { error: refusedGoal, orderNumber: "" }, 14, /code 14/],
  ])("is rejected when success is false: %s", (_what, rest, serviceCode, message) => {
    expect(open("createOrder", { success: false, ...rest })).toMatchObject({
      code: "SERVICE_REFUSED",
      outcome: "rejected",
      serviceCode,
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["told", { balance: 993 }, 993],
    ["null", { balance: null }, undefined],
    ["absent", {}, undefined],
    ["a text", { balance: "993.00" }, undefined],
  ])("that refuses it tells the balance: %s", (_what, rest, balance) => {
    expect(open("createOrder", { success: false, error: refusedGoal, ...rest })).toMatchObject({
      outcome: "rejected",
      balance,
    });
  });

  test("says for code 2 that the key was rejected", () => {
    const error = { code: 2, message: "Error api key" };
    expect(open("createOrder", { success: false, error })).toMatchObject({
      code: "API_KEY_REJECTED",
      outcome: "rejected",
      serviceCode: 2,
    });
  });
});

describe("an answer to extend", () => {
  const emptied = { proxyType: null, rentPeriodDays: 0, quantity: 0, ipAddressIds: [] };

  test.each([
    ["all emptied", emptied],
    ["the echo left out", {}],
    ["a null list", { ipAddressIds: null }],
  ])("is rejected when success is false with an error and %s", (_what, rest) => {
    expect(open("extend", { success: false, error: refusedGoal, ...rest })).toMatchObject({
      code: "SERVICE_REFUSED",
      outcome: "rejected",
      serviceCode: 14,
    });
  });

  test.each([
    ["failure without a reason", { ...emptied, error: null }],
    ["failure without an error field", emptied],
    ["failure that names proxies", { ...emptied, error: refusedGoal, ipAddressIds: ["1"] }],
    ["failure that names a type", { ...emptied, error: refusedGoal, proxyType: "IPv4" }],
  ])("leaves the outcome unknown: %s", (_what, body) => {
    expect(open("extend", { success: false, ...body })).toMatchObject({
      code: "SERVICE_ANSWER_UNREADABLE",
      outcome: "unknown",
    });
  });
});

test.each(["getBalance", "calculateOrder", "setAutoExtension"] as const)(
  "a failure of %s without a reason is a rejection, because asking again costs nothing",
  (endpoint) => {
    expect(open(endpoint, { success: false, error: null })).toMatchObject({
      code: "SERVICE_REFUSED",
      outcome: "rejected",
      message: expect.stringContaining("no reason was given"),
    });
  },
);

describe("an unreadable answer to a read", () => {
  test.each([
    ["HTML", htmlPage, /HTML page/],
    ["HTML in capitals", "\n <HTML>", /HTML page/],
    ["nothing", "", /it is empty/],
    ["unrelated JSON", '{"hello":1}', /not the documented JSON/],
    ["a missing field", { success: true }, /balance/],
    ["a field of another type", { success: true, balance: "9", currencyCode: "USD" }, /balance/],
    ["no currency", { success: true, balance: 9, currencyCode: "" }, /currencyCode/],
  ])("bought nothing and says what is wrong: %s", (_what, body, message) => {
    expect(open("getBalance", body)).toMatchObject({
      code: "SERVICE_ANSWER_UNREADABLE",
      outcome: "rejected",
      message: expect.stringMatching(message),
    });
  });
});

describe("a calculation", () => {
  const calculated = { success: true, error: null, balance: 10, price: 7, currency: "USD" };

  test.each([
    ["has only the price", {}, {}],
    ["has null for fields that do not apply", { discount: null, warnings: null }, {}],
    ["has no price", { price: null }, { price: null }],
    ["leaves the price out", { price: undefined }, { price: null }],
    ["has warnings", { warnings: [refusedGoal] }, { warnings: [refusedGoal] }],
    ["has an unknown promo code status", { promoCodeStatus: "HALF" }, { promoCodeStatus: "HALF" }],
    ["has a negative price, which the gates refuse later", { price: -1 }, { price: -1 }],
  ])("is read when it %s", (_how, body, result) => {
    const plain = { price: 7, currency: "USD", discount: 0, promoCodeStatus: null, balance: 10 };
    expect(open("calculateOrder", { ...calculated, ...body })).toEqual({
      ...plain,
      warnings: [],
      ...result,
    });
  });

  test.each([
    ["an infinite price", '{"success":true,"price":1e999,"currency":"USD","balance":10}'],
    ["a price as text", { ...calculated, price: "7" }],
    ["no currency", { ...calculated, currency: null }],
    ["no balance", { ...calculated, balance: null }],
    ["warnings of the wrong form", { ...calculated, warnings: ["low balance"] }],
  ])("is refused with %s", (_what, body) => {
    expect(open("calculateOrder", body)).toMatchObject({ code: "SERVICE_ANSWER_UNREADABLE" });
  });
});

describe("a page of the listing", () => {
  const record = { ipAddressId: "1", ipAddressIp: "192.0.2.1", orderId: "9", country: "USA" };
  const page = (...content: unknown[]) => ({
    success: true,
    data: { totalElements: content.length, totalPages: 1, content },
  });
  const off = { autoExtend: false, extendDays: 0 };

  test.each([
    ["the bare minimum", record, { extendInfo: off }],
    [
      "ids and ports as numbers",
      { ...record, ipAddressId: 1, orderId: 9, httpsPort: 80 },
      { httpsPort: "80", extendInfo: off },
    ],
    ["no login yet", { ...record, authInfo: null }, { extendInfo: off }],
    [
      "no end yet",
      { ...record, dateStart: "2026-01-01T12:00:00.000+02:00", dateEnd: null },
      { dateStart: "2026-01-01T12:00:00.000+02:00", extendInfo: off },
    ],
    ["unknown fields", { ...record, speed: "fast" }, { extendInfo: off }],
    [
      "a flag without days",
      { ...record, extendInfo: { autoExtend: true } },
      { extendInfo: { autoExtend: true, extendDays: 0 } },
    ],
    [
      "a login of digits only",
      { ...record, authInfo: { login: 12, password: 34 } },
      { credential: { login: "12", password: "34" }, extendInfo: off },
    ],
  ])("is read with %s", (_what, listed, more) => {
    expect(open("listProxies", page(listed))).toEqual({
      totalElements: 1,
      totalPages: 1,
      content: [{ ...record, ...more }],
    });
  });

  test.each([
    ["a date alone", "2026-01-01"],
    ["a time without an offset", "2026-01-01T12:00:00"],
    ["a time without an offset, with a space", "2026-01-01 12:00:00"],
    ["the year 1, which means none", "0001-01-01T00:00:00.000+00:00"],
    ["the beginning of Unix time, which means none", "1970-01-01T00:00:00.000+00:00"],
    ["the same in another time zone", "1969-12-31T19:00:00.000-05:00"],
    ["the last century", "1999-12-31T23:59:59.999Z"],
    ["a month that does not exist", "2026-13-01T00:00:00Z"],
    ["words", "tomorrow"],
    ["nothing", ""],
    ["seconds since 1970", 1_772_323_200],
    ["an object", { at: "2026-01-01T12:00:00Z" }],
  ])("has no times with %s, and stays readable", (_what, date) => {
    const listed = { ...record, dateStart: date, dateEnd: date };
    const { content } = open("listProxies", page(listed)) as { content: object[] };
    expect(content).toEqual([{ ...record, extendInfo: off }]);
  });

  test.each([
    "2026-01-01T12:00:00Z",
    "2026-01-01T12:00:00.123+05:30",
    "2026-01-01T12:00:00.1-0800",
  ])("has a time with %s", (date) => {
    const read = open("listProxies", page({ ...record, dateEnd: date })) as { content: object[] };
    expect(read.content).toMatchObject([{ dateEnd: date }]);
  });

  test.each([
    ["a proxy without an id", page({ ...record, ipAddressId: null })],
    ["a proxy whose id JavaScript can't hold", page({ ...record, ipAddressId: 2 ** 53 + 2 })],
    ["an order whose number JavaScript can't hold", page({ ...record, orderId: 1.5 })],
    ["a proxy without an order", page({ ...record, orderId: undefined })],
    ["a success with a failure's empty data", { success: true, data: {} }],
    [
      "a negative total",
      { success: true, data: { totalElements: -1, totalPages: 0, content: [] } },
    ],
    ["half a page", { success: true, data: { totalElements: 1, totalPages: 0.5, content: [] } }],
  ])("is refused with %s, because the account would look smaller", (_what, body) => {
    expect(open("listProxies", body)).toMatchObject({ code: "SERVICE_ANSWER_UNREADABLE" });
  });
});
