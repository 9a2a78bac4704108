import { readFile } from "node:fs/promises";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { accountFunctions } from "../../provider/core/functions/functions.ts";
import type { PropertySpec } from "../../provider/host/plugin/schema/spec.ts";
import { forEachKind } from "../../provider/host/resources/resources.ts";
import { settingSpecs } from "../../provider/host/settings.ts";
import * as sdk from "../../sdk/index.ts";
import { renderSchema, schemaPath } from "../../toolchain/schema/schema-file.ts";
import { publishedSchema } from "./published-package.ts";

test("schema.json is the plugin's answer", async () => {
  const committed = await readFile(schemaPath, "utf8");
  expect(committed === renderSchema(), "schema.json is stale: run `npm run schema`").toBe(true);
});

const { resources, functions, types, provider, config } = publishedSchema;

const nameOf = (token: string) => token.replace("proxyrental:index:", "");

const namesOf = (table: object) => Object.keys(table).map(nameOf).toSorted();

/** All parts of the schema that can have a description, with their paths. */
function* findDescribed(): Generator<[string, { description?: string }]> {
  yield ["package", publishedSchema];
  yield ["provider", provider];
  const named = { ...resources, ...functions, ...types };
  for (const [token, described] of Object.entries(named)) yield [token, described];
  for (const [path, properties] of allProperties()) {
    for (const [name, property] of Object.entries(properties)) yield [`${path}.${name}`, property];
  }
}

function* allProperties(): Generator<[string, Record<string, PropertySpec>]> {
  yield ["config", config.variables];
  yield ["provider", provider.inputProperties];
  for (const [token, { properties, inputProperties }] of Object.entries(resources)) {
    yield [token, properties];
    yield [`${token} input`, inputProperties];
  }
  for (const [token, { inputs, outputs }] of Object.entries(functions)) {
    yield [`${token} input`, inputs?.properties ?? {}];
    yield [token, outputs.properties];
  }
  for (const [token, type] of Object.entries(types)) {
    if ("properties" in type) yield [token, type.properties];
  }
}

test("every part has a sentence that describes it", () => {
  const silent = [...findDescribed()].filter(
    ([, { description = "" }]) => !/\.$/.test(description),
  );
  expect(silent).toEqual([]);
});

test("only logins and the key are secret", () => {
  const secrets = [...allProperties()].flatMap(([path, properties]) =>
    Object.entries(properties)
      .filter(([, { secret }]) => secret)
      .map(([name]) => `${nameOf(path)}.${name}`),
  );
  expect(secrets.toSorted()).toEqual([
    ...["ProxyOrder.credentials", "ProxyOrder.urls", "config.apiKey", "provider.apiKey"],
  ]);
});

test("a provider has the settings of a stack, and requires none", () => {
  expect(Object.keys(provider.inputProperties)).toEqual(Object.keys(settingSpecs));
  expect(config.variables).toEqual(provider.inputProperties);
  expect(provider).not.toHaveProperty("requiredInputs");
});

test("required properties exist", () => {
  for (const { properties, required, inputProperties, requiredInputs } of Object.values(
    resources,
  )) {
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(requiredInputs));
    // A program can read every argument that it gave.
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(inputProperties)));
  }
});

test("every named type exists and is used", () => {
  const used = new Set(renderSchema().match(/(?<="\$ref": "#\/types\/)[^"]+/g));
  expect([...used].toSorted()).toEqual(Object.keys(types).toSorted());
});

test("choices have these values", () => {
  const choices = Object.entries(types).flatMap(([token, type]) =>
    "enum" in type ? [[nameOf(token), type.enum.map(({ value }) => value)]] : [],
  );
  expect(Object.fromEntries(choices)).toEqual({
    ProxyType: ["IPv4", "IPv6", "MOBILE", "ISP"],
    AuthType: ["LOGIN", "IP"],
    ProxyProtocol: ["HTTP", "SOCKS"],
    ProxyOrderStatus: ["active", "pendingDelivery"],
    OrderQuoteEffect: ["buy", "topUp", "replace", "recover", "adopt", "none", "unknown"],
    AutoExtensionQuoteEffect: ["autoExtend", "none"],
    ExtensionQuoteEffect: ["extend", "none", "unknown"],
  });
});

describe("other languages have the same as TypeScript:", () => {
  const exported = Object.entries(sdk);

  test("resources, except the component made of them", () => {
    const classes = exported.filter(
      ([, value]) => typeof value === "function" && value.prototype instanceof pulumi.Resource,
    );
    const names = classes.map(([name]) => name).filter((name) => name !== "ProxyFleet");
    expect(namesOf(resources)).toEqual(names.toSorted());
    expect(namesOf(resources)).toEqual(Object.keys(forEachKind(String)).toSorted());
  });

  test("functions, each in two forms", () => {
    const asked = exported.map(([name]) => name).filter((name) => /^get[A-Z]/.test(name));
    const forms = namesOf(functions).flatMap((name) => [name, `${name}Output`]);
    expect(asked.toSorted()).toEqual(forms.toSorted());
    expect(namesOf(functions)).toEqual(Object.keys(accountFunctions).toSorted());
  });
});
