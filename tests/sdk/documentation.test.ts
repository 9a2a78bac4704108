import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { autoExtensionArgsSchema } from "../../provider/core/auto-extension/args.ts";
import { autoExtensionOutputsSchema } from "../../provider/core/auto-extension/state.ts";
import { extensionArgsSchema } from "../../provider/core/extension/model/args.ts";
import { extensionOutputsSchema } from "../../provider/core/extension/model/state.ts";
import { accountFunctions, type FunctionName } from "../../provider/core/functions/functions.ts";
import { orderArgsSchema } from "../../provider/core/order/model/args.ts";
import {
  orderOutputsSchema,
  type ReleasedProxy as Released,
} from "../../provider/core/order/model/state.ts";
import { resourceDefinitions } from "../../provider/host/plugin/schema/resource-definitions.ts";
import type { ReleasedProxy } from "../../sdk/index.ts";
import { readDocumentation } from "./documented-members.ts";

// The comments of the package's types and the descriptions for other languages must have the same text.

const orderSource = await readDocumentation("sdk/proxy-order.ts");
const autoExtensionSource = await readDocumentation("sdk/ip-auto-extend.ts");
const extensionSource = await readDocumentation("sdk/ip-extension.ts");
const recordsSource = await readDocumentation("provider/client/records.ts");

const describedSchema = z.looseObject({ description: z.string(), default: z.json().optional() });

/** The published text of each property, by name. */
function textsOf({ properties }: z.core.JSONSchema.BaseSchema): Record<string, string> {
  const described = Object.entries(z.record(z.string(), describedSchema).parse(properties));
  return Object.fromEntries(described.map(([name, { description }]) => [name, description]));
}

/** Like `textsOf`, but a default is added as a sentence. Outputs have no default. */
function argTextsOf({ properties }: z.core.JSONSchema.BaseSchema): Record<string, string> {
  const described = Object.entries(z.record(z.string(), describedSchema).parse(properties));
  const texts = described.map(([name, { description, default: value }]) => [
    name,
    value === undefined ? description : `${description} Default: ${JSON.stringify(value)}.`,
  ]);
  return Object.fromEntries(texts);
}

test.each([
  { kind: "ProxyOrder", source: orderSource },
  { kind: "IpAutoExtend", source: autoExtensionSource },
  { kind: "IpExtension", source: extensionSource },
] as const)("$kind has its description as documentation", ({ kind, source }) => {
  expect(source.textOf(kind)).toBe(resourceDefinitions[kind].description);
});

test.each([
  {
    kind: "an order",
    documented: orderSource.membersOf(
      ...["ProxyOrderCommonArgs", "ProxyOrderAuthentication", "ProxyOrderAuthArgs"],
      ...["ProxyOrderKind", "ProxyOrderTypeArgs"],
    ),
    args: orderArgsSchema,
  },
  {
    kind: "an auto-extension",
    documented: autoExtensionSource.membersOf("IpAutoExtendArgs"),
    args: autoExtensionArgsSchema,
  },
  {
    kind: "an extension",
    documented: extensionSource.membersOf("IpExtensionArgs"),
    args: extensionArgsSchema,
  },
])("the arguments of $kind have their descriptions as documentation", ({ documented, args }) => {
  expect(documented).toEqual(argTextsOf(z.toJSONSchema(args, { io: "input" })));
});

// Each argument is also an output. Where a check fills in its default, the output has none to tell.
test.each([
  {
    kind: "an order",
    documented: orderSource.membersOf("ProxyOrder"),
    outputs: { ...orderArgsSchema.shape, ...orderOutputsSchema.shape },
  },
  {
    kind: "an auto-extension",
    documented: autoExtensionSource.membersOf("IpAutoExtend"),
    outputs: { ...autoExtensionArgsSchema.shape, ...autoExtensionOutputsSchema.shape },
  },
  {
    kind: "an extension",
    documented: extensionSource.membersOf("IpExtension"),
    outputs: { ...extensionArgsSchema.shape, ...extensionOutputsSchema.shape },
  },
])("the outputs of $kind have their descriptions as documentation", ({ documented, outputs }) => {
  expect(documented).toEqual(textsOf(z.toJSONSchema(z.object(outputs))));
});

const named = {
  ...z.toJSONSchema(orderOutputsSchema).$defs,
  ...z.toJSONSchema(autoExtensionOutputsSchema).$defs,
  ...z.toJSONSchema(extensionOutputsSchema).$defs,
};

