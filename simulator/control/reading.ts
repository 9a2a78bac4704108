import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";

/** Parses the JSON that was sent. Its error becomes a 4xx that names the field and what is accepted. */
export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  // This also refuses forms of other sites: they can't send this type.
  if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? "")) {
    throw new HTTPException(415, {
      message: "A body of Content-Type application/json is expected",
    });
  }
  return check(schema, await parse(c));
}

export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.infer<Schema> {
  return check(schema, c.req.query());
}

async function parse(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    throw new HTTPException(400, { message: "The body is no JSON" });
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const { data, error, success } = schema.safeParse(value);
  if (!success) throw new HTTPException(400, { message: z.prettifyError(error) });
  return data;
}
