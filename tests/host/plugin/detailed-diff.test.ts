import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { detailChange } from "../../../provider/host/plugin/detailed-diff.ts";
import { spends } from "../../../provider/host/plugin/quote.ts";
import { parseStruct } from "../../../provider/host/plugin/struct.ts";
import type { Change } from "../../../provider/host/resources/hosted-resource.ts";
import { UNKNOWN } from "../../../provider/host/unknown-value.ts";
import { secret } from "./plugin-process.ts";
import { toStruct } from "./plugin-resource.ts";

const { Kind } = provider.PropertyDiff;

const shown = new Set(["country", "quantity", "promoCode", "ipAddressIds"]);

const update: Change = { kind: "update" };

const replaceCountry: Change = {
  kind: "replace",
  properties: ["country"],
  deleteBeforeReplace: false,
};

const read = (props: Record<string, unknown>) => parseStruct(toStruct(props));

const usual = { country: "USA", quantity: 1 };

test.each<[string, Change, object, object, Record<string, [number, boolean]>]>([
  ["nothing for no change", { kind: "none" }, usual, { ...usual, quantity: 2 }, {}],
  ["an edit", update, usual, { ...usual, quantity: 2 }, { quantity: [Kind.UPDATE, true] }],
  [
    "added and removed properties",
    update,
    { ...usual, promoCode: "TEN" },
    { ...usual, ipAddressIds: ["1"] },
    { promoCode: [Kind.DELETE, true], ipAddressIds: [Kind.ADD, true] },
  ],
  [
    "an unknown property",
    update,
    { ...usual, ipAddressIds: ["1"] },
    { ...usual, ipAddressIds: UNKNOWN },
    { ipAddressIds: [Kind.UPDATE, true] },
  ],
  [
    "a new unknown property",
    update,
    usual,
    { ...usual, ipAddressIds: UNKNOWN },
    { ipAddressIds: [Kind.ADD, true] },
  ],
  [
    "a property that is unknown in part",
    update,
    { ...usual, ipAddressIds: ["1"] },
    { ...usual, ipAddressIds: ["1", UNKNOWN] },
    { ipAddressIds: [Kind.UPDATE, true] },
  ],
  [
    "no bookkeeping",
    update,
    { ...usual, a: 1 },
    { ...usual, a: 2 },
    { status: [Kind.UPDATE, false] },
  ],
  ["an unfinished delivery", update, usual, usual, { status: [Kind.UPDATE, false] }],
  [
    "a secret only if it differs",
    update,
    { country: "USA", quantity: 1 },
    { country: secret("USA"), quantity: 2 },
    { quantity: [Kind.UPDATE, true] },
  ],
  [
    "a replacement, and another edit",
    replaceCountry,
    usual,
    { country: "DEU", quantity: 2 },
    { country: [Kind.UPDATE_REPLACE, true], quantity: [Kind.UPDATE, true] },
  ],
  [
    "a replacement because of a new property",
    replaceCountry,
    { quantity: 1 },
    usual,
    { country: [Kind.ADD_REPLACE, true] },
  ],
  [
    "a replacement because of a removed property",
    replaceCountry,
    usual,
    { quantity: 1 },
    { country: [Kind.DELETE_REPLACE, true] },
  ],
  [
    "a replacement without an edit",
    replaceCountry,
    usual,
    usual,
    { country: [Kind.UPDATE_REPLACE, true] },
  ],
])("a plan shows %s", (_what, change, before, wanted, expected) => {
  const details = detailChange(change, read({ ...before }), read({ ...wanted }), shown);
  const found = Array.from(details, ([name, { kind, isInput }]) => [name, [kind, isInput]]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test.each<[unknown, boolean]>([
  ...["buy", "topUp", "replace", "extend"].map((effect): [unknown, boolean] => [{ effect }, true]),
  ...["none", "adopt", "recover", "autoExtend", "unknown"].map((effect): [unknown, boolean] => [
    { effect },
    false,
  ]),
  [undefined, false],
  [null, false],
  ["buy", false],
])("whether the quote %j spends: %s", (quote, expected) => {
  expect(spends({ known: { quote } })).toBe(expected);
});
