import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { whenFileEnds } from "../../support/file-end.ts";

/** A process that a test has begun. */
export interface Child {
  /** Gives its next line; undefined when it has ended. */
  nextLine(): Promise<string | undefined>;
  /** Every line that it prints from now on until it ends. */
  allLines(): Promise<string[]>;
  tell(line: string): void;
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Waits for its end; gives its exit code, or null where it was killed. */
  ended(): Promise<number | null>;
}

/** What runs as a process of its own. */
const scripts = {
  "documents-child.ts": import.meta.resolve("./documents-child.ts"),
  "turn-child.ts": import.meta.resolve("./turn-child.ts"),
  "journal-child.ts": import.meta.resolve("./journal-child.ts"),
};

/** Begins one of the scripts of this folder as a process of its own, which ends with the test file at the latest. */
export function begin(script: keyof typeof scripts, ...args: string[]): Child {
  return beginCommand(process.execPath, [pathOf(script), ...args]);
}

export function pathOf(script: keyof typeof scripts): string {
  return fileURLToPath(scripts[script]);
}

/** Begins any command so. */
export function beginCommand(command: string, args: string[]): Child {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.on("error", () => undefined);
  whenFileEnds(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const nextLine = async () => {
    const { done, value } = await lines.next();
    return done ? undefined : value;
  };
  return {
    nextLine,
    async allLines() {
      const all: string[] = [];
      for (let line = await nextLine(); line !== undefined; line = await nextLine()) all.push(line);
      return all;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
    async ended() {
      await ended;
      return child.exitCode;
    },
  };
}
