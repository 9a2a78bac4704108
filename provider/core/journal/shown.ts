import { appendFile, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../service.ts";

const shownQuoteSchema = z.object({
  requestId: z.string(),
  quantity: z.number(),
  price: z.number(),
  currency: z.string(),
  at: z.string(),
});

/** What a process writes that goes on to buy. */
const buysSchema = z.object({ buys: z.literal(true) });

/** A price that a check has shown to a person. */
export type ShownQuote = z.infer<typeof shownQuoteSchema>;

/** What previews have shown, so that a later, dearer order can be refused. */
export interface ShownQuotes {
  /** Remembers what this process shows. Never fails: a preview may run where nothing can be written. */
  show(quote: Omit<ShownQuote, "at">): Promise<void>;
  /**
   * To be asked by a purchase: the newest quote under two hours old that a preview has shown for it. A
   * process that buys is no preview, and what it shows binds nobody: else a refused run would be enough to
   * make the next one accept its price.
   */
  shownBefore(requestId: string): Promise<ShownQuote | undefined>;
}

/** How long a price that was shown is held against a later one. */
const BINDING_MS = 2 * 60 * 60 * 1000;

/** One file a process, one line a quote: nobody writes into another's file, so nothing is locked. */
export function createShownQuotes(folder: string, runId: string, clock: Clock): ShownQuotes {
  const dir = join(folder, "shown");
  const ownFile = `${runId}.jsonl`;
  let others: Promise<ShownQuote[]> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const oldest = () => clock.now().getTime() - BINDING_MS;

  /** Read once: what others show while this process runs was not the preview of what it buys. */
  async function readOthers(): Promise<ShownQuote[]> {
    const quotes: ShownQuote[] = [];
    for (const name of await readdir(dir)) {
      if (name === ownFile) continue;
      const path = join(dir, name);
      if ((await stat(path)).mtimeMs < oldest()) await rm(path, { force: true });
      else quotes.push(...readPreview(await readFile(path, "utf8")));
    }
    return quotes;
  }

  /** Never fails: see `show`. */
  async function write(line: object): Promise<void> {
    written = written.then(() => append(`${JSON.stringify(line)}\n`)).catch(() => undefined);
    await written;
  }

  async function append(line: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await appendFile(join(dir, ownFile), line, { mode: 0o600 });
  }

  return {
    async show(quote) {
      await write({ ...quote, at: clock.now().toISOString() });
    },

    async shownBefore(requestId) {
      others ??= write({ buys: true })
        .then(readOthers)
        .catch(() => []);
      return (await others)
        .filter((quote) => quote.requestId === requestId && Date.parse(quote.at) >= oldest())
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
        .at(-1);
    },
  };
}

/** The quotes of a process that bought nothing. A line that was torn is no quote. */
function readPreview(text: string): ShownQuote[] {
  const lines = text.split("\n").map(parseLine);
  if (lines.some((line) => buysSchema.safeParse(line).success)) return [];
  return lines.flatMap((line) => {
    const read = shownQuoteSchema.safeParse(line);
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
