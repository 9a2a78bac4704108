import type { z } from "zod";

/** What a file of JSON lines holds of one kind. A line that was torn, or is of another kind, is none. */
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
