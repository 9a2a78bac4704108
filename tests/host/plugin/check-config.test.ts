import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { createPluginProvider } from "../../../provider/host/plugin/plugin-provider.ts";
import { parseStruct, writeStruct } from "../../../provider/host/plugin/struct.ts";
import { UNKNOWN } from "../../../provider/host/unknown-value.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";

const log = {
  info: () => undefined,
  progress: () => undefined,
  remark: () => undefined,
  warn: () => undefined,
  connect: () => undefined,
  conclude: async () => undefined,
  about: <Result>(_urn: string, work: () => Promise<Result>) => work(),
  close: () => undefined,
};

/** Asks for a check as the engine does: no value is marked as secret. */
function checkConfig(given: object) {
  const plugin = createPluginProvider({
    engineAddress: "",
    environment: {},
    project: "/project",
    clock: machineTime,
    findCommand: () => ({ command: undefined, phase: "unknown" }),
    log,
    cancellation: new AbortController(),
  });
  const request = new provider.CheckRequest();
  request.setNews(writeStruct(given));
  const answer = plugin.checkConfig(request);
  const properties = answer.getFailuresList().map((failure) => failure.getProperty());
  const reasons = answer.getFailuresList().map((failure) => failure.getReason());
  return { inputs: parseStruct(answer.getInputs()), properties, reasons };
}

const account = { baseUrl: "https://api.example.com", apiKey: "the-key-of-it" };

test("an unmarked key is accepted, as the engine removes the mark, and is marked for the state", () => {
  const { inputs, reasons } = checkConfig({ ...account, maxSpend: 20 });
  expect(reasons).toEqual([]);
  expect(inputs.known).toEqual({ ...account, maxSpend: 20 });
  expect([...inputs.secret]).toEqual(["apiKey"]);
});

test("an unknown key stays unknown, and a secret", () => {
  const { inputs, reasons } = checkConfig({ ...account, apiKey: UNKNOWN });
  expect(reasons).toEqual([]);
  expect(inputs.unknown).toEqual(new Set(["apiKey"]));
  expect(inputs.secret).toEqual(new Set(["apiKey"]));
});

test("a missing key is an error, and no key is invented", () => {
  const { inputs, reasons } = checkConfig({ baseUrl: account.baseUrl });
  expect(reasons).toEqual([expect.stringMatching("^proxyrental:apiKey is missing: ")]);
  expect(inputs.known).toEqual({ baseUrl: account.baseUrl });
});

test("what is wrong with a setting is said in its own words, and what was given is not repeated", () => {
  const { reasons } = checkConfig({ baseUrl: "api.example.com", apiKey: "k3y" });
  expect(reasons).toEqual([
    "proxyrental:baseUrl is not accepted (it does not begin with https:// or http://): set it to the service's URL, like https://api.example.com, as proxyrental:baseUrl or in PROXYRENTAL_BASE_URL",
    "proxyrental:apiKey is not accepted (a key has at least 8 characters): set it to the account's API key, as proxyrental:apiKey or in PROXYRENTAL_API_KEY",
  ]);
});

test("no failure names a property, since the engine would show the value that may be a secret", () => {
  const { properties } = checkConfig({
    ...{ baseUrl: "https://me:passw0rd@api.example.com", apiKey: "k3y", apikey: "the-key-of-it" },
    journal: "postgres://me:passw0rd@db.example.com/journal",
  });
  expect(properties).toEqual(["", "", "", ""]);
});
