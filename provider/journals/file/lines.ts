import type { z } from "zod";

/** Parses the lines of one kind in a file of JSON lines. A torn line, or one of another kind, is left out. */
export function parseLines<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): z.output<Schema>[] {
  return text.split("\n").flatMap((line) => {
    const read = schema.safeParse(parseLine(line));
    return read.success ? [read.data] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
