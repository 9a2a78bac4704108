import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { accountFunctions } from "../../provider/core/functions/functions.ts";
import type { PropertySpec } from "../../provider/host/plugin/schema/spec.ts";
import { forEachKind } from "../../provider/host/resources/resources.ts";
import { settingVariables } from "../../provider/host/setting-names.ts";
import { settingSpecs } from "../../provider/host/settings.ts";
import * as sdk from "../../sdk/index.ts";
import { checkoutDir } from "../../toolchain/project.ts";
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
  for (const [token, { properties, inputProperties, listInputs }] of Object.entries(resources)) {
    yield [token, properties];
    yield [`${token} input`, inputProperties];
    yield [`${token} list`, listInputs?.properties ?? {}];
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
    ([, { description = "" }]) => !/\.$/.test(description.replace(/\n\n{{% examples[\s\S]*/, "")),
  );
  expect(silent).toEqual([]);
});

test("each resource and function has an example in every language, and each resource says how to import it", async () => {
  const languages = ["typescript", "python", "go", "csharp", "java", "yaml"];
  for (const [token, { description }] of Object.entries({ ...resources, ...functions })) {
    const [, title, blocks = ""] =
      /{{% example %}}\n### (.+)\n\n([\s\S]*)\n{{% \/example %}}/.exec(description) ?? [];
    expect(title, token).toBeDefined();
    const shown = Array.from(blocks.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm));
    expect(shown.map(([, language]) => language)).toEqual(languages);
    const source = join(checkoutDir, `toolchain/schema/programs/${nameOf(token)}.yaml`);
    expect(await readFile(source, "utf8")).toBe(`# ${title}\n${shown.at(-1)?.[2]}`);
  }
  for (const { description } of Object.values(resources)) {
    expect(description).toMatch(/\n\n## Import\n\n./);
  }
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
  for (const [name, { defaultInfo, ...setting }] of Object.entries(config.variables)) {
    expect(setting).toEqual(provider.inputProperties[name]);
  }
  expect(provider).not.toHaveProperty("requiredInputs");
});

test("each setting names its variable; a provider has no such default, which its state would keep", () => {
  const told = Object.entries(config.variables).map(([name, { defaultInfo }]) => [
    name,
    defaultInfo?.environment,
  ]);
  const variables = Object.entries(settingVariables).map(([name, variable]) => [name, [variable]]);
  expect(told).toEqual(variables);
  const given = Object.values(provider.inputProperties).filter(
    (setting) => "defaultInfo" in setting,
  );
  expect(given).toEqual([]);
});

describe("the registry and the tools of each language find", () => {
  const home = "https://github.com/pulumi-proxyrental/pulumi-proxyrental";

  test("one home, which package.json names too", async () => {
    const { repository } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
    expect(repository).toEqual({ type: "git", url: `git+${home}.git` });
    expect(publishedSchema).toMatchObject({ publisher: "pulumi-proxyrental", repository: home });
    expect(publishedSchema.homepage).toContain(home);
    expect(publishedSchema.pluginDownloadURL).toBe(home.replace("https://", "github://api."));
    expect(publishedSchema.keywords).toEqual(
      expect.arrayContaining(["pulumi", "proxyrental", "category/network", "kind/native"]),
    );
  });

  test("a logo that is in the repository", async () => {
    const [, path = ""] = /\/main\/(.+)$/.exec(publishedSchema.logoUrl) ?? [];
    expect(await readFile(join(checkoutDir, path), "utf8")).toMatch(/^<svg .*<\/svg>\s*$/s);
  });

  test("the name of each SDK", () => {
    expect(publishedSchema.language).toMatchObject({
      nodejs: { packageName: "@pulumi-proxyrental/proxyrental" },
      python: { packageName: "pulumi_proxyrental" },
      go: { importBasePath: `${home.replace("https://", "")}/sdk/go/proxyrental` },
      csharp: { rootNamespace: "ProxyRentalService" },
      java: { basePackage: "io.github.pulumi_proxyrental" },
    });
  });
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

test("constants of choices read well: Python has IPV4 and TOP_UP, Go ProxyTypeIpv4", () => {
  const names = Object.values(types).flatMap((type) =>
    "enum" in type ? type.enum.map(({ name }) => name) : [],
  );
  expect(names.filter((name) => !/^[A-Z][a-z]+[\da-z]*([A-Z][a-z]+)*$/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["Ipv4", "Mobile", "Login", "Socks", "TopUp"]));
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
