import { beginMeddler } from "../tests/journals/stores/meddler.ts";
import { gofakes3 } from "../tests/journals/stores/products/go-server.ts";

/** A bucket for the journal, which answers as late as the service does. */
export interface SharedJournal {
  /** The variables with which the provider finds it. */
  readonly env: Record<string, string>;
  /** How many requests came since this method was last called. */
  takeRequestCount(): number;
  stop(): Promise<void>;
}

/** Starts an empty bucket. Each answer takes `latencyMs`. */
export async function startSharedJournal(latencyMs: number): Promise<SharedJournal> {
  const bucket = await gofakes3.begin();
  if (bucket.port === undefined) throw new Error("The bucket has no port");
  const between = await beginMeddler(bucket.port, { delayMs: latencyMs });
  const { url, environment } = bucket.enter("bench", between.port);
  return {
    env: { PROXYRENTAL_JOURNAL: url, ...environment },
    takeRequestCount: () => between.takeMethods().length,
    async stop() {
      await between.end();
      await bucket.end();
    },
  };
}
