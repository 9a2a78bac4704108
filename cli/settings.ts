import { resolve } from "node:path";
import { type Command, Option } from "commander";
import {
  findStrangeVariables,
  notAVariable,
  type SettingKey,
} from "../provider/host/setting-names.ts";
import { defaultJournalDir, findSetting, type SettingsSource } from "../provider/host/settings.ts";
import { CliError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What the command line may give in place of the environment. There is no flag for the key. */
export interface PlaceFlags {
  baseUrl?: string;
  journalDir?: string;
}

/** Where journals are. */
export interface JournalPlace {
  journalDir: string;
  /** Undefined if nobody said which service. Then all are meant. */
  baseUrl: string | undefined;
}

/** How to reach an account. */
export interface Access extends JournalPlace {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  /** Orders that a person knows to be somebody else's. */
  foreignOrders: ReadonlySet<string>;
}

/** Adds the flags of `PlaceFlags` to a command. */
export function withPlace(command: Command): Command {
  return withJournalDir(
    command.addOption(new Option("--base-url <url>", "URL of the service [PROXYRENTAL_BASE_URL]")),
  );
}

/** Adds the flag that no service needs. */
export function withJournalDir(command: Command): Command {
  return command.addOption(
    new Option("--journal-dir <folder>", "all journals [PROXYRENTAL_JOURNAL_DIR]"),
  );
}

/** Reads where journals are: from the flags, then the environment. No key is needed for that. */
export function readPlace(flags: PlaceFlags, terminal: Terminal): JournalPlace {
  return readAll(flags, terminal, (find) => {
    const { environment } = terminal;
    const { PROXYRENTAL_BASE_URL: baseUrl = "" } = environment;
    const isSaid = (flags.baseUrl ?? baseUrl) !== "";
    return {
      journalDir: find("journalDir") ?? defaultJournalDir(environment),
      baseUrl: isSaid ? find("baseUrl") : undefined,
    };
  });
}

/** Reads how to reach the account: from the flags, then the environment. */
export function readAccess(flags: PlaceFlags, terminal: Terminal): Access {
  return readAll(flags, terminal, (find) => ({
    baseUrl: find("baseUrl"),
    apiKey: find("apiKey"),
    journalDir: find("journalDir") ?? defaultJournalDir(terminal.environment),
    timeoutMs: find("timeoutSeconds") * 1000,
    foreignOrders: find("foreignOrders"),
  }));
}

/** The given flags, to give them again. */
export function repeatFlags({ baseUrl, journalDir }: PlaceFlags): string {
  const given = Object.entries({ "--base-url": baseUrl, "--journal-dir": journalDir });
  return given
    .flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quoteForShell(value)}`]))
    .join("");
}

function quoteForShell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type ValueOf<Key extends SettingKey> = Extract<
  ReturnType<typeof findSetting<Key>>,
  { value: unknown }
>["value"];

const flagOf: Partial<Record<SettingKey, string>> = {
  baseUrl: "--base-url",
  journalDir: "--journal-dir",
};

/** Reads what is asked for. Everything that is wrong is told at once. */
function readAll<Result>(
  { baseUrl, journalDir }: PlaceFlags,
  { environment }: Terminal,
  read: (find: <Key extends SettingKey>(key: Key) => ValueOf<Key>) => Result,
): Result {
  const said: Partial<Record<string, string>> = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    // A shell completes paths from the current folder.
    ...(journalDir === undefined ? {} : { journalDir: resolve(journalDir) }),
  };
  const source: SettingsSource = { config: (key) => said[key], environment };
  const problems = findStrangeVariables(environment).map((name) => `${name} ${notAVariable}`);
  const result = read((key) => {
    const found = findSetting(source, key);
    if ("value" in found) return found.value;
    const { variable, problem, accepted } = found;
    const flag = flagOf[key];
    const names = flag === undefined ? variable : `${variable} (or ${flag})`;
    problems.push(`${names} ${problem}: set it to ${accepted}`);
    // A setting that failed is never used, because the problems are thrown below.
    return undefined as ValueOf<typeof key>;
  });
  if (problems.length > 0) throw new CliError(problems.join("; "));
  return result;
}
