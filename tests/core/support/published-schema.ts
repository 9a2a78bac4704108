import { z } from "zod";

/** A node of a JSON schema, as far as these tests look at it. */
interface SchemaNode {
  type?: string;
  $ref?: string;
  description?: string;
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | false;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  $defs?: Record<string, SchemaNode>;
}

/** Each node by its path; those of named types begin with the name. */
function* walk(node: SchemaNode, path: string): Generator<[string, SchemaNode]> {
  yield [path, node];
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    yield* walk(property, `${path}.${name}`);
  }
  if (node.items) yield* walk(node.items, `${path}[]`);
  if (node.additionalProperties) yield* walk(node.additionalProperties, `${path}{}`);
  for (const [name, type] of Object.entries(node.$defs ?? {})) yield* walk(type, name);
}

function nodesOf(schema: z.ZodObject): [string, SchemaNode][] {
  return [...walk(z.toJSONSchema(schema) as SchemaNode, "")];
}

/** Properties and named types of which nobody says in a sentence what they mean. */
export function findUndescribed(schema: z.ZodObject): string[] {
  return nodesOf(schema)
    .filter(([path, { description }]) => !/^$|\]$|\}$/.test(path) && !description?.endsWith("."))
    .map(([path]) => path);
}

/** What a package schema has no words for: unions of several types, null, and objects without a name inside others. */
export function findUnpublishable(schema: z.ZodObject): string[] {
  const plain = ["object", "array", "string", "number", "integer", "boolean"];
  return nodesOf(schema)
    .filter(([path, { $ref, anyOf = [], type = typeOfAll(anyOf), properties }]) => {
      const isNamed = !/[.[{]/.test(path);
      return $ref === undefined && (!plain.includes(type) || (properties && !isNamed));
    })
    .map(([path]) => path);
}

/** The type that all ways to write one thing share. */
function typeOfAll(ways: readonly SchemaNode[]): string {
  const [type = "none", ...others] = new Set(ways.map((way) => way.type));
  return others.length === 0 ? type : "none";
}
