import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

/** How far up the CLI may be: a language host and a shell may stand between. */
const MOST_PARENTS = 4;

/** A command of the CLI. */
interface PolicyCommand {
  /** The words of its command line. */
  words: readonly string[];
  /** Its folder. */
  cwd: string;
}

/**
 * The names in the config file that this run's command gives to the pack in `packDir`; none where that can't be seen. The
 * engine keeps the file to itself until it has judged each level, and of a name that no policy has it says `invalid
 * enforcement level ""`. Linux shows the command line to everybody; elsewhere nothing is known.
 */
export function readConfiguredNames(packDir: string, find = findCommand): string[] {
  try {
    const { words = [], cwd = "" } = find() ?? {};
    const configs = valuesOf("--policy-pack-config", words);
    const at = valuesOf("--policy-pack", words).findIndex(
      (pack) => realpathSync(resolve(cwd, pack)) === realpathSync(packDir),
    );
    const config = configs[at];
    if (config === undefined) return [];
    return Object.keys(JSON.parse(readFileSync(resolve(cwd, config), "utf8")));
  } catch {
    // What is wrong with the files themselves, the engine says.
    return [];
  }
}

function valuesOf(flag: string, words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
    return word === flag ? (words[at + 1] ?? []) : [];
  });
}

function findCommand(): PolicyCommand | undefined {
  let pid = process.ppid;
  for (let seen = 0; seen < MOST_PARENTS && pid > 1; seen++) {
    const [program = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (/(^|\/)pulumi$/.test(program)) return { words, cwd: readlinkSync(`/proc/${pid}/cwd`) };
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program is in brackets and may hold anything. State and parent come after it.
    pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  }
  return undefined;
}
