import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * From now on each Node.js that this process starts keeps the code that it compiles, and uses what others have
 * compiled: the processes of the tests load the same modules, and compiling them takes most of their time.
 */
export async function keepCompiled(): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-compiled-"));
  process.env.NODE_COMPILE_CACHE = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** The variable of `keepCompiled`, for a process that does not inherit the environment of this one. */
export function compiledBefore(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/**
 * Variables for a Node.js that runs Pulumi's SDK for about a second.
 * @param more modules in this folder that are loaded first, too
 */
export function shortRun(...more: string[]): Record<string, string> {
  const preloaded = ["./short-run.cjs", ...more].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  return {
    ...compiledBefore(),
    NODE_OPTIONS: preloaded.map((path) => `--require ${JSON.stringify(path)}`).join(" "),
  };
}