/** The types that the package gives to a program, by their published names. */
const types = {
  AutoExtension: { source: recordsSource, type: "AutoExtension" },
  AutoExtensionQuote: { source: autoExtensionSource, type: "IpAutoExtendQuote" },
  Credential: { source: recordsSource, type: "Credential" },
  ExtendedProxy: { source: autoExtensionSource, type: "ExtendedProxy" },
  ExtensionPayment: { source: extensionSource, type: "ExtensionPayment" },
  ExtensionQuote: { source: extensionSource, type: "IpExtensionQuote" },
  OrderPurchase: { source: orderSource, type: "ProxyOrderPurchase" },
  OrderQuote: { source: orderSource, type: "ProxyOrderQuote" },
  MonthlyBudget: { source: orderSource, type: "MonthlyBudget" },
  OwnedProxies: { source: orderSource, type: "OwnedProxies" },
  PaidProxy: { source: extensionSource, type: "PaidProxy" },
  RentedProxy: { source: recordsSource, type: "RentedProxy" },
};

test.each(Object.entries(types))(
  "%s has its description as documentation",
  (id, { source, type }) => {
    const described = named[id] ?? {};
    expect(source.textOf(type)).toBe(described.description);
    expect(source.membersOf(type)).toEqual(textsOf(described));
  },
);

test("ReleasedProxy, a part of RentedProxy, has its description as documentation", () => {
  expect(orderSource.textOf("ReleasedProxy")).toBe(named.ReleasedProxy?.description);
  expectTypeOf<keyof ReleasedProxy>().toEqualTypeOf<keyof Released>();
  expect(recordsSource.membersOf("RentedProxy")).toMatchObject(textsOf(named.ReleasedProxy ?? {}));
});

const quoteSource = await readDocumentation("sdk/functions/quote-result.ts");

/** Where a function is, and the types of its arguments and of its result. */
const functions: Record<FunctionName, { file: string; args?: string; result?: string }> = {
  getBalance: { file: "balance" },
  getProxyTypes: { file: "catalogue", result: "GetProxyTypesResult" },
  getCountries: { file: "catalogue", args: "ProxyTypeArgs", result: "GetCountriesResult" },
  getRentPeriods: { file: "catalogue", args: "ProxyTypeArgs", result: "GetRentPeriodsResult" },
  getMobileOperators: { file: "catalogue", result: "GetMobileOperatorsResult" },
  getPromoCodes: { file: "promo-codes", result: "GetPromoCodesResult" },
  getProxies: { file: "proxies", args: "GetProxiesArgs", result: "GetProxiesResult" },
  getOrderQuote: { file: "order-quote" },
  getExtensionQuote: { file: "extension-quote", args: "GetExtensionQuoteArgs" },
};

test.each(Object.entries(functions))(
  "%s has its description as documentation, with its arguments and its result",
  async (name, { file, args, result }) => {
    const { description, inputs, outputs } = accountFunctions[name as FunctionName];
    const source = await readDocumentation(`sdk/functions/${file}.ts`);
    expect(source.textOf(name)).toBe(description);
    if (args !== undefined) {
      expect(source.membersOf(args)).toEqual(argTextsOf(z.toJSONSchema(inputs, { io: "input" })));
    }
    if (result !== undefined) {
      expect(source.membersOf(result)).toEqual(textsOf(z.toJSONSchema(outputs)));
    }
  },
);

const recordsOfFunctions = {
  ...z.toJSONSchema(accountFunctions.getPromoCodes.outputs).$defs,
  ...z.toJSONSchema(accountFunctions.getCountries.outputs).$defs,
  ...z.toJSONSchema(accountFunctions.getMobileOperators.outputs).$defs,
  ...z.toJSONSchema(accountFunctions.getOrderQuote.outputs).$defs,
};

test.each(Object.entries(recordsOfFunctions))(
  "%s, which a function gives, has its description as documentation",
  (type, described) => {
    expect(recordsSource.textOf(type)).toBe(described.description);
    expect(recordsSource.membersOf(type)).toEqual(textsOf(described));
  },
);

test("the price of an order and of an extension, and the balance, have theirs", () => {
  const quote = z.toJSONSchema(accountFunctions.getOrderQuote.outputs);
  expect(quoteSource.membersOf("QuoteResult")).toEqual(textsOf(quote));
  const balance = z.toJSONSchema(accountFunctions.getBalance.outputs);
  expect(recordsSource.membersOf("Balance")).toEqual(textsOf(balance));
});

test("no other types are published", () => {
  expect(Object.keys(named).toSorted()).toEqual(
    [...Object.keys(types), "ReleasedProxy"].toSorted(),
  );
});
