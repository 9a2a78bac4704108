import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";

const main = join(import.meta.dirname, "../../cli/main.ts");

/** A folder for compiled modules: each command loads the same modules, and compiles them most of its time. */
const compiled = join(import.meta.dirname, "../../node_modules/.cache/proxyrental-cli");

/** The result of a command. */
export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** The surroundings of a command. */
export interface RunOptions {
  /** All variables of the command, besides those that every process needs. */
  env?: Record<string, string>;
  /** The text on its standard input. */
  input?: string;
  cwd?: string;
}

/** Runs the real command line tool as a person would. */
export async function runCli(
  args: readonly string[],
  { env = {}, input = "", cwd = tmpdir() }: RunOptions = {},
): Promise<Outcome> {
  const { PATH = "" } = process.env;
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main, ...args], {
    env: { PATH, HOME: "/nowhere", NODE_COMPILE_CACHE: compiled, ...env },
    extendEnv: false,
    reject: false,
    input,
    cwd,
  });
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

/** Makes a folder that is removed with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
