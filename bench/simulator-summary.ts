import { median } from "./median.ts";
import { megabytes } from "./memory-probe.ts";
import { connections, heldIps, pageSize, type SimulatorRun } from "./simulator.ts";
import type { Aim } from "./summary.ts";

/** Medians over all runs. The other figures say what the simulator holds, and what it was asked for. */
export interface SimulatorSummary {
  heldIps: number;
  pageSize: number;
  connections: number;
  firstLineSeconds: number;
  firstAnswerSeconds: number;
  pagesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMsAPage: number;
  filledRssMb: number;
  filledHeapMb: number;
  loadedRssMb: number;
  loadedHeapMb: number;
  aims: Aim[];
}

const mostStartSeconds = 0.5;
const leastPagesPerSecond = 5000;
const mostP99Ms = 50;
const mostFilledRssMb = 300;
const mostLoadedRssMb = 300;

export function summarizeSimulator(runs: readonly SimulatorRun[]): SimulatorSummary {
  const over = (measure: (run: SimulatorRun) => number) => median(runs.map(measure)) ?? Number.NaN;
  const starts = runs.flatMap((run) => run.starts);
  const measured = {
    heldIps,
    pageSize,
    connections,
    firstLineSeconds: median(starts.map((start) => start.firstLineSeconds)) ?? Number.NaN,
    firstAnswerSeconds: median(starts.map((start) => start.firstAnswerSeconds)) ?? Number.NaN,
    pagesPerSecond: over((run) => run.pagesPerSecond),
    p50Ms: over((run) => run.p50Ms),
    p99Ms: over((run) => run.p99Ms),
    cpuMsAPage: over((run) => run.cpuMsAPage),
    filledRssMb: over((run) => megabytes(run.filled.rssBytes)),
    filledHeapMb: over((run) => megabytes(run.filled.heapBytes)),
    loadedRssMb: over((run) => megabytes(run.loaded.rssBytes)),
    loadedHeapMb: over((run) => megabytes(run.loaded.heapBytes)),
  };
  return { ...measured, aims: judge(measured) };
}

function judge(measured: Omit<SimulatorSummary, "aims">): Aim[] {
  const { firstAnswerSeconds, pagesPerSecond, p99Ms, filledRssMb, loadedRssMb } = measured;
  return [
    {
      what: `the simulator answers within ${mostStartSeconds} s of its start`,
      measured: `${firstAnswerSeconds.toFixed(2)} s`,
      met: firstAnswerSeconds <= mostStartSeconds,
    },
    {
      what: `${leastPagesPerSecond} pages of ${pageSize} proxies a second at least`,
      measured: `${Math.round(pagesPerSecond)}`,
      met: pagesPerSecond >= leastPagesPerSecond,
    },
    {
      what: `99 of 100 pages within ${mostP99Ms} ms, ${connections} at once`,
      measured: `${p99Ms} ms`,
      met: p99Ms <= mostP99Ms,
    },
    {
      what: `${heldIps} proxies held in ${mostFilledRssMb} MB`,
      measured: `${Math.round(filledRssMb)} MB`,
      met: filledRssMb <= mostFilledRssMb,
    },
    {
      what: `and in ${mostLoadedRssMb} MB after all the pages`,
      measured: `${Math.round(loadedRssMb)} MB`,
      met: loadedRssMb <= mostLoadedRssMb,
    },
  ];
}
