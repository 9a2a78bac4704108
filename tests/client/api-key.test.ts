import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { LEAST_KEY_LENGTH, redactKey, type ServiceError } from "../../provider/client/index.ts";
import { API_KEY, clientOf, failureOf, order, still } from "./client-under-test.ts";
import { inTurn, type Reaction, serve } from "./fake-service.ts";
import { answer, hang, htmlPage, json, refusal, reset, truncate } from "./reactions.ts";

const encodedKey = encodeURIComponent(API_KEY);
const echo = `no account ${API_KEY} at /client/api/v1/${encodedKey}/order`;

const failures: [string, Reaction][] = [
  ["a refusal", refusal(14, "Incorrect goal")],
  ["a refused key", refusal(2, "Error api key")],
  ["a refusal that echoes the key", refusal(14, echo)],
  ["a refused key that is echoed", refusal(2, echo)],
  ["a contradiction that echoes the key", json({ success: false, orderNumber: echo })],
  [
    "a success that echoes the key as an error",
    json({ success: true, error: { code: 1, message: echo } }),
  ],
  ["a page that echoes the key", answer(`${htmlPage}${echo}`)],
  ["a text that echoes the key", answer(echo)],
  ["500 that echoes the key", answer(echo, 500)],
  ["a redirect to a path with the key", json({}, 302, { location: `/${encodedKey}` })],
  ["a reset connection", reset],
  ["a truncated answer", truncate],
  ["silence", hang],
];

function everythingIn(error: ServiceError): string {
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: 10, showHidden: true }),
  ].join("\n");
}

function expectNoKey(text: string): void {
  expect(text).not.toContain(API_KEY);
  expect(text).not.toContain(encodedKey);
  expect(text.toLowerCase()).not.toContain(encodedKey.toLowerCase());
}

describe.each([
  ["an order", (client: ReturnType<typeof clientOf>) => client.createOrder(order)],
  ["a read", (client: ReturnType<typeof clientOf>) => client.getBalance()],
])("no failure of %s contains the API key", (_what, call) => {
  test.each(failures)("after %s", async (_how, reaction) => {
    const { baseUrl } = await serve(inTurn(reaction));
    const client = clientOf(baseUrl, { chance: still(), timeoutMs: 100 });
    expectNoKey(everythingIn(await failureOf(call(client))));
  });

  test.each([
    "http://127.0.0.1:1",
    "http://proxies.invalid",
    "http://no host at all",
    `http://127.0.0.1:1/${encodedKey}`,
  ])("at %s", async (baseUrl) => {
    expectNoKey(everythingIn(await failureOf(call(clientOf(baseUrl)))));
  });
});

test("the key is one segment of the path, percent-encoded", async () => {
  const { baseUrl, seen } = await serve(inTurn(refusal(2, "Error api key")));
  await failureOf(clientOf(baseUrl).getBalance());
  expect(seen[0]?.path).toBe(`/client/api/v1/${encodedKey}/balance`);
});

test.each([
  ["no key here", "no key here"],
  [`at /${encodedKey}/order`, "at /<API_KEY>/order"],
  [`${API_KEY}${API_KEY}`, "<API_KEY><API_KEY>"],
  [`${API_KEY} is ${encodedKey}`, "<API_KEY> is <API_KEY>"],
  [`/${encodedKey.toLowerCase()}/`, "/<API_KEY>/"],
])("redactKey removes every trace of the key from a text", (text, redacted) => {
  expect(redactKey(text, API_KEY)).toBe(redacted);
});

test.each(["a.b*c(d)$&", "k%", "100%25", "ключ", "a+b c", "[x]{2}|^\\w-key"])(
  "redactKey recognises the key %s",
  (key) => {
    const text = `${key} and ${encodeURIComponent(key)}`;
    expect(redactKey(text, key)).toBe("<API_KEY> and <API_KEY>");
  },
);

describe("what is too short to be a key", () => {
  test.each([
    ["X", "PROXYRENTAL_BASE_URL is missing", "PROXYRENTAL_BASE_URL is missing"],
    ["X", "X at /client/api/v1/X/order", "<API_KEY> at /client/api/v1/<API_KEY>/order"],
    ["key", "the key of a keyboard, /key/", "the <API_KEY> of a keyboard, /<API_KEY>/"],
    ["ü", "für /%C3%BC/ and /%c3%bc/", "für /<API_KEY>/ and /<API_KEY>/"],
    ["7", "7 of 17 at 7", "<API_KEY> of 17 at <API_KEY>"],
  ])("is hidden where it stands alone, and damages no other word: %s", (key, text, redacted) => {
    expect(redactKey(text, key)).toBe(redacted);
  });
});

test("a key as short as a key can be is hidden also inside other words", () => {
  const key = "k".repeat(LEAST_KEY_LENGTH);
  expect(redactKey(`a${key}b`, key)).toBe("a<API_KEY>b");
});
