import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CallObserver } from "../provider/client/index.ts";
import { openCallRecord } from "../provider/host/calls/call-file.ts";
import { readCallSettings } from "../provider/host/calls/call-settings.ts";
import {
  findStrangeVariables,
  notAVariable,
  type SettingKey,
  settingKeys,
} from "../provider/host/setting-names.ts";
import { defaultJournalDir, findSetting, type SettingsSource } from "../provider/host/settings.ts";
import { describeLocation, type JournalLocation } from "../provider/journals/journal-url.ts";
import { CliError } from "./failure.ts";
import { parseGiven } from "./flag-values.ts";
import type { Terminal } from "./terminal.ts";

/** What the command line may give in place of the environment. There is no flag for the key. */
export interface PlaceFlags {
  baseUrl?: string;
  journal?: string;
  journalDir?: string;
}

/** Where journals are. */
export interface JournalPlace {
  location: JournalLocation;
  /** The same, safe to print. */
  place: string;
  /** Undefined if nobody said which service. Then all are meant. */
  baseUrl: string | undefined;
}

/** All that is wrong with the settings. */
export class SettingsError extends CliError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** How to reach an account. */
export interface ServiceAccess {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  /** Orders that a person knows to be somebody else's. */
  foreignOrders: ReadonlySet<string>;
  /** Writes calls down, if that is asked for. */
  observe: CallObserver | undefined;
}

/** How to reach an account, and where its journal is. */
export interface Access extends ServiceAccess, JournalPlace {
  baseUrl: string;
}

/** Adds the flags of `PlaceFlags` to a command. */
export function withPlace(command: Command): Command {
  return withJournal(withBaseUrl(command));
}

/** Adds the flag that names a service. */
export function withBaseUrl(
  command: Command,
  meaning = "URL of the service [PROXYRENTAL_BASE_URL]",
): Command {
  return command.addOption(new Option("--base-url <url>", meaning));
}

/** Adds the flags that no service needs. */
export function withJournal(command: Command): Command {
  return command
    .addOption(
      new Option("--journal <url>", "where all journals are, as a URL [PROXYRENTAL_JOURNAL]"),
    )
    .addOption(
      new Option(
        "--journal-dir <folder>",
        "the same, as a folder [PROXYRENTAL_JOURNAL_DIR]",
      ).argParser(parseGiven("a folder")),
    );
}

/** Reads where journals are: from the flags, then the environment. No key is needed for that. */
export function readPlace(flags: PlaceFlags, terminal: Terminal): JournalPlace {
  return readAll(flags, terminal, (find) => ({
    ...findPlace(find, terminal),
    baseUrl: findBaseUrl(find, flags, terminal),
  }));
}

/** Reads which service a flag names; undefined if none does. The environment does not count. */
export function readGivenBaseUrl({ baseUrl }: Pick<PlaceFlags, "baseUrl">): string | undefined {
  if (baseUrl === undefined) return undefined;
  return readAll({ baseUrl }, { environment: {} }, (find) => find("baseUrl"));
}

/** Reads how to reach the account, and where its journal is: from the flags, then the environment. */
export function readAccess(flags: PlaceFlags, terminal: Terminal): Access {
  return readAll(flags, terminal, (find) => findAccess(find, terminal));
}

/** The same, if also every setting is right that the tool itself does not use. */
export function readAccessStrictly(flags: PlaceFlags, terminal: Terminal): Access {
  return readAll(flags, terminal, (find) => {
    for (const key of settingKeys) find(key);
    return findAccess(find, terminal);
  });
}

/** Reads how to reach the account, for a command that needs no journal. */
export function readServiceAccess(
  { baseUrl }: Pick<PlaceFlags, "baseUrl">,
  terminal: Terminal,
): ServiceAccess {
  const flags = baseUrl === undefined ? {} : { baseUrl };
  return readAll(flags, terminal, (find) => findService(find, terminal));
}

