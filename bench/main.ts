import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { ensurePulumi } from "../toolchain/pulumi-cli.ts";
import { type Contestant, measureRound, type Run } from "./measure.ts";
import { buildPackage } from "./project.ts";
import { printReport } from "./report.ts";
import { measureJournal } from "./spending.ts";
import { summarize } from "./summary.ts";

interface Flags {
  orders: number;
  ips: number;
  latency: number[];
  runs: number;
  stateFloor?: true;
  json?: true;
}

const command = new Command("bench")
  .description("What orders cost in time, requests and state, against resources that do nothing")
  .option("--orders <count>", "orders in the stack", parseCount, 100)
  .option("--ips <count>", "proxies of each order", parseCount, 10)
  .option("--latency <ms,ms>", "how long the service takes to answer", parseLatencies, [0, 50])
  .option("--runs <count>", "how often all is done; medians are shown", parseCount, 2)
  .option("--state-floor", "also resources that do nothing and keep as much state as an order")
  .option("--json", "print the JSON that is also written to .bench/ instead of the tables");

try {
  await run(command.parse().opts<Flags>());
} catch (error) {
  command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
}

async function run(flags: Flags): Promise<void> {
  const { orders, ips, latency, runs } = flags;
  const { binDir, version } = await ensurePulumi();
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
    const contestants: Contestant[] = [
      { kind: "floor" },
      ...(flags.stateFloor ? [{ kind: "floor with state" as const }] : []),
      ...latency.map((latencyMs) => ({ kind: "ours" as const, latencyMs })),
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
          // Whoever comes first after an expensive step may be at a disadvantage; so each does in turn.
          contestants: rotate(contestants, round - 1),
          progress: (line) => progress(`run ${round} of ${runs}: ${line}`),
        }),
      );
    }
    progress("the journal");
    const summary = summarize({ orders, ips }, contestants, rounds, await measureJournal(orders));
    const json = JSON.stringify(
      { begunAt, cli: version, node: process.version, runs, ...summary },
      null,
      2,
    );
    const file = await save(json, begunAt);
    if (flags.json) console.log(json);
    else printReport(summary, runs);
    progress(`written to ${file}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

async function save(json: string, begunAt: Date): Promise<string> {
  const folder = fileURLToPath(new URL("../.bench", import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${begunAt.toISOString().replaceAll(":", "-")}.json`);
  await writeFile(file, `${json}\n`);
  return file;
}

/** On stderr, so that stdout holds the result alone. */
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
