import { z } from "zod";

/** A node of a JSON schema, with the fields that these tests read. */
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

/** Each node with its path. The path of a node in a named type begins with the type's name. */
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

/** Properties and named types without a description. */
export function findUndescribed(schema: z.ZodObject): string[] {
  return nodesOf(schema)
    .filter(([path, { description }]) => !/^$|\]$|\}$/.test(path) && !description?.endsWith("."))
    .map(([path]) => path);
}

/** What a package schema can't express: unions of several types, null, and objects without a name inside others. */
export function findUnpublishable(schema: z.ZodObject): string[] {
  const plain = ["object", "array", "string", "number", "integer", "boolean"];
  return nodesOf(schema)
    .filter(([path, { $ref, anyOf = [], type = typeOfAll(anyOf), properties }]) => {
      const isNamed = !/[.[{]/.test(path);
      return $ref === undefined && (!plain.includes(type) || (properties && !isNamed));
    })
    .map(([path]) => path);
}

/** The type that all alternatives of one value have in common. */
function typeOfAll(ways: readonly SchemaNode[]): string {
  const [type = "none", ...others] = new Set(ways.map((way) => way.type));
  return others.length === 0 ? type : "none";
}
