import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Phase, RunIdentity } from "../../core/ports.ts";

/** What the command line tells about a run. */
export interface CliCommand {
  command: RunIdentity["command"];
  /** `unknown` if the command has more than one phase. */
  phase: Phase;
  /** See `RunIdentity`. */
  appliesPlanFile?: boolean;
  /** Names the process by its machine, its number and its start: numbers are used again, and containers begin with 1. */
  commandId?: string | undefined;
}

/** A process as the machine shows it. */
interface SeenProcess {
  parent: number;
  /** When it began, in any unit. */
  began: string;
  /** The words of its command line. */
  words: readonly string[];
}

/** How far up the CLI may be. Dynamic providers and linked commands are started through a shell. */
const MOST_PARENTS = 4;

const nobody: CliCommand = { command: undefined, phase: "unknown" };

/** Flags of `pulumi` and of `pulumi up` whose value is the next word. Where a value may be left out, it is never that. */
const flagsWithValue: ReadonlySet<string> = new Set([
  ...["--cwd", "-C", "--color", "--tracing", "--tracing-header", "--otel", "--profiling"],
  ...["--memprofilerate", "--verbose", "-v", "--stack", "-s", "--config-file", "--config", "-c"],
  ...["--secrets-provider", "--client", "--message", "-m", "--target", "-t", "--exclude"],
  ...["--replace", "--target-replace", "--policy-pack", "--policy-pack-config", "--parallel"],
  ...["-p", "--plan", "--event-log", "--exec-kind", "--exec-agent"],
]);

/** Parses the command line of the CLI, without the program's own name. */
export function parseCliCommand(words: readonly string[]): CliCommand {
  const { names, flags } = tellApart(words);
  const [command, template] = names;
  if (command === "preview" || command === "pre") return { command: "preview", phase: "preview" };
  if (command !== "up" && command !== "update") return { command: "other", phase: "unknown" };
  const skips = flags.findLast(({ name }) => name === "--skip-preview" || name === "-f");
  const plan = flags.findLast(({ name }) => name === "--plan");
  // The CLI applies no plan file of an empty name, and none to a program that it makes of a template.
  const appliesPlanFile = template === undefined && (plan?.value ?? "") !== "";
  return {
    command: "up",
    phase:
      skips !== undefined && /^(true|t|1)$/i.test(skips.value ?? "true") ? "update" : "unknown",
    ...(appliesPlanFile && { appliesPlanFile }),
  };
}

/** A flag as it was given. Without a value it is `true`, or what the CLI takes it for. */
interface Flag {
  name: string;
  value: string | undefined;
}

/** Tells flags with their values from all other words, as the CLI does. */
function tellApart(words: readonly string[]): { names: string[]; flags: Flag[] } {
  const left = words.values();
  const names: string[] = [];
  const flags: Flag[] = [];
  const takeNext = () => left.next().value;
  for (const word of left) {
    if (word === "--") names.push(...left);
    else if (!/^-./.test(word)) names.push(word);
    else if (word.startsWith("--")) flags.push(readLong(word, takeNext));
    else flags.push(...readShort(word, takeNext));
  }
  return { names, flags };
}

function readLong(word: string, takeNext: () => string | undefined): Flag {
  const [, name = word, value] = /^(.+?)=(.*)$/s.exec(word) ?? [];
  return { name, value: value ?? (flagsWithValue.has(name) ? takeNext() : undefined) };
}

/** Short flags may be joined, as in `-yf`. One that has a value ends the word. */
function readShort(word: string, takeNext: () => string | undefined): Flag[] {
  const flags: Flag[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`;
    const rest = word.slice(at + 1);
    if (rest.startsWith("=")) return [...flags, { name, value: rest.slice(1) }];
    if (flagsWithValue.has(name)) return [...flags, { name, value: rest || takeNext() }];
    flags.push({ name, value: undefined });
  }
  return flags;
}

/**
 * Looks for the CLI among the parents of this process, and reads its command line. Linux shows it to everybody; on
 * other systems nothing is known.
 */
export function findCliCommand(
  parent: number = process.ppid,
  look: (pid: number) => SeenProcess | undefined = lookAtProcess,
): CliCommand {
  let pid = parent;
  for (let seen = 0; seen < MOST_PARENTS && pid > 1; seen++) {
    const found = look(pid);
    if (found === undefined) return nobody;
    const [program = "", ...words] = found.words;
    if (/(^|[\\/])pulumi(\.exe)?$/.test(program)) {
      return { ...parseCliCommand(words), commandId: `${hostname()}-${pid}-${found.began}` };
    }
    pid = found.parent;
  }
  return nobody;
}

function lookAtProcess(pid: number): SeenProcess | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program is in brackets and may hold anything. State and parent come after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), began: fields[19] ?? "", words };
  } catch {
    return undefined;
  }
}
