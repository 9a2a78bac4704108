import type { z } from "zod";
import { accountFunctions } from "../../../core/functions/functions.ts";
import { settingKeys, settingVariables } from "../../setting-names.ts";
import { settingSpecs } from "../../settings.ts";
import { tokenOf } from "../tokens.ts";
import { type TypeTable, toObjectSpec } from "./object-spec.ts";
import { type ResourceDefinition, resourceDefinitions } from "./resource-definitions.ts";
import type { FunctionSpec, PackageSpec, PropertySpec, ResourceSpec } from "./spec.ts";

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
        description,
        ...(hasProperties(inputs) && { inputs: toObjectSpec(inputs, name, "input", types) }),
        outputs: toObjectSpec(outputs, `${name}Result`, "output", types),
      },
    ],
  );
  const settings = describeSettings();
  const respectSchemaVersion = true;
  return {
    name: "proxyrental",
    displayName: "Proxy Rental Service",
    version,
    description:
      "Proxy fleets as code, with the exact price in the preview. Nothing is bought that the plan did not show, and nothing is ever bought twice.",
    license: "MIT",
    keywords: ["pulumi", "proxyrental", "category/network"],
    // With this, `pulumi package gen-sdk` writes a module of its own in each language.
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: {
      nodejs: { respectSchemaVersion },
      python: { respectSchemaVersion, pyproject: { enabled: true } },
      go: { respectSchemaVersion },
      csharp: { respectSchemaVersion },
    },
    config: { variables: settings },
    provider: {
      description:
        "One account of the Proxy Rental Service. What is not set here is read from the environment of the run.",
      inputProperties: settings,
    },
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
    types,
  };
}

function toResourceSpec(
  { description, inputs, outputs, secrets, replacing }: ResourceDefinition,
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
    description,
    properties: { ...kept.properties, ...made.properties },
    required: [...kept.required, ...made.required],
    inputProperties: given.properties,
    requiredInputs: given.required,
  };
}

function hasProperties({ shape }: z.ZodObject): boolean {
  return Object.keys(shape).length > 0;
}

/** No setting is required here, because each may come from the environment. */
function describeSettings(): Record<string, PropertySpec> {
  return Object.fromEntries(
    settingKeys.map((key) => {
      const { description, isSecret, type } = settingSpecs[key];
      const told = `${description} In the environment: \`${settingVariables[key]}\`.`;
      return [key, { type, description: told, ...(isSecret && { secret: true }) }];
    }),
  );
}
