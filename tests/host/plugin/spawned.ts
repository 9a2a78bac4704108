import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { compiledBefore } from "../../support/short-run.ts";

/** The path of the built plugin. */
const program = new URL("../../../dist/provider/host/plugin/main.js", import.meta.url).pathname;

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The plugin's process, as its parent sees it. */
export interface Spawned {
  /** Its first line of output. */
  readonly port: Promise<string>;
  readonly ended: Promise<Ending>;
  signal(name: NodeJS.Signals): void;
  /** Closes the standard input, as it happens when the engine is killed. */
  closeStdin(): void;
  /** All output except the first line. */
  printed(): string;
}

/** What a process needs to start. */
export interface SpawnOptions {
  engineAddress: string;
  folder: string;
  environment: Readonly<Record<string, string>>;
}

/** Starts the built plugin. It ends at the latest with the test. */
export function spawnPlugin({ engineAddress, folder, environment }: SpawnOptions): Spawned {
  const child = spawn(process.execPath, [program, engineAddress], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...compiledBefore(), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let portSeen = false;
  const port = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (portSeen) lines.push(line);
      portSeen = true;
      resolve(line);
    });
    child.once("close", () => reject(new Error(`the plugin ended: ${lines.join("\n")}`)));
  });
  // If a caller does not wait for the port, the end of the process must not be an unhandled rejection.
  port.catch(() => undefined);
  createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
  // All output has been read only when the pipes are closed.
  const ended = new Promise<Ending>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    port,
    ended,
    signal: (name) => void child.kill(name),
    closeStdin: () => void child.stdin.end(),
    printed: () => lines.join("\n"),
  };
}
