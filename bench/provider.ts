import { join } from "node:path";
import { type Contestant, measureRound, type Run } from "./measure.ts";
import type { Host, Scale } from "./project.ts";
import { measureJournal } from "./spending.ts";
import { type Summary, summarize } from "./summary.ts";

export interface ProviderOptions extends Scale {
  latency: readonly number[];
  runs: number;
  stateFloor: boolean;
  folder: string;
  packageDir: string;
  binDir: string;
  progress(line: string): void;
}

const hosts: readonly Host[] = ["dynamic", "plugin"];

/** Measures the provider with the real engine, and resources that do nothing for comparison. */
export async function measureProvider(options: ProviderOptions): Promise<Summary> {
  const { orders, ips, latency, runs, stateFloor, folder, packageDir, binDir, progress } = options;
  const contestants: Contestant[] = [
    { kind: "floor" },
    ...(stateFloor ? [{ kind: "floor with state" as const }] : []),
    ...latency.flatMap((latencyMs) =>
      hosts.map((host): Contestant => ({ kind: "ours", host, latencyMs })),
    ),
  ];
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

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
