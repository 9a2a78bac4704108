import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

/** The fields that the rows compare with the charges. The provider's own reader may be wrong, so it is not used. */
const written = z.object({
  id: z.string(),
  revision: z.number(),
  phase: z.string(),
  closedBecause: z.string().optional(),
  requestId: z.string(),
  price: z.number(),
  charged: z.number().optional(),
  orderNumber: z.string().optional(),
  orderIds: z.array(z.string()).default([]),
  candidates: z.array(z.string()).default([]),
});

export type WrittenIntent = z.infer<typeof written>;

const account = z.object({
  turn: z.object({ runId: z.string() }).optional(),
  underWay: z.array(written),
});

const page = z.object({ purchases: z.array(written) });

/** Every intent below a folder of journals, by its newest revision. */
export async function readIntents(journalDir: string): Promise<WrittenIntent[]> {
  const accounts = await readDocuments(journalDir, /\/account\.json@$/, account);
  const pages = await readDocuments(journalDir, /\/book\/[^/]+\.json@$/, page);
  const intents = [
    ...pages.flatMap(({ purchases }) => purchases),
    ...accounts.flatMap(({ underWay }) => underWay),
  ];
  const byId = Map.groupBy(intents, ({ id }) => id);
  return Array.from(byId.values(), (all) =>
    all.reduce((newest, one) => (one.revision > newest.revision ? one : newest)),
  );
}

/** The newest revision of each document of a name. One that is torn is a row of the matrix, and no document. */
async function readDocuments<Schema extends z.ZodType>(
  journalDir: string,
  name: RegExp,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const files = await findNewest(journalDir, name);
  const read = await Promise.allSettled(
    files.map(async (path) => {
      const text = await readFile(path, "utf8");
      return schema.parse(JSON.parse(text.slice(text.indexOf("\n") + 1)));
    }),
  );
  return read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/**
 * Paths of the newest revisions of the documents of a name. Each is a folder, and they are named by number and ID. One
 * that a killed process has decided on, but has not named, is still a draft.
 */
export async function findNewest(journalDir: string, name: RegExp): Promise<string[]> {
  const files = await filesBelow(journalDir);
  const revisions = files.filter((path) => name.test(dirname(path)));
  return Array.from(Map.groupBy(revisions, dirname).values(), (all) => {
    const isDecided = (draft: string) => all.some((path) => path.endsWith(idOf(draft)));
    return all
      .filter((path) => !path.endsWith(".draft") || isDecided(path))
      .reduce((newest, one) => (numberOf(one) > numberOf(newest) ? one : newest));
  }).sort();
}

function numberOf(path: string): number {
  return Number.parseInt(basename(path), 10);
}

/** With the dot before it: what a file ends with that it has superseded. */
function idOf(draft: string): string {
  return basename(draft, ".draft").replace(/^\d+/, "");
}

/** Every file below a folder of journals with its text. */
export async function readJournal(journalDir: string): Promise<[path: string, text: string][]> {
  const files = await filesBelow(journalDir);
  return Promise.all(
    files.map(async (path): Promise<[string, string]> => [path, await readFile(path, "utf8")]),
  );
}

const FRESH_MS = 5_000;

/** Turns on accounts that somebody has: a dead holder's heartbeat grows old. */
export async function findHeldTurns(journalDir: string): Promise<string[]> {
  const accounts = await readDocuments(journalDir, /\/account\.json@$/, account);
  const holders = accounts.flatMap(({ turn }) => (turn === undefined ? [] : [turn.runId]));
  const names = existsSync(journalDir) ? await readdir(journalDir, { recursive: true }) : [];
  const shown = names.filter((name) => holders.some((runId) => name.endsWith(`${runId}.lock`)));
  const ages = await Promise.all(
    shown.map(async (name) => Date.now() - (await stat(join(journalDir, name))).mtimeMs),
  );
  return shown.filter((_, index) => (ages[index] ?? 0) < FRESH_MS);
}

async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
