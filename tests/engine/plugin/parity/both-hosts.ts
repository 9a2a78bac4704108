import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Simulator, SimulatorOptions } from "../../../../simulator/index.ts";
import { startForTest } from "../../../simulator/start.ts";
import { type Host, hosts } from "../../../support/program-files.ts";
import { type Spending, spendingOf } from "../../../support/spending.ts";
import { createStack, type Stack } from "../../../support/stack.ts";
import { readEventLog } from "./event-log.ts";
import { createHostNeutral, type HostNeutral } from "./host-neutral.ts";
import { readResources } from "./state.ts";

/** Everything that a command came to, the same on both hosts to the letter. */
export interface Outcome {
  readonly command: string;
  readonly exitCode: number;
  /** What is done with each resource, and its checked inputs. */
  readonly steps: readonly { op: string; urn: string; inputs: Record<string, unknown> }[];
  /** What the provider and the engine say, line by line. */
  readonly lines: readonly string[];
  /** Why it failed, with the resource that it is said of. */
  readonly refusals: readonly string[];
  readonly spending: Spending;
  readonly requests: Readonly<Record<string, number>>;
  /** The state afterwards, secrets opened. */
  readonly resources: readonly unknown[];
}

/** A stack on one of the hosts, with a simulator that nobody else has. */
export interface Scene {
  readonly host: Host;
  readonly simulator: Simulator;
  readonly stack: Stack;
  /** Runs a command that must go well. */
  succeed(command: string, ...args: string[]): Promise<Outcome>;
  /** Runs a command that must fail. */
  fail(command: string, ...args: string[]): Promise<Outcome>;
  rewrite(program: string): Promise<void>;
}

/** What both hosts have in common from the beginning. */
export interface SceneOptions {
  readonly program: string;
  readonly simulator?: Omit<SimulatorOptions, "now">;
  readonly env?: Readonly<Record<string, string>>;
}

/** When each simulator's time begins; it passes by `advance` only. */
const beginning = new Date("2026-03-01T12:00:00Z");

/** Plays a scenario on each host, with simulators that begin alike, and compares all that came of each command. */
export async function playOnBoth(
  options: SceneOptions,
  scenario: (scene: Scene) => Promise<void>,
): Promise<void> {
  const played = await Promise.all(
    hosts.map(async (host) => {
      const outcomes: Outcome[] = [];
      await scenario(await openScene(host, options, outcomes));
      return outcomes;
    }),
  );
  const [dynamic = [], plugin = []] = played;
  expect(dynamic.length).toBeGreaterThan(0);
  for (const [index, outcome] of plugin.entries()) {
    expect(outcome, `the plugin's outcome of step ${index + 1}`).toEqual(dynamic[index]);
  }
  expect(plugin).toHaveLength(dynamic.length);
}

async function openScene(host: Host, options: SceneOptions, outcomes: Outcome[]): Promise<Scene> {
  const simulator = await startForTest({ ...options.simulator, now: () => beginning });
  const stack = await createStack({
    ...{ simulator, host, program: options.program },
    env: { ...options.env, PULUMI_DEBUG_COMMANDS: "true" },
  });
  const neutral = createHostNeutral();

  async function run(succeeds: boolean, command: string, args: string[]): Promise<Outcome> {
    const log = join(stack.folder, `events-${outcomes.length}.json`);
    const word = succeeds ? "succeed" : "fail";
    try {
      await stack[word](`${command} --event-log ${log}`, ...args);
      const { exitCode = -1 } = stack.outcomes.at(-1) ?? {};
      const said = await readOutcome(stack, simulator, neutral, log);
      const outcome = { command: [command, ...args].join(" "), exitCode, ...said };
      outcomes.push(outcome);
      return outcome;
    } finally {
      // In it the SDK's own debug lines repeat what the program is given, secrets opened.
      await rm(log, { force: true });
    }
  }

  return {
    ...{ host, simulator, stack },
    succeed: (command, ...args) => run(true, command, args),
    fail: (command, ...args) => run(false, command, args),
    rewrite: (program) => stack.rewrite(program),
  };
}

async function readOutcome(
  stack: Stack,
  simulator: Simulator,
  neutral: HostNeutral,
  log: string,
): Promise<Omit<Outcome, "command" | "exitCode">> {
  const { steps, said } = await readEventLog(log);
  const errors = said.filter(({ isError }) => isError);
  const spoken = said.filter(({ isError }) => !isError);
  return {
    steps: neutral.of(steps.filter(isOurs).toSorted(byUrn)),
    lines: neutral.of(spoken.flatMap(({ message }) => linesOf(message)).toSorted()),
    refusals: neutral.of(errors.map(({ urn, message }) => `${urn}: ${message.trim()}`).toSorted()),
    spending: spendingOf(simulator),
    requests: simulator.requestCounts(),
    resources: neutral.of((await readResources(stack)).filter(isOurs).toSorted(byUrn)),
  };
}

/**
 * The lines of a message. A dynamic provider can say something only by printing it, so that what it throws is
 * printed too; the plugin's errors are shown at the resource alone.
 */
function linesOf(message: string): string[] {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.endsWith(": explained at the resource"));
}

function isOurs({ urn }: { urn: string }): boolean {
  return urn.includes("proxyrental:") && !urn.includes("pulumi:providers:");
}

function byUrn(one: { urn: string }, other: { urn: string }): number {
  return nameIn(one.urn).localeCompare(nameIn(other.urn));
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::"));
}
