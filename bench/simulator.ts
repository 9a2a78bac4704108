import autocannon from "autocannon";
import { z } from "zod";
import type { Usage } from "./memory-probe.ts";
import { type CommandedSimulator, startCommand } from "./simulator-command.ts";

/** How many proxies the simulator holds while it is measured. */
export const heldIps = 100_000;
/** The largest order that the simulator takes. */
const ipsAnOrder = 10_000;
export const pageSize = 100;
export const connections = 10;

const startsARun = 5;
const warmUpSeconds = 2;
const loadSeconds = 8;

/** One run of all measurements of the simulator. */
export interface SimulatorRun {
  starts: { firstLineSeconds: number; firstAnswerSeconds: number }[];
  /** The usage when all proxies are there and no call has listed them yet. */
  filled: Usage;
  pagesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The simulator's processor time. It hardly depends on what else the machine does. */
  cpuMsAPage: number;
  /** The usage after all pages were read. */
  loaded: Usage;
}

/** Measures each run in its own processes, which are started as users start them. */
export async function measureSimulator(
  packageDir: string,
  runs: number,
  progress: (line: string) => void,
): Promise<SimulatorRun[]> {
  // The first start reads the package from the disk, so it would measure the speed of the disk.
  await measureStart(packageDir);
  const measured: SimulatorRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    progress(`run ${run} of ${runs}: the simulator's start`);
    const starts: SimulatorRun["starts"] = [];
    for (let start = 0; start < startsARun; start += 1) starts.push(await measureStart(packageDir));
    progress(`run ${run} of ${runs}: pages of ${heldIps} proxies`);
    measured.push({ starts, ...(await measurePages(packageDir)) });
  }
  return measured;
}

async function measureStart(packageDir: string): Promise<SimulatorRun["starts"][number]> {
  const begunAtMs = performance.now();
  const simulator = await startCommand(packageDir);
  try {
    await call(simulator, "GET", "balance");
    const firstAnswerSeconds = (performance.now() - begunAtMs) / 1000;
    return { firstLineSeconds: simulator.firstLineSeconds, firstAnswerSeconds };
  } finally {
    await simulator.stop();
  }
}

async function measurePages(packageDir: string): Promise<Omit<SimulatorRun, "starts">> {
  const flags = ["--page-cap", String(pageSize), "--balance", "999999999"];
  const simulator = await startCommand(packageDir, { flags, isProbed: true });
  try {
    await fill(simulator);
    const filled = await simulator.readUsage();
    await readPages(simulator, warmUpSeconds);
    const before = await simulator.readUsage();
    const { requests, latency } = await readPages(simulator, loadSeconds);
    const loaded = await simulator.readUsage();
    return {
      filled,
      pagesPerSecond: requests.average,
      p50Ms: latency.p50,
      p99Ms: latency.p99,
      cpuMsAPage: (loaded.cpuMs - before.cpuMs) / requests.total,
      loaded,
    };
  } finally {
    await simulator.stop();
  }
}

async function fill(simulator: CommandedSimulator): Promise<void> {
  const order = {
    proxyType: "IPv4",
    country: "USA",
    quantity: ipsAnOrder,
    rentPeriodDays: 30,
    goal: "measuring",
    authType: "LOGIN",
  };
  for (let held = 0; held < heldIps; held += ipsAnOrder) {
    await call(simulator, "POST", "order", order);
  }
}

/** Reads one page after the other on each connection. At the end of the listing it begins again. */
async function readPages(
  { baseUrl, apiKey }: CommandedSimulator,
  seconds: number,
): Promise<autocannon.Result> {
  let asked = 0;
  const result = await autocannon({
    url: baseUrl,
    connections,
    duration: seconds,
    requests: [
      {
        method: "POST",
        path: `/client/api/v1/${apiKey}/ipAddress?proxyType=IPv4`,
        headers: { "Content-Type": "application/json" },
        setupRequest: (request) => {
          const page = asked % (heldIps / pageSize);
          asked += 1;
          return { ...request, body: JSON.stringify({ proxyType: "IPv4", page, size: pageSize }) };
        },
      },
    ],
  });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${asked} pages were not answered`);
  return result;
}

const answerSchema = z.object({ success: z.literal(true) });

async function call(
  { baseUrl, apiKey }: CommandedSimulator,
  method: "GET" | "POST",
  name: string,
  body?: object,
): Promise<void> {
  const response = await fetch(`${baseUrl}/client/api/v1/${apiKey}/${name}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  answerSchema.parse(await response.json());
}
