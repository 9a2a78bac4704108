import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { readCatalogueFile } from "./catalogue/catalogue-file.ts";
import { defaultCatalogue } from "./catalogue/default-catalogue.ts";
import { openApiDocument, type Simulator, startSimulator } from "./index.ts";
import type { OpenQuestions, PresetName } from "./open-questions.ts";

/** The command line. What it leaves out follows the preset, or the simulator's own defaults. */
export interface SimulatorFlags extends Partial<OpenQuestions> {
  port: number;
  host: string;
  controlPort: number;
  controlHost: string;
  seed: number;
  balance?: string;
  latency: number;
  live?: true;
  account?: string[];
  catalogue?: string;
  load?: string;
  like?: string;
  at?: Date;
  preset?: PresetName;
  printCatalogue?: true;
  printOpenapi?: true;
}

/** Runs a simulator until somebody stops it. */
export async function runSimulator(flags: SimulatorFlags): Promise<void> {
  if (flags.printCatalogue) return print(toJson(defaultCatalogue));
  if (flags.printOpenapi) return print(toJson(openApiDocument()));
  const {
    controlPort,
    controlHost,
    latency,
    catalogue,
    load,
    at,
    account: names = [],
    ...rest
  } = flags;
  keepGarbageSmall();
  const simulator = await startSimulator({
    ...rest,
    ownsProcess: true,
    control: { port: controlPort, host: controlHost },
    latencyMs: latency,
    ...(catalogue !== undefined && { catalogue: readCatalogueFile(catalogue) }),
    ...(at !== undefined && { now: () => at }),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void simulator.stop());
  }
  try {
    if (load !== undefined) loadFile(simulator, load);
    const accounts = names.map((name) => simulator.openAccount({ name }));
    introduce(simulator, accounts);
  } catch (error) {
    await simulator.stop();
    throw error;
  }
}

/**
 * V8 lets young objects fill up to a hundred megabytes before it collects them. A simulator's live as long as a call, so
 * that a small space for them costs no time. The process is the simulator's own: in a test's process this stays as it is.
 */
function keepGarbageSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

function introduce(
  simulator: Simulator,
  accounts: readonly { name: string; apiKey: string }[],
): void {
  const { baseUrl, controlUrl, apiKey, journalDir } = simulator;
  print(`Proxy rental simulator at ${baseUrl}, balance ${simulator.balance()}
Control API and page at ${controlUrl}
Key: ${apiKey}
${accounts.map(({ name, apiKey: key }) => `Key of ${name}: ${key}\n`).join("")}
To use it:
export PROXYRENTAL_BASE_URL=${baseUrl}
export PROXYRENTAL_API_KEY=${apiKey}
export PROXYRENTAL_JOURNAL_DIR=${journalDir}

Ctrl-C stops it; nothing is kept.`);
}

function loadFile(simulator: Simulator, file: string): void {
  let snapshot: unknown;
  try {
    snapshot = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new TypeError(
      `The snapshot "${file}" can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  simulator.load(snapshot);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** Not through the tool's terminal: that hides the key of the environment, and here it must be shown. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
