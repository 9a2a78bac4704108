import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { runCommandLine } from "../../cli/program.ts";
import { createTerminal } from "../../cli/terminal.ts";
import { compiledBefore } from "../support/short-run.ts";

const main = join(import.meta.dirname, "../../cli/main.ts");

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
  /** The text on its standard input. Only a process has one. */
  input?: string;
  /** Only a process has one. @default the folder for temporary files */
  cwd?: string;
  /** Whether the command is a process of its own, as a person's is. @default only if something here needs that */
  isProcess?: boolean;
}

/** Runs the command line tool. A process takes a third of a second, so most commands run in this one. */
export async function runCli(
  args: readonly string[],
  { env = {}, input, cwd, isProcess = (input ?? cwd) !== undefined }: RunOptions = {},
): Promise<Outcome> {
  const { PATH = "" } = process.env;
  const complete = { PATH, HOME: "/nowhere", ...env };
  if (!isProcess) return runHere(args, complete);
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main, ...args], {
    env: { ...complete, ...compiledBefore() },
    extendEnv: false,
    reject: false,
    input: input ?? "",
    cwd: cwd ?? tmpdir(),
  });
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

/** The libraries of the journal's stores read the environment of their process, so it is that of the command meanwhile. */
async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const said = { stdout: "", stderr: "" };
  const surroundings = {
    env: environment,
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
    exitCode: 0,
  };
  const before = { ...process.env };
  setEnvironment(environment);
  try {
    const endedWith = await runCommandLine(args, createTerminal(surroundings));
    const exitCode = endedWith ?? surroundings.exitCode;
    return { exitCode, stdout: withoutEnd(said.stdout), stderr: withoutEnd(said.stderr) };
  } finally {
    setEnvironment(before);
  }
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, "");
}

/** Changes the variables one by one: what Node.js asks of the system does not see an object in place of them. */
function setEnvironment(wanted: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, wanted);
}
