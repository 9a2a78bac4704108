import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError, Option } from "commander";
import { ensurePulumi } from "../toolchain/pulumi-cli.ts";
import { measureGrowth } from "./growth.ts";
import { summarizeGrowth } from "./growth-summary.ts";
import { buildPackage } from "./project.ts";
import { measureProvider } from "./provider.ts";
import { printReport } from "./report.ts";
import { measureSimulator } from "./simulator.ts";
import { summarizeSimulator } from "./simulator-summary.ts";

const parts = ["provider", "growth", "simulator"] as const;

interface Flags {
  only?: (typeof parts)[number];
  orders: number;
  ips: number;
  latency: number[];
  runs: number;
  stateFloor?: true;
  sharedJournal: boolean;
  quick?: true;
  json?: true;
}

/** Enough to see what a change has done, in two minutes. Small stacks show the engine's start more than the orders. */
const quick = {
  orders: 25,
  runs: 1,
  latency: [50],
  stateFloor: true,
  sharedJournal: false,
} satisfies Partial<Flags>;

const command = new Command("bench")
  .description(
    "What orders cost in time, requests and state, against resources that do nothing; how the plugin grows with them; and how fast and how large the simulator is",
  )
  .addOption(new Option("--only <part>", "one of them alone").choices(parts))
  .option("--orders <count>", "orders in the stack", parseCount, 100)
  .option("--ips <count>", "proxies of each order", parseCount, 10)
  .option("--latency <ms,ms>", "how long the service takes to answer", parseLatencies, [0, 50])
  .option("--runs <count>", "how often all is done; medians are shown", parseCount, 2)
  .option("--state-floor", "also resources that do nothing and keep as much state as an order")
  .option(
    "--no-shared-journal",
    "without the plugin with its journal in a bucket, which answers as late as the service: Go builds its server",
  )
  .option(
    "--quick",
    "25 orders once, each call 50 ms, within two minutes, for who has just changed something",
  )
  .option("--json", "print the JSON that is also written to .bench/ instead of the tables");

try {
  const flags = command.parse().opts<Flags>();
  await run(flags.quick ? { ...flags, ...quick } : flags);
} catch (error) {
  command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
}

async function run(flags: Flags): Promise<void> {
  const { only, ips, runs } = flags;
  const isWanted = (part: (typeof parts)[number]) => only === undefined || only === part;
  const engine = isWanted("provider") ? await ensurePulumi() : undefined;
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-bench-"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  }
  const begunAt = new Date();
  try {
    progress("building the package");
    const packageDir = await buildPackage(folder);
    const provider =
      engine &&
      (await measureProvider({
        ...flags,
        stateFloor: flags.stateFloor ?? false,
        folder,
        packageDir,
        binDir: engine.binDir,
        progress,
      }));
    const growth =
      isWanted("growth") && !flags.quick
        ? summarizeGrowth(await measureGrowth({ ips, folder, packageDir, progress }))
        : undefined;
    const simulator = isWanted("simulator")
      ? summarizeSimulator(await measureSimulator(packageDir, runs, progress))
      : undefined;
    const json = JSON.stringify(
      {
        begunAt,
        cli: engine?.version,
        node: process.version,
        runs,
        ...provider,
        growth,
        simulator,
      },
      null,
      2,
    );
    const file = await save(json, begunAt);
    if (flags.json) console.log(json);
    else printReport({ provider, growth, simulator, runs });
    progress(`written to ${file}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function save(json: string, begunAt: Date): Promise<string> {
  const folder = fileURLToPath(new URL("../.bench", import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${begunAt.toISOString().replaceAll(":", "-")}.json`);
  await writeFile(file, `${json}\n`);
  return file;
}

/** Writes to stderr, so that stdout has only the result. */
function progress(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

function parseCount(text: string): number {
  const count = parseWhole(text);
  if (count === 0) throw new InvalidArgumentError("At least 1 is expected.");
  return count;
}

function parseLatencies(text: string): number[] {
  return [...new Set(text.split(",").map(parseWhole))];
}

function parseWhole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}
