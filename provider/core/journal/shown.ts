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

/** A price that a check has shown to a person. */
export type ShownQuote = z.infer<typeof shownQuoteSchema>;

/** What previews have shown, so that a later, dearer order can be refused. */
export interface ShownQuotes {
  /** Remembers what this process shows. Never fails: a preview may run where nothing can be written. */
  show(quote: Omit<ShownQuote, "at">): Promise<void>;
  /** The newest quote under two hours old that another process has shown for the same purchase. */
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
      else quotes.push(...readLines(await readFile(path, "utf8")));
    }
    return quotes;
  }

  async function append(line: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await appendFile(join(dir, ownFile), line, { mode: 0o600 });
  }

  return {
    async show(quote) {
      const line = `${JSON.stringify({ ...quote, at: clock.now().toISOString() })}\n`;
      written = written.then(() => append(line)).catch(() => undefined);
      await written;
    },

    async shownBefore(requestId) {
      others ??= readOthers().catch(() => []);
      return (await others)
        .filter((quote) => quote.requestId === requestId && Date.parse(quote.at) >= oldest())
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
        .at(-1);
    },
  };
}

/** A line that was torn is no quote. */
function readLines(text: string): ShownQuote[] {
  return text.split("\n").flatMap((line) => {
    try {
      const read = shownQuoteSchema.safeParse(JSON.parse(line));
      return read.success ? [read.data] : [];
    } catch {
      return [];
    }
  });
}
