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

/** Flags of `pulumi` and of `pulumi up` whose value may be the next word. */
const flagsWithValue: ReadonlySet<string> = new Set([
  ...["--cwd", "-C", "--color", "--tracing", "--tracing-header", "--otel", "--profiling"],
  ...["--memprofilerate", "--verbose", "-v", "--stack", "-s", "--config-file", "--config", "-c"],
  ...["--secrets-provider", "--client", "--message", "-m", "--target", "-t", "--exclude"],
  ...["--replace", "--target-replace", "--policy-pack", "--policy-pack-config", "--parallel"],
  ...["-p", "--suppress-permalink", "--attach-debugger", "--plan", "--event-log", "--exec-kind"],
  "--exec-agent",
]);

/** Parses the command line of the CLI, without the program's own name. */
export function parseCliCommand(words: readonly string[]): CliCommand {
  const said = words.filter((_, at) => !flagsWithValue.has(words[at - 1] ?? ""));
  const command = said.find((word) => !word.startsWith("-"));
  if (command === "preview" || command === "pre") return { command: "preview", phase: "preview" };
  if (command !== "up" && command !== "update") return { command: "other", phase: "unknown" };
  return {
    command: "up",
    phase: said.some(skipsPreview) ? "update" : "unknown",
    ...(namesPlanFile(words) && { appliesPlanFile: true }),
  };
}

/** The CLI applies none where the name is empty. Of several names it takes the last one. */
function namesPlanFile(words: readonly string[]): boolean {
  const isValue = (at: number) => flagsWithValue.has(words[at - 1] ?? "");
  const names = words.flatMap((word, at) => {
    if (isValue(at)) return [];
    return word === "--plan" ? (words[at + 1] ?? "") : (/^--plan=(.*)$/s.exec(word)?.[1] ?? []);
  });
  return (names.at(-1) ?? "") !== "";
}

/** Short flags may be joined, as in `-yf`. A flag that takes a value ends such a word. */
function skipsPreview(word: string): boolean {
  return /^--skip-preview(=(true|t|1))?$/i.test(word) || /^-[dyjQe]*f[dyjQe]*$/.test(word);
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
