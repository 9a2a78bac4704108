import { join } from "node:path";
import { type Contestant, measureRound, type Run } from "./measure.ts";
import type { Host, Scale } from "./project.ts";
import { measureJournal } from "./spending.ts";
import { type Summary, summarize } from "./summary.ts";

export interface ProviderOptions extends Scale {
  latency: readonly number[];
  runs: number;
  stateFloor: boolean;
  sharedJournal: boolean;
  folder: string;
  packageDir: string;
  binDir: string;
  progress(line: string): void;
}

const hosts: readonly Host[] = ["dynamic", "plugin"];

/** Measures the provider with the real engine, and resources that do nothing for comparison. */
export async function measureProvider(options: ProviderOptions): Promise<Summary> {
  const { orders, ips, runs, folder, packageDir, binDir, progress } = options;
  const contestants = listContestants(options);
  const rounds: Run[][] = [];
  for (let round = 1; round <= runs; round++) {
    rounds.push(
      await measureRound({
        orders,
        ips,
        packageDir,
        binDir,
        folder: join(folder, `round-${round}`),
        // The first contestant after an expensive step may be slower. So each contestant is the first one in turn.
        contestants: rotate(contestants, round - 1),
        progress: (line) => progress(`run ${round} of ${runs}: ${line}`),
      }),
    );
  }
  progress("the journal");
  return summarize({ orders, ips }, contestants, rounds, await measureJournal(orders));
}

function listContestants({ latency, stateFloor, sharedJournal }: ProviderOptions): Contestant[] {
  return [
    { kind: "floor" },
    ...(stateFloor ? [{ kind: "floor with state" as const }] : []),
    ...latency.flatMap((latencyMs): Contestant[] => [
      ...hosts.map((host) => ({
        kind: "ours" as const,
        host,
        latencyMs,
        journal: "local" as const,
      })),
      // The journal does not know its host: one of them shows what sharing costs.
      ...(sharedJournal
        ? [
            {
              kind: "ours" as const,
              host: "plugin" as const,
              latencyMs,
              journal: "shared" as const,
            },
          ]
        : []),
    ]),
  ];
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
