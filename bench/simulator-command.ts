import { once } from "node:events";
import { join } from "node:path";
import { execaNode } from "execa";
import { probed, readUsage, type Usage } from "./memory-probe.ts";

/** The command with which users start a simulator, in the built package. */
const script = "dist/cli/main.js";
const command = ["simulator"];

/** A simulator that was started with its command. */
export interface CommandedSimulator {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The time from the start of the process to its first output. */
  readonly firstLineSeconds: number;
  readUsage(): Promise<Usage>;
  stop(): Promise<void>;
}

interface CommandOptions {
  flags?: readonly string[];
  /** If true, `readUsage` can be called. The start is then a little slower. */
  isProbed?: boolean;
}

export async function startCommand(
  packageDir: string,
  { flags = [], isProbed = false }: CommandOptions = {},
): Promise<CommandedSimulator> {
  const begunAtMs = performance.now();
  const child = execaNode(join(packageDir, script), [...command, ...flags], {
    nodeOptions: isProbed ? probed : [],
    reject: false,
  });
  // The simulator prints all its lines at once.
  const output = await Promise.race([once(child.stdout, "data").then(String), child]);
  if (typeof output !== "string") throw new Error(`The simulator ended: ${output.stderr}`);
  const firstLineSeconds = (performance.now() - begunAtMs) / 1000;
  const read = (name: string): string => {
    const value = new RegExp(`export ${name}=(.+)`).exec(output)?.[1];
    if (value === undefined) throw new Error(`The simulator did not say its ${name}: ${output}`);
    return value;
  };
  return {
    baseUrl: read("PROXYRENTAL_BASE_URL"),
    apiKey: read("PROXYRENTAL_API_KEY"),
    firstLineSeconds,
    readUsage: () => readUsage(child),
    async stop() {
      child.kill();
      await child;
    },
  };
}
