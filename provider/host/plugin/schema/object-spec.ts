import { z } from "zod";
import { tokenOf } from "../tokens.ts";
import type { ObjectSpec, PropertySpec, TypeSpec } from "./spec.ts";

/** Named types by their tokens, as they are met. */
export type TypeTable = Record<string, TypeSpec>;

/** A node of the JSON schema that zod makes of a definition. */
interface Node {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  /** The name and the description of a choice that several definitions share. */
  typeName?: string;
  typeDescription?: string;
  $ref?: string;
  anyOf?: Node[];
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  additionalProperties?: Node | false;
  $defs?: Record<string, Node>;
}

/**
 * What Pulumi is told of a definition. Its named types are put into the table.
 * @param name of what is defined. Choices without a name are named after it and their property.
 * @param side whether a program gives it, and may leave out defaults, or gets it.
 */
export function toObjectSpec(
  definition: z.ZodObject,
  name: string,
  side: "input" | "output",
  types: TypeTable,
): ObjectSpec {
  const node = z.toJSONSchema(definition, { io: side }) as Node;
  for (const [typeName, type] of Object.entries(node.$defs ?? {})) {
    const { description } = type;
    const spec = objectOf(type, typeName, types);
    types[tokenOf(typeName)] = { type: "object", ...(description && { description }), ...spec };
  }
  return objectOf(node, name, types);
}

function objectOf(node: Node, name: string, types: TypeTable): ObjectSpec {
  const properties = Object.entries(node.properties ?? {}).map(
    ([property, inner]): [string, PropertySpec] => [
      property,
      toPropertySpec(inner, `${name}${capitalise(property)}`, types),
    ],
  );
  return { properties: Object.fromEntries(properties), required: node.required ?? [] };
}

function toPropertySpec(node: Node, name: string, types: TypeTable): PropertySpec {
  const { description, default: preset } = node;
  return {
    ...typeOf(node, name, types),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
  };
}

function typeOf(node: Node, name: string, types: TypeTable): PropertySpec {
  const { $ref, anyOf, type, items, additionalProperties } = node;
  if ($ref !== undefined) return refer($ref.replace("#/$defs/", ""));
  if (node.enum !== undefined) {
    const { typeName = name, typeDescription = node.description } = node;
    types[tokenOf(typeName)] = {
      type: "string",
      ...(typeDescription && { description: typeDescription }),
      enum: node.enum.map((value) => ({ name: nameConstant(value), value })),
    };
    return refer(typeName);
  }
  // Several ways to write one thing, as an address of either family. For Pulumi they are all texts.
  const [first, ...others] = anyOf ?? [];
  if (first && others.every((other) => other.type === first.type)) {
    return typeOf(first, name, types);
  }
  if (type === "array" && items) return { type, items: toPropertySpec(items, name, types) };
  if (type === "object" && additionalProperties) {
    return { type, additionalProperties: toPropertySpec(additionalProperties, name, types) };
  }
  if (isPrimitive(type)) return { type };
  throw new Error(`Pulumi's schema has no word for ${name}: ${JSON.stringify(node)}`);
}

function refer(typeName: string): PropertySpec {
  return { $ref: `#/types/${tokenOf(typeName)}` };
}

function isPrimitive(type: unknown): type is "string" | "number" | "integer" | "boolean" {
  return type === "string" || type === "number" || type === "integer" || type === "boolean";
}

/** What generated code calls a choice: `Ipv4`, from which Python makes IPV4, and not I_PV4. */
function nameConstant(value: string): string {
  return capitalise(/^[A-Z]{2}/.test(value) ? value.toLowerCase() : value);
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
