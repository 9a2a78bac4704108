import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
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

/** Every open or done intent below a folder of journals, as its newest document has it. */
export async function readIntents(journalDir: string): Promise<WrittenIntent[]> {
  const files = await filesBelow(journalDir);
  const documents = files.filter((path) => /\/(open|done)\/[^/]+\.json$/.test(path));
  const read = await Promise.allSettled(
    documents.map(async (path) => written.parse(JSON.parse(await readFile(path, "utf8")))),
  );
  // A torn document is no intent. Some rows tear one.
  const intents = read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const byId = Map.groupBy(intents, ({ id }) => id);
  return Array.from(byId.values(), (all) =>
    all.reduce((newest, one) => (one.revision > newest.revision ? one : newest)),
  );
}

/** Every file below a folder of journals with its text. */
export async function readJournal(journalDir: string): Promise<[path: string, text: string][]> {
  const files = await filesBelow(journalDir);
  return Promise.all(
    files.map(async (path): Promise<[string, string]> => [path, await readFile(path, "utf8")]),
  );
}

/** Paths of the documents of intents. The newest revision of an intent comes last. */
export async function findDocuments(journalDir: string, state: "open" | "done"): Promise<string[]> {
  const files = await findFiles(journalDir, state);
  return files.filter((path) => path.endsWith(".json"));
}

/** Paths of all files in one room of a journal. */
export async function findFiles(journalDir: string, room: string): Promise<string[]> {
  const files = await filesBelow(journalDir);
  return files.filter((path) => path.includes(`/${room}/`)).sort();
}

const FRESH_MS = 5_000;

/** The locks of accounts that a living process holds. The heartbeat of a dead process is old. */
export async function findHeldLocks(journalDir: string): Promise<string[]> {
  if (!existsSync(journalDir)) return [];
  const names = await readdir(journalDir, { recursive: true });
  const locks = names.filter((name) => basename(name) === "account.lock");
  const ages = await Promise.all(
    locks.map(async (name) => Date.now() - (await stat(join(journalDir, name))).mtimeMs),
  );
  return locks.filter((_, index) => (ages[index] ?? 0) < FRESH_MS);
}

async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
