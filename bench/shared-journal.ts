import { beginMeddler, type HeardRequest } from "../tests/journals/stores/meddler.ts";
import { gofakes3 } from "../tests/journals/stores/products/go-server.ts";
import { Missing } from "../tests/journals/stores/products/product.ts";

/** What a run has asked of the store. */
export interface JournalUse {
  /** Requests, without those of the probe. */
  requests: number;
  /** How long the probe took. The first run that buys with a store probes it, once for all runs. */
  probeSeconds: number;
}

/** What a run asks of a store that it does not have. */
export const noUse: JournalUse = { requests: 0, probeSeconds: 0 };

/** A bucket for the journal, which answers as late as the service does. */
export interface SharedJournal {
  /** The variables with which the provider finds it. */
  readonly env: Record<string, string>;
  /** What was asked since this method was last called. */
  takeUse(): JournalUse;
  stop(): Promise<void>;
}

/** Starts an empty bucket. Each answer takes `latencyMs`. */
export async function startSharedJournal(latencyMs: number): Promise<SharedJournal> {
  const bucket = await gofakes3.begin().catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    throw new Error(`${error.message}: leave the bucket out with --no-shared-journal`);
  });
  if (bucket.port === undefined) throw new Error("The bucket has no port");
  const between = await beginMeddler(bucket.port, { delayMs: latencyMs });
  const { url, environment } = bucket.enter("bench", between.port);
  return {
    env: { PROXYRENTAL_JOURNAL: url, ...environment },
    takeUse: () => summarizeUse(between.takeRequests()),
    async stop() {
      await between.end();
      await bucket.end();
    },
  };
}

function summarizeUse(heard: readonly HeardRequest[]): JournalUse {
  // A listing of what the probe has written names it in the query.
  const isOfProbe = ({ path }: HeardRequest) => /\bprobe(\/|%2F)/i.test(path);
  const ofProbe = heard.filter(isOfProbe);
  const [first, last] = [ofProbe.at(0), ofProbe.at(-1)];
  const over = heard.find((request) => last !== undefined && request.atMs > last.atMs) ?? last;
  return {
    requests: heard.length - ofProbe.length,
    probeSeconds: first && over ? (over.atMs - first.atMs) / 1000 : 0,
  };
}