/** The given flags, to give them again. */
export function repeatFlags({ baseUrl, journal, journalDir }: PlaceFlags): string {
  const given = Object.entries({
    ...{ "--base-url": baseUrl, "--journal": journal, "--journal-dir": journalDir },
  });
  return given
    .flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quoteForShell(value)}`]))
    .join("");
}

/** A text as a shell takes it for one word. */
export function quoteForShell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type ValueOf<Key extends SettingKey> = Extract<
  ReturnType<typeof findSetting<Key>>,
  { value: unknown }
>["value"];

type Find = <Key extends SettingKey>(key: Key) => ValueOf<Key>;

function findAccess(find: Find, terminal: Terminal): Access {
  return { ...findService(find, terminal), ...findPlace(find, terminal) };
}

function findService(find: Find, { environment, writeError }: Terminal): ServiceAccess {
  const baseUrl = find("baseUrl");
  const apiKey = find("apiKey");
  const warn = (message: string) => writeError(`warning: ${message}\n`);
  const { calls } = readCallSettings(environment);
  return {
    ...{ baseUrl, apiKey, observe: openCallRecord(calls, { apiKey, warn }) },
    timeoutMs: find("timeoutSeconds") * 1000,
    foreignOrders: find("foreignOrders"),
  };
}

/** A shell completes paths from the current folder. A URL is no folder, and is refused as none. */
function resolveFolder(given: string): string {
  return given.includes("://") ? given : resolve(given);
}

/** The environment may name a place in two ways too. Then nobody knows which one is meant. */
function findPlace(
  find: Find,
  { environment }: Terminal,
): Pick<JournalPlace, "location" | "place"> {
  const journal = find("journal");
  const journalDir = find("journalDir");
  if (journal !== undefined && journalDir !== undefined) {
    throw new CliError(
      "PROXYRENTAL_JOURNAL and PROXYRENTAL_JOURNAL_DIR are both set: set one of them, or give --journal or --journal-dir",
    );
  }
  const folder = journalDir ?? defaultJournalDir(environment);
  const location: JournalLocation = journal ?? { kind: "file", folder };
  return { location, place: describeLocation(location) };
}

function findBaseUrl(find: Find, flags: PlaceFlags, { environment }: Terminal): string | undefined {
  const { PROXYRENTAL_BASE_URL: baseUrl = "" } = environment;
  return (flags.baseUrl ?? baseUrl) === "" ? undefined : find("baseUrl");
}

const flagOf: Partial<Record<SettingKey, string>> = {
  baseUrl: "--base-url",
  journal: "--journal",
  journalDir: "--journal-dir",
};

/** Reads what is asked for. Everything that is wrong is told at once. */
function readAll<Result>(
  { baseUrl, journal, journalDir }: PlaceFlags,
  { environment: given }: Pick<Terminal, "environment">,
  read: (find: Find) => Result,
): Result {
  if (journal !== undefined && journalDir !== undefined) {
    throw new CliError("--journal and --journal-dir both say where the journals are: give one");
  }
  const isPlaceGiven = journal !== undefined || journalDir !== undefined;
  const said: Partial<Record<string, string>> = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(journal === undefined ? {} : { journal }),
    ...(journalDir === undefined ? {} : { journalDir: resolveFolder(journalDir) }),
  };
  const environment = isPlaceGiven ? withoutPlace(given) : given;
  const source: SettingsSource = { config: (key) => said[key], environment };
  const problems = new Set([
    ...findStrangeVariables(environment).map((name) => `${name} ${notAVariable}`),
    ...readCallSettings(environment).problems,
  ]);
  const find: Find = (key) => {
    const found = findSetting(source, key);
    if ("value" in found) return found.value;
    const { variable, problem, accepted, reason } = found;
    const flag = flagOf[key];
    const names = flag === undefined ? variable : `${variable} (or ${flag})`;
    const why = reason === undefined ? "" : ` (${reason})`;
    const unseen =
      problem === "is missing" ? ` (${key} of \`pulumi config\` is not seen here)` : "";
    problems.add(`${names} ${problem}${why}: set it to ${accepted}${unseen}`);
    // A setting that failed is never used, because the problems are thrown below.
    return undefined as ValueOf<typeof key>;
  };
  const result = readCarefully(() => read(find), problems);
  if (result === undefined || problems.size > 0) throw new SettingsError([...problems]);
  return result.value;
}

/** Settings that contradict each other are one more problem. */
function readCarefully<Result>(
  read: () => Result,
  problems: Set<string>,
): { value: Result } | undefined {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    problems.add(error.message);
    return undefined;
  }
}

/** A flag says where the journals are: then no variable says it. */
function withoutPlace(environment: Terminal["environment"]): Terminal["environment"] {
  const { PROXYRENTAL_JOURNAL: _url, PROXYRENTAL_JOURNAL_DIR: _folder, ...rest } = environment;
  return rest;
}
