import type { z } from "zod";
import { accountFunctions } from "../../../core/functions/functions.ts";
import { type SettingKey, settingKeys, settingVariables } from "../../setting-names.ts";
import { settingSpecs } from "../../settings.ts";
import { tokenOf } from "../tokens.ts";
import { packageVersion } from "../version.ts";
import { document } from "./documentation.ts";
import { downloads, languages, logo, repository } from "./home.ts";
import { type TypeTable, toObjectSpec } from "./object-spec.ts";
import { type ResourceDefinition, resourceDefinitions } from "./resource-definitions.ts";
import type { FunctionSpec, PackageSpec, PropertySpec, ResourceSpec } from "./spec.ts";

let written: string | undefined;

/** The text of this release's schema. It is made once: both the engine and the host of a language may ask for it. */
export function writeSchema(): string {
  written ??= JSON.stringify(makePackageSpec(packageVersion));
  return written;
}

/**
 * The package as Pulumi's tools and languages read it. It is made of the schemas by which the provider itself parses
 * inputs.
 */
export function makePackageSpec(version: string): PackageSpec {
  const types: TypeTable = {};
  const resources = Object.entries(resourceDefinitions).map(
    ([kind, definition]): [string, ResourceSpec] => [
      tokenOf(kind),
      toResourceSpec(definition, kind, types),
    ],
  );
  const functions = Object.entries(accountFunctions).map(
    ([name, { description, inputs, outputs }]): [string, FunctionSpec] => [
      tokenOf(name),
      {
        description: document(name, description),
        ...(hasProperties(inputs) && { inputs: toObjectSpec(inputs, name, "input", types) }),
        outputs: toObjectSpec(outputs, `${name}Result`, "output", types),
      },
    ],
  );
  return {
    name: "proxyrental",
    displayName: "Proxy Rental Service",
    version,
    description:
      "Proxy fleets as code, with the exact price in the preview. Nothing is bought that the plan did not show, and nothing is ever bought twice.",
    license: "MIT",
    keywords: ["pulumi", "proxyrental", "proxy", "category/network", "kind/native"],
    publisher: "pulumi-proxyrental",
    homepage: repository,
    repository,
    logoUrl: logo,
    pluginDownloadURL: downloads,
    // With this, `pulumi package gen-sdk` writes a module of its own in each language.
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: languages,
    config: { variables: describeSettings(withEnvironment) },
    provider: {
      description:
        "One account of the Proxy Rental Service. What is not set here is read from the environment of the run.",
      // Without `defaultInfo`. What an SDK finds in the environment it passes on as an input, and an input is kept in the
      // state: the key, or a folder of this machine, would be used by runs on others. The plugin reads the environment
      // itself, in each run.
      inputProperties: describeSettings(),
    },
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
    types,
  };
}

function toResourceSpec(
  { description, importing, inputs, query, outputs, secrets, replacing }: ResourceDefinition,
  kind: string,
  types: TypeTable,
): ResourceSpec {
  const given = toObjectSpec(inputs, kind, "input", types);
  const kept = toObjectSpec(inputs, kind, "output", types);
  const made = toObjectSpec(outputs, kind, "output", types);
  for (const name of replacing) {
    const property = given.properties[name];
    if (property) property.willReplaceOnChanges = true;
  }
  for (const name of secrets) {
    const property = made.properties[name];
    if (property) property.secret = true;
  }
  return {
    description: document(kind, description, importing),
    properties: { ...kept.properties, ...made.properties },
    required: [...kept.required, ...made.required],
    inputProperties: given.properties,
    requiredInputs: given.required,
    ...(query && { listInputs: toObjectSpec(query, `${kind}List`, "input", types) }),
  };
}

function hasProperties({ shape }: z.ZodObject): boolean {
  return Object.keys(shape).length > 0;
}

/** No setting is required here, because each may come from the environment. */
function describeSettings(
  complete: (key: SettingKey) => Partial<PropertySpec> = () => ({}),
): Record<string, PropertySpec> {
  return Object.fromEntries(
    settingKeys.map((key) => {
      const { description, isSecret, type } = settingSpecs[key];
      const told = `${description} In the environment: \`${settingVariables[key]}\`.`;
      const spec = { type, description: told, ...(isSecret && { secret: true }) };
      return [key, { ...spec, ...complete(key) }];
    }),
  );
}

function withEnvironment(key: SettingKey): Partial<PropertySpec> {
  return { defaultInfo: { environment: [settingVariables[key]] } };
}
