import type { z } from "zod";
import { ProxyRentalError } from "./errors.ts";

/** Reads what the engine kept for us. Fails closed: an unreadable state is no reason to buy. */
export function parseState<Schema extends z.ZodType>(
  schema: Schema,
  recorded: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(recorded);
  if (read.success) return read.data;
  const names = read.error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw new ProxyRentalError(
    "STATE_UNREADABLE",
    `the recorded ${what} can't be read (${names}). Nothing was bought. They were written by a newer release of pulumi-proxyrental, or edited by hand.`,
  );
}
