import { describe, expect, test } from "vitest";
import type { CallResult, ObservedCall } from "../../../provider/client/index.ts";
import { writeCallLine } from "../../../provider/host/calls/call-line.ts";

const apiKey = 'key-"of\\the-account';
const place = { processId: 4711, time: new Date("2026-03-01T12:00:00.250Z") };

const call: ObservedCall = {
  ...{ endpoint: "createOrder", attempt: 1, ms: 12, httpStatus: 200 },
  answeredAt: new Date("2026-03-01T12:00:00Z"),
  result: { outcome: "ok" },
  request: { proxyType: "IPv4", goal: "shop", authType: "IP", authIp: "203.0.113.7" },
  answer: '{"success":true,"orderNumber":"4683731"}',
};

function lineOf(change: Partial<ObservedCall> = {}, bodies = true): Record<string, unknown> {
  const text = writeCallLine({ ...call, ...change }, { apiKey, bodies }, place);
  expect(text).toMatch(/^[^\n]+\n$/);
  return JSON.parse(text);
}

test("a line tells time, process, endpoint, attempt, duration, status, outcome and the service's time", () => {
  expect(lineOf({}, false)).toEqual({
    ...{ time: "2026-03-01T12:00:00.250Z", process: 4711, endpoint: "createOrder", attempt: 1 },
    ...{ ms: 12, httpStatus: 200, outcome: "ok", serviceTime: "2026-03-01T12:00:00.000Z" },
  });
});

test("of a failure it tells the codes and the message, and nothing that is not known", () => {
  const message = "the service did not answer createOrder (ECONNRESET)";
  const result: CallResult = {
    outcome: "unknown",
    code: "SERVICE_CONNECTION_LOST",
    serviceCode: undefined,
    message,
  };
  const lost = { result, httpStatus: undefined, answeredAt: undefined, answer: undefined };
  expect(lineOf(lost, false)).toEqual({
    ...{ time: "2026-03-01T12:00:00.250Z", process: 4711, endpoint: "createOrder", attempt: 1 },
    ...{ ms: 12, outcome: "unknown", code: "SERVICE_CONNECTION_LOST", message },
  });
});

describe("bodies", () => {
  test("are written only if they are asked for", () => {
    expect(lineOf({}, false)).not.toHaveProperty("request");
    expect(lineOf({}, false)).not.toHaveProperty("answer");
    expect(lineOf()).toMatchObject({
      request: call.request,
      answer: { success: true, orderNumber: "4683731" },
    });
  });

  test.each([
    [
      { authInfo: { login: "a", password: "b" } },
      { authInfo: { login: "<LOGIN>", password: "<LOGIN>" } },
    ],
    [{ authInfo: { other: ["a", 7] } }, { authInfo: { other: ["<LOGIN>", "<LOGIN>"] } }],
    [
      { data: { content: [{ Password: "b", ip: "x" }] } },
      { data: { content: [{ Password: "<LOGIN>", ip: "x" }] } },
    ],
    [
      { authInfo: null, login: "" },
      { authInfo: null, login: "" },
    ],
    [
      { userName: "a", token: "b", apiKey: "c" },
      { userName: "<LOGIN>", token: "<LOGIN>", apiKey: "<LOGIN>" },
    ],
    [
      [1, "two", null],
      [1, "two", null],
    ],
  ])("%j is written as %j", (body, written) => {
    expect(lineOf({ answer: JSON.stringify(body) }).answer).toEqual(written);
    expect(lineOf({ request: body }).request).toEqual(written);
  });

  test.each([
    ["an error page", "<title>Bad gateway</title>", "<title>Bad gateway</title>"],
    ["nothing", "", ""],
    ["a listing that was cut off", '{"data":{"content":[{"authInfo":{"logi', /^left out: 38 /],
    ["a page that names a login", "<b>password</b> s3cret", /^left out: 22 characters, no JSON/],
    ["a long text", "x".repeat(5_000), /^x{2000}…$/],
  ])("%s, which is no JSON", (_what, text, written) => {
    const { answer } = lineOf({ answer: text });
    if (typeof written === "string") expect(answer).toBe(written);
    else expect(answer).toMatch(written);
  });

  test.each([
    ["plain", apiKey],
    ["in JSON", JSON.stringify(apiKey).slice(1, -1)],
    ["in a URL", encodeURIComponent(apiKey)],
  ])("never hold the key, %s", (_how, written) => {
    const text = writeCallLine(
      { ...call, request: { goal: `for ${apiKey}` }, answer: `<p>/v1/${written}/order</p>` },
      { apiKey, bodies: true },
      place,
    );
    expect(text).toContain("<API_KEY>");
    for (const form of [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)]) {
      expect(text).not.toContain(form);
    }
    expect(JSON.parse(text).endpoint).toBe("createOrder");
  });
});
