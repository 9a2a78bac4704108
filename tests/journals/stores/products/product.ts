import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";

/** A product that tests run a store on: the real one, on this machine. */
export interface Product {
  /** As people know it. */
  name: string;
  /** Begins it; throws `Missing` where this machine does not have it. */
  begin(): Promise<RunningProduct>;
}

/** What a user says to have a journal of its own there. */
export interface Entry {
  url: string;
  /** The credentials, as the product's own tools take them. */
  environment: Readonly<Record<string, string>>;
}

export interface RunningProduct {
  /** Undefined where it has none. */
  port?: number;
  /** @param port of somebody who stands between. @default its own */
  enter(journal: string, port?: number): Entry;
  /** What nobody may ever be shown. */
  secrets: readonly string[];
  end(): Promise<void>;
}

/** Why a product is not tried here. */
export class Missing extends Error {}

/** Below those that a system gives to whoever asks for any port: nobody gets it before its server listens. */
const LOWEST_PORT = 12_000;
const HIGHEST_PORT = 32_000;

/** A port that nobody has at this moment. */
export async function findPort(): Promise<number> {
  const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return findPort();
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Server {
  folder: string;
  end(): Promise<void>;
}

/** Begins a server in a folder of its own, and waits until it answers. */
export async function beginServer(
  command: string,
  listArguments: (folder: string) => string[],
  isUp: () => Promise<unknown>,
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-server-"));
  const server = execa(command, listArguments(folder), {
    cwd: folder,
    reject: false,
    all: true,
    stdin: "ignore",
  });
  let isWanted = true;
  // Whoever asks it later would only be told that nobody answers.
  void server.then(({ all, exitCode, signal }) => {
    if (isWanted) console.error(`${command} has ended by itself (${signal ?? exitCode}): ${all}`);
  });
  const end = async () => {
    isWanted = false;
    server.kill("SIGKILL");
    await server;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(isUp, server);
  } catch (error) {
    await end();
    throw error;
  }
  return { folder, end };
}

const LONGEST_START_MS = 60_000;

/** Asks until it does not throw. */
export async function waitUntil(
  isUp: () => Promise<unknown>,
  server: PromiseLike<{ all?: string }>,
): Promise<void> {
  let said: string | undefined;
  void server.then(({ all = "" }) => {
    said = all;
  });
  for (const untilMs = performance.now() + LONGEST_START_MS; ; ) {
    const trouble = await isUp().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (trouble === undefined) return;
    if (said !== undefined) throw new Error(`the server has ended: ${said}`);
    if (performance.now() > untilMs) throw trouble;
    await sleep(50);
  }
}

/** By HTTP it is up as soon as it answers anything. */
export async function answers(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
}
