import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Simulator, SimulatorOptions } from "../../../../simulator/index.ts";
import { startForTest } from "../../../simulator/start.ts";
import { type Host, hosts } from "../../../support/program-files.ts";
import {
  type ProgramWriter,
  typescriptOnPlugin,
  writerFor,
} from "../../../support/program-writer.ts";
import { type Spending, spendingOf } from "../../../support/spending.ts";
import { createStack, type Stack } from "../../../support/stack.ts";
import { readEventLog } from "./event-log.ts";
import { createHostNeutral, type HostNeutral, lateValueTypes } from "./host-neutral.ts";
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
  /** The state afterwards, secrets opened; none after a preview, which changes none. */
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
  rewrite(program: WriteProgram): Promise<void>;
}

/** Writes the same program for any host. */
export type WriteProgram = (write: ProgramWriter) => string;

/** What both hosts have in common from the beginning. */
export interface SceneOptions {
  readonly program: WriteProgram;
  /** Why the plugin is used from TypeScript, too, although a program in YAML costs much less. */
  readonly inTypeScript?: string;
  readonly simulator?: Omit<SimulatorOptions, "now">;
  readonly env?: Readonly<Record<string, string>>;
  /** See `StackOptions`. */
  readonly spawned?: boolean;
  /** Why the hosts need not read equally often here; what changes something is counted all the same. */
  readonly readsDiffer?: string;
}

/** The endpoints that change something, or cost something. */
const changing: ReadonlySet<string> = new Set(["createOrder", "extend", "setAutoExtension"]);

/** When each simulator's time begins; it passes by `advance` only. */
const beginning = new Date("2026-03-01T12:00:00Z");

/** Plays a scenario on each host, with simulators that begin alike, and compares all that came of each command. */
export async function playOnBoth(
  options: SceneOptions,
  scenario: (scene: Scene) => Promise<void>,
): Promise<void> {
  // Where it fails on one host, it is played to its end on the other before the folders go.
  const played = await Promise.allSettled(
    hosts.map(async (host) => {
      const outcomes: Outcome[] = [];
      await scenario(await openScene(host, options, outcomes));
      return outcomes;
    }),
  );
  const [dynamic = [], plugin = []] = played.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  expect(dynamic.length).toBeGreaterThan(0);
  for (const [index, outcome] of plugin.entries()) {
    expect(outcome, `the plugin's outcome of step ${index + 1}`).toEqual(dynamic[index]);
  }
  expect(plugin).toHaveLength(dynamic.length);
}

async function openScene(host: Host, options: SceneOptions, outcomes: Outcome[]): Promise<Scene> {
  const simulator = await startForTest({ ...options.simulator, now: () => beginning });
  const isTypeScript = host === "plugin" && options.inTypeScript !== undefined;
  const writer = isTypeScript ? typescriptOnPlugin : writerFor(host);
  const stack = await createStack({
    ...{ ...writer.on, simulator, program: options.program(writer) },
    spawned: options.spawned ?? false,
    machineClock: () => simulator.now(),
    env: { ...options.env, PULUMI_DEBUG_COMMANDS: "true" },
  });
  const neutral = createHostNeutral();

  async function run(succeeds: boolean, command: string, args: string[]): Promise<Outcome> {
    const log = join(stack.folder, `events-${outcomes.length}.json`);
    const word = succeeds ? "succeed" : "fail";
    try {
      await stack[word](`${command} --event-log ${log}`, ...args);
      const { exitCode = -1 } = stack.outcomes.at(-1) ?? {};
      const said = await readOutcome(simulator, neutral, log);
      const requests = countRequests(simulator, options);
      const spoken = neutral.of([command, ...args].join(" "));
      const resources = command === "preview" ? [] : await readDeclared(stack, neutral);
      const outcome = { command: spoken, exitCode, ...said, requests, resources };
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
    rewrite: (program) => stack.rewrite(program(writer)),
  };
}

async function readOutcome(
  simulator: Simulator,
  neutral: HostNeutral,
  log: string,
): Promise<Omit<Outcome, "command" | "exitCode" | "requests" | "resources">> {
  const { steps, said } = await readEventLog(log);
  const errors = said.filter(({ severity }) => severity === "error");
  const spoken = said.filter(({ severity }) => severity !== "error");
  return {
    steps: neutral.of(steps.filter(isDeclared).toSorted(byUrn)),
    lines: spoken.flatMap((line) => linesOf(neutral.of(line))).toSorted(),
    refusals: neutral.of(errors.map(({ urn, message }) => `${urn}: ${message.trim()}`).toSorted()),
    spending: spendingOf(simulator),
  };
}

function countRequests(
  simulator: Simulator,
  { readsDiffer }: SceneOptions,
): Record<string, number> {
  // A balance that was told a moment ago is not asked for again: how long that is, is up to the machine.
  const counts = Object.entries(simulator.requestCounts()).filter(
    ([name]) => name !== "getBalance",
  );
  const compared = counts.filter(([name]) => readsDiffer === undefined || changing.has(name));
  return Object.fromEntries(compared);
}

async function readDeclared(stack: Stack, neutral: HostNeutral): Promise<unknown[]> {
  return neutral.of((await readResources(stack)).filter(isDeclared).toSorted(byUrn));
}

/**
 * Not with the resource: a dynamic provider can say something only to the whole stack. What is a warning it can
 * only call so.
 */
function linesOf({ message, severity }: { message: string; severity: string }): string[] {
  const lines = message.split("\n").flatMap((line) => line.trim() || []);
  return severity === "warning" ? lines.map((line) => `warning: ${line}`) : lines;
}

/** The engine's own resource for a provider is no part of the program, and where a late value is from is not ours. */
function isDeclared({ urn }: { urn: string }): boolean {
  return !urn.includes("::pulumi:providers:") && urn.search(lateValueTypes) < 0;
}

function byUrn(one: { urn: string }, other: { urn: string }): number {
  return nameIn(one.urn).localeCompare(nameIn(other.urn));
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::"));
}
