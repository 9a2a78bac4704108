import type { z } from "zod";
import { ProxyRentalError } from "./errors.ts";
import { type Migration, migrate } from "./migrate.ts";

/**
 * Parses what the engine kept for us, in the newest form or an earlier one. The next update saves it in the newest
 * form. Fails closed: an unreadable state is no reason to buy.
 */
export function parseState<Schema extends z.ZodType>(
  schema: Schema,
  recorded: unknown,
  what: string,
  migration?: Migration,
): z.output<Schema> {
  const { document } = migration ? migrate(recorded, migration) : { document: recorded };
  const read = schema.safeParse(document);
  if (read.success) return read.data;
  const names = read.error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw new ProxyRentalError(
    "STATE_UNREADABLE",
    `the recorded ${what} can't be read (${names}). Nothing was bought. They were written by a newer release of pulumi-proxyrental, or edited by hand. Install the newest release, or restore the state from a backup.`,
  );
}
