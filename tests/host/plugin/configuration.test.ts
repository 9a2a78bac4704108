import { expect, test } from "vitest";
import { findSettingFailures, toSettings } from "../../../provider/host/plugin/configuration.ts";
import { parseStruct } from "../../../provider/host/plugin/struct.ts";
import { UNKNOWN } from "../../../provider/host/unknown-value.ts";
import { secret } from "./plugin-process.ts";
import { toStruct } from "./plugin-resource.ts";

const KEY = "k3y-of-the-account";

const baseUrl = "http://127.0.0.1:1";

const good = { baseUrl, apiKey: secret(KEY) };

const received = (config: Record<string, unknown>) => parseStruct(toStruct(config));

const failuresOf = (config: Record<string, unknown>, environment = {}) =>
  findSettingFailures(received(config), environment);

const namesOf = (...given: Parameters<typeof failuresOf>) =>
  failuresOf(...given).map((failure) => /^proxyrental:(\w+) is /.exec(failure)?.[1] ?? failure);

test.each<[string, Record<string, unknown>, Record<string, string>]>([
  ["given", good, {}],
  ["unmarked, because the engine removes the mark", { baseUrl, apiKey: KEY }, {}],
  ["from the environment", {}, { PROXYRENTAL_BASE_URL: baseUrl, PROXYRENTAL_API_KEY: KEY }],
  ["not known yet", { baseUrl: UNKNOWN, apiKey: secret(UNKNOWN), maxSpend: UNKNOWN }, {}],
  ["numbers and booleans", { ...good, maxSpend: 10.5, showBalance: false, lookBackMinutes: 0 }, {}],
  ["numbers and booleans as text", { ...good, maxSpend: "10.5", showBalance: "false" }, {}],
  ["null", { ...good, maxSpend: null }, {}],
  ["secret", { ...good, maxSpend: secret("10"), goneOrders: secret("1,2") }, {}],
  [
    "the engine's own settings",
    { ...good, version: "0.1.0", pluginDownloadURL: "u", pluginChecksums: {}, __internal: {} },
    {},
  ],
])("settings that are %s are accepted", (_what, config, environment) => {
  expect(failuresOf(config, environment)).toEqual([]);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ["missing", {}, ["baseUrl", "apiKey"]],
  ["empty", { baseUrl: "", apiKey: secret("") }, ["baseUrl", "apiKey"]],
  ["strange", { ...good, baseURL: "x", toString: "y" }, ["baseURL", "toString"]],
  [
    "wrong in every way",
    {
      baseUrl: "ftp://x",
      apiKey: KEY,
      maxSpend: "much",
      showBalance: "maybe",
      timeoutSeconds: 0,
      x: 1,
    },
    ["baseUrl", "maxSpend", "showBalance", "timeoutSeconds", "x"],
  ],
  ["of types other than text", { ...good, goneOrders: ["1"], maxSpend: {} }, ["maxSpend"]],
])("settings that are %s are all reported at once", (_what, config, names) => {
  expect(namesOf(config).toSorted()).toEqual(names.toSorted());
});

test.each([
  [
    "an empty limit, which would hide the environment's",
    { maxSpend: "" },
    "proxyrental:maxSpend is empty: ",
  ],
  ["a blank limit", { maxSpend: " " }, "proxyrental:maxSpend is not accepted: "],
  [
    "a misspelled one",
    { maxspend: 10 },
    "proxyrental:maxspend is not a setting; accepted: baseUrl, ",
  ],
])("%s is refused", (_what, config, failure) => {
  const failures = failuresOf({ ...good, ...config }, { PROXYRENTAL_MAX_SPEND: "10" });
  expect(failures).toEqual([expect.stringMatching(`^${failure}`)]);
});

test.each([
  ["PROXYRENTAL_MAXSPEND", "10", "PROXYRENTAL_MAXSPEND is not read; accepted: "],
  ["PROXYRENTAL_CALLS_BODIES", "yes", "PROXYRENTAL_CALLS_BODIES is not accepted: set it to true"],
  ["PROXYRENTAL_MAX_SPEND", "", "PROXYRENTAL_MAX_SPEND is empty: set it to "],
  ["PROXYRENTAL_MAX_SPEND", "x", "PROXYRENTAL_MAX_SPEND is not accepted: set it "],
])("the variable %s with the text %j is refused, and the error names it", (name, text, failure) => {
  expect(failuresOf(good, { [name]: text })).toEqual([expect.stringContaining(failure)]);
  expect(() => toSettings(received(good), { [name]: text })).toThrow(name);
});

test("each failure says what is accepted, and where else it can be set", () => {
  expect(failuresOf({ ...good, maxSpend: -1 })).toEqual([
    "proxyrental:maxSpend is not accepted: set it to an amount in account currency, at least 0, as proxyrental:maxSpend or in PROXYRENTAL_MAX_SPEND",
  ]);
});

test("no failure repeats the key, wherever it was entered", () => {
  const configs = [
    { baseUrl: KEY, apiKey: KEY, maxSpend: KEY, onDeleteFailure: KEY, journalDir: KEY, other: KEY },
    { baseUrl: secret(KEY), apiKey: secret("") },
  ];
  const environment = { PROXYRENTAL_API_KEY: KEY, PROXYRENTAL_SHOW_BALANCE: KEY };
  for (const config of configs) {
    const failures = failuresOf(config, environment);
    expect(failures.length).toBeGreaterThan(1);
    expect(JSON.stringify(failures)).not.toContain(KEY);
    expect(() => toSettings(received({ ...config, maxSpend: "x" }), environment)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(KEY) }),
    );
  }
});

test("checked inputs become settings, the stack's before the environment's", () => {
  const environment = { PROXYRENTAL_MAX_SPEND: "5", PROXYRENTAL_TIMEOUT_SECONDS: "7" };
  const config = { ...good, maxSpend: 10.5, showBalance: false, goneOrders: "1, 2" };
  expect(toSettings(received(config), environment)).toMatchObject({
    ...{ baseUrl, apiKey: KEY, maxSpend: 10.5, showBalance: false, timeoutMs: 7_000 },
    goneOrders: new Set(["1", "2"]),
  });
});
