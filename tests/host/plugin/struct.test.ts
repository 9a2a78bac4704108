import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import { parseStruct, writeStruct } from "../../../provider/host/plugin/struct.ts";
import { UNKNOWN } from "../../../provider/host/unknown-value.ts";
import { secret } from "./plugin-process.ts";
import { toStruct } from "./plugin-resource.ts";

/** The texts that the engine writes for values that are not known yet, by the type of the value. */
const unknowns = {
  boolean: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  string: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  asset: "030794c1-ac77-496b-92df-f27374a8bd58",
  archive: "e48ece36-62e2-4504-bad9-02848725956a",
  object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
};

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The engine's marks of values that are neither plain nor secret. */
const signatures = {
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
};

const read = (props: Record<string, unknown>) => parseStruct(toStruct(props));

/** An output, with the facts that the engine knows about it. */
const output = (facts: object) => ({ [SIGNATURE]: signatures.output, ...facts });

test.each(Object.entries(unknowns))(
  "an unknown %s has no value, at any depth",
  (_type, unknown) => {
    for (const value of [unknown, [1, unknown], { deep: [{ deeper: unknown }] }]) {
      const { known, unknown: names, secret: secrets } = read({ goal: value, quantity: 1 });
      expect(known).toEqual({ quantity: 1 });
      expect(names).toEqual(new Set(["goal"]));
      expect(secrets).toEqual(new Set());
    }
  },
);

test.each([
  ["plain", secret("hidden"), "hidden"],
  ["in a list", ["open", secret("hidden")], ["open", "hidden"]],
  ["in an object", { a: { b: secret("hidden") } }, { a: { b: "hidden" } }],
  ["in a secret", secret({ a: secret("hidden") }), { a: "hidden" }],
  ["null", secret(null), null],
])("a secret %s is unwrapped, and its property is marked secret", (_where, value, opened) => {
  const { known, unknown, secret: secrets, raw } = read({ goal: value, quantity: 1 });
  expect(known).toEqual({ goal: opened, quantity: 1 });
  expect(secrets).toEqual(new Set(["goal"]));
  expect(unknown).toEqual(new Set());
  expect(raw).toEqual({ goal: value, quantity: 1 });
});

test("an unknown secret is both", () => {
  const { known, unknown, secret: secrets } = read({ goal: secret(UNKNOWN) });
  expect(known).toEqual({});
  expect([...unknown, ...secrets]).toEqual(["goal", "goal"]);
});

describe("an output", () => {
  test.each([
    ["known", output({ value: "a" }), { goal: "a" }, [], []],
    ["known and secret", output({ value: "a", secret: true }), { goal: "a" }, [], ["goal"]],
    ["known to be null", output({ value: null }), { goal: null }, [], []],
    ["unknown", output({}), {}, ["goal"], []],
    ["unknown and secret", output({ secret: true }), {}, ["goal"], ["goal"]],
    ["in a list", [output({ value: "a", dependencies: ["urn"] })], { goal: ["a"] }, [], []],
  ])("that is %s is read as its value", (_how, value, known, unknown, secrets) => {
    const found = read({ goal: value });
    expect(found.known).toEqual(known);
    expect([...found.unknown]).toEqual(unknown);
    expect([...found.secret]).toEqual(secrets);
  });
});

test.each(["asset", "archive", "resource"] as const)(
  "an %s is no valid argument, and is not confused with text",
  (kind) => {
    const value = { [SIGNATURE]: signatures[kind], text: "USA" };
    expect(read({ country: value }).known).toEqual({ country: value });
  },
);

test("an absent struct and null are read as such", () => {
  expect(parseStruct(undefined)).toEqual({
    ...{ known: {}, raw: {} },
    ...{ unknown: new Set(), secret: new Set() },
  });
  expect(read({ goal: null }).known).toEqual({ goal: null });
});

test("undefined values are not written, and a secret is marked once", () => {
  const props = {
    ...{ orderNumber: "1", promoCode: undefined, quote: { price: 7, discount: undefined } },
    ...{ credentials: { a: "b" }, urls: secret(["u"]), released: [] },
  };
  const names = new Set(["credentials", "urls", "promoCode"]);
  expect(writeStruct(props, names).toJavaScript()).toEqual({
    ...{ orderNumber: "1", quote: { price: 7 }, released: [] },
    ...{ credentials: secret({ a: "b" }), urls: secret(["u"]) },
  });
});

test.each([0, -1, 0.1, 2.005, 1e21, 2 ** 53 - 1, 1_767_225_600_000])(
  "the number %d survives the wire",
  (number) => {
    const bytes = writeStruct({ price: number, list: [number] }).serializeBinary();
    const received = struct.Struct.deserializeBinary(bytes);
    expect(parseStruct(received).known).toEqual({ price: number, list: [number] });
  },
);

test("names with a meaning in JavaScript are plain names", () => {
  const known = read({ toString: "a", constructor: "b", nested: { hasOwnProperty: "c" } }).known;
  expect(known).toEqual({ toString: "a", constructor: "b", nested: { hasOwnProperty: "c" } });
});
