import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { EndpointName, Simulator } from "../../../simulator/index.ts";
import { findLiving, findProviders, isStopped } from "../../support/process-tree.ts";
import type { RunningCommand, Stack } from "../../support/stack.ts";
import { readIntents } from "../journal-files.ts";

/** A call, before or after the service has acted on it. */
export interface Moment {
  endpoint: EndpointName;
  phase: "before" | "after";
  /** @default the first from now on */
  call?: number;
}

/** Lets a call hang, and resolves when it does. Nothing moves until the fault is cleared. */
export function freezeAt(simulator: Simulator, { call = 1, ...moment }: Moment): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const rule = { ...moment, calls: [call] };
  simulator.addFault({ ...rule, fault: { kind: "act", run: () => reached.resolve() } });
  simulator.addFault({ ...rule, fault: { kind: "hang" } });
  return reached.promise;
}

/** Runs an up, kills it and everything that it has started once `reached` resolves, and unlocks the stack. */
export async function killUp(
  stack: Stack,
  reached: (up: RunningCommand) => Promise<unknown>,
): Promise<void> {
  const up = stack.start("up");
  await Promise.race([
    reached(up),
    up.ended.then(({ text }) => {
      throw new Error(`the run ended before it was killed:\n${text}`);
    }),
  ]);
  await up.kill();
  await up.ended;
  await unlock(stack);
}

/**
 * Runs an up, kills only the CLI once `reached` resolves, as the kernel or the end of a CI job does, and waits until
 * its providers have noticed.
 * @returns the providers that have not noticed within `patienceMs`
 */
export async function killCliAlone(
  stack: Stack,
  reached: Promise<void>,
  patienceMs: number,
): Promise<number[]> {
  const up = stack.start("up");
  await reached;
  const providers = await findProviders(up.pid);
  expect(providers).not.toEqual([]);
  process.kill(up.pid, "SIGKILL");
  const giveUpMs = performance.now() + patienceMs;
  let left = await findLiving(providers);
  while (left.length > 0 && performance.now() < giveUpMs) {
    await sleep(50);
    left = await findLiving(left);
  }
  for (const pid of left) process.kill(pid, "SIGKILL");
  await up.ended;
  await unlock(stack);
  return left;
}

/** Stops the engine itself, so that it does not hear what its plugins answer. */
export async function stopEngine(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  // The kernel stops one thread after the other. On a busy machine another one may still save the state meanwhile.
  await awaitTrue(() => isStopped(pid));
}

/** Unlocks the stack, as `pulumi cancel` does after a run was killed. */
async function unlock({ backendDir }: Stack): Promise<void> {
  await rm(join(backendDir, ".pulumi", "locks"), { recursive: true });
}

/** Waits until an intent of the journal is in a phase. */
export async function awaitPhase(journalDir: string, phase: string): Promise<void> {
  await awaitTrue(async () => {
    if (!existsSync(journalDir)) return false;
    // A document may be removed after the folder was listed and before it is read.
    const intents = await readIntents(journalDir).catch(() => []);
    return intents.some((intent) => intent.phase === phase);
  });
}

async function awaitTrue(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
