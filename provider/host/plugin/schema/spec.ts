import type { languages } from "./home.ts";

/** The parts of Pulumi's package schema that this package uses. */

/** One property of a resource, a function or an object type. */
export interface PropertySpec {
  description?: string;
  type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  $ref?: string;
  items?: PropertySpec;
  additionalProperties?: PropertySpec;
  default?: unknown;
  /** From where a value comes that a program does not give. */
  defaultInfo?: { environment: string[] };
  secret?: boolean;
  willReplaceOnChanges?: boolean;
}

/** Properties, and which of them are always there. */
export interface ObjectSpec {
  properties: Record<string, PropertySpec>;
  required: string[];
}

/** A named type: an object, or a choice of texts. */
export type TypeSpec =
  | ({ type: "object"; description?: string } & ObjectSpec)
  | { type: "string"; description?: string; enum: EnumValueSpec[] };

/** One text of a choice, and what constants of it are called. */
export interface EnumValueSpec {
  name: string;
  value: string;
}

/** What a program declares. */
export interface ResourceSpec extends ObjectSpec {
  description: string;
  inputProperties: Record<string, PropertySpec>;
  requiredInputs: string[];
  /** How a list of those that exist may be narrowed. Without it the resource can't be listed. */
  listInputs?: ObjectSpec;
}

/** A function that a program may call. Without arguments it has no inputs. */
export interface FunctionSpec {
  description: string;
  inputs?: ObjectSpec;
  outputs: ObjectSpec;
}

/** All that this package offers. */
export interface PackageSpec {
  name: string;
  displayName: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
  publisher: string;
  homepage: string;
  repository: string;
  logoUrl: string;
  pluginDownloadURL: string;
  meta: { moduleFormat: string; supportPack: boolean };
  language: typeof languages;
  config: { variables: Record<string, PropertySpec> };
  provider: Pick<ResourceSpec, "description" | "inputProperties">;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
  types: Record<string, TypeSpec>;
}
