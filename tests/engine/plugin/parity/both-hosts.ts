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
import { type EngineEvents, readEventLog } from "./event-log.ts";
import { createHostNeutral, type HostNeutral, lateValueTypes } from "./host-neutral.ts";
import { readResources } from "./state.ts";

/** The whole outcome of a command. It must be exactly the same on both hosts. */
export interface Outcome {
  readonly command: string;
  readonly exitCode: number;
  /** What is done with each resource, and its checked inputs. */
  readonly steps: readonly { op: string; urn: string; inputs: Record<string, unknown> }[];
  /** What the provider and the engine say, line by line. */
  readonly lines: readonly string[];
  /** Why the command failed, each reason with its resource. */
  readonly refusals: readonly string[];
  readonly spending: Spending;
  readonly requests: Readonly<Record<string, number>>;
  /** The state afterwards, with secrets in plain text. It is empty after a preview, which does not change the state. */
  readonly resources: readonly unknown[];
}

/** A stack on one of the hosts, with a simulator of its own. */
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

/** What the scenes on both hosts have in common. */
export interface SceneOptions {
  readonly program: WriteProgram;
  /** Why the plugin runs a TypeScript program here, although a YAML program costs much less time. */
  readonly inTypeScript?: string;
  readonly simulator?: Omit<SimulatorOptions, "now">;
  readonly env?: Readonly<Record<string, string>>;
  /** See `StackOptions`. */
  readonly spawned?: boolean;
  /** Why the hosts may send different numbers of reads here. Calls that change something are still compared. */
  readonly readsDiffer?: string;
  /** Why the number of pages of the listing may depend on the machine's speed here. All other calls are still compared. */
  readonly pagesDiffer?: string;
}

/** The endpoints that change something, or cost something. */
const changing: ReadonlySet<string> = new Set(["createOrder", "extend", "setAutoExtension"]);

/** The time at which each simulator begins. It passes only by `advance`. */
const beginning = new Date("2026-03-01T12:00:00Z");

/** Plays a scenario on each host, with simulators that begin alike, and compares the outcome of each command. */
export async function playOnBoth(
  options: SceneOptions,
  scenario: (scene: Scene) => Promise<void>,
): Promise<void> {
  // If the scenario fails on one host, the other host still plays it to its end before the folders are removed.
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
      const said = await readOutcome(simulator, neutral, log, options);
      const requests = countRequests(simulator, options);
      const spoken = neutral.of([command, ...args].join(" "));
      const resources = command === "preview" ? [] : await readDeclared(stack, neutral);
      const outcome = { command: spoken, exitCode, ...said, requests, resources };
      outcomes.push(outcome);
      return outcome;
    } finally {
      // The SDK's own debug lines in this log contain secrets in plain text.
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
  { spawned = false }: SceneOptions,
): Promise<Omit<Outcome, "command" | "exitCode" | "requests" | "resources">> {
  const { steps, said } = await readEventLog(log);
  const errors = said.filter(({ severity }) => severity === "error");
  // The engine does not wait for a plugin that it attaches to, so that one has no last words.
  const spoken = said
    .filter(({ severity }) => severity !== "error")
    .filter(({ message }) => spawned || !lastWords.test(message));
  return {
    steps: neutral.of(steps.filter(isDeclared).toSorted(byUrn)),
    lines: spoken.flatMap((line) => linesOf(neutral.of(line))).toSorted(),
    refusals: neutral.of(errors.map(({ urn, message }) => `${urn}: ${message.trim()}`).toSorted()),
    spending: spendingOf(simulator),
  };
}

function countRequests(
  simulator: Simulator,
  { readsDiffer, pagesDiffer }: SceneOptions,
): Record<string, number> {
  // The provider reads the balance again only after some time, so the number of reads depends on the machine's speed.
  const counts = Object.entries(simulator.requestCounts()).filter(
    ([name]) => name !== "getBalance",
  );
  const compared = counts
    .filter(([name]) => readsDiffer === undefined || changing.has(name))
    .filter(([name]) => pagesDiffer === undefined || name !== "listProxies");
  return Object.fromEntries(compared);
}

async function readDeclared(stack: Stack, neutral: HostNeutral): Promise<unknown[]> {
  return neutral.of((await readResources(stack)).filter(isDeclared).toSorted(byUrn));
}

const lastWords = /^(The plan, resource by resource|Done in this run):/;

/** A line stands at the same resource on both hosts. */
function linesOf({ urn, message, severity }: Spoken): string[] {
  const lines = message.split("\n").flatMap((line) => line.trim() || []);
  return lines.map((line) => `${urn} ${severity}: ${line}`);
}

type Spoken = EngineEvents["said"][number];

/** Leaves out the engine's own resource for a provider, and the resource that a late value comes from. */
function isDeclared({ urn }: { urn: string }): boolean {
  return !urn.includes("::pulumi:providers:") && urn.search(lateValueTypes) < 0;
}

function byUrn(one: { urn: string }, other: { urn: string }): number {
  return nameIn(one.urn).localeCompare(nameIn(other.urn));
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::"));
}
