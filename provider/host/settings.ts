import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { LEAST_KEY_LENGTH } from "../client/index.ts";
import type { AccountSettings } from "../core/account.ts";
import { JournalError } from "../core/ports.ts";
import { ProxyRentalError } from "../core/values/errors.ts";
import {
  type JournalLocation,
  parseJournalUrl,
  type SharedLocation,
} from "../journals/journal-url.ts";
import { type CallSettings, readCallSettings } from "./calls/call-settings.ts";
import {
  findStrangeVariables,
  notAVariable,
  type SettingKey,
  settingVariables,
} from "./setting-names.ts";

/** How to reach an account, and what a run may do with it. */
export interface Settings extends AccountSettings {
  baseUrl: string;
  apiKey: string;
  /** Where purchases are written ahead, on this machine. */
  journalDir: string;
  /** Where they are instead, if machines share a journal. */
  sharedJournal: SharedLocation | undefined;
  /** Tells stacks apart that share a name and a journal. */
  journalScope: string;
  /** For how long a preview binds. */
  previewBindsMs: number;
  /** Where each call is written down; undefined if nowhere. */
  calls: CallSettings | undefined;
}

/** Where a setting's text comes from: the stack's configuration, then the environment. */
export interface SettingsSource {
  /** By key without its namespace, for instance `baseUrl`. */
  config(key: string): string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Plain decimals only. Another spelling of a number, or a blank, is more likely a mistake than a limit. */
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);

const amount = decimal.pipe(z.number().min(0));

const list = z.string().transform(
  (text) =>
    new Set(
      text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    ),
);

/** Marks what was written for people. The schemas' own words are not. */
const TOLD = "told";

/** What is wrong, for people. It repeats no part of what was given, which may be a secret. */
function tell(error: string): { error: string; params: Record<typeof TOLD, true>; abort: true } {
  return { error, params: { [TOLD]: true }, abort: true };
}

/** Whether a URL has no part that would be lost, or that may be a secret and would stand in messages. */
function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "");
}

/** Every setting: how it is read, what is accepted, and what it means. */
const table = {
  baseUrl: {
    schema: z
      .string()
      .refine(
        (url) => /^https?:\/\//i.test(url),
        tell("it does not begin with https:// or http://"),
      )
      .pipe(z.url({ protocol: /^https?$/ }))
      .refine(isPlain, tell("it has a user name, a password, a query or a fragment")),
    accepted: "the service's URL, like https://api.example.com",
    description: "URL of the service. Required.",
    type: "string",
    isSecret: false,
  },
  apiKey: {
    schema: z
      .string()
      .refine(
        (key) => key.length >= LEAST_KEY_LENGTH,
        tell(`a key has at least ${LEAST_KEY_LENGTH} characters`),
      ),
    accepted: "the account's API key",
    description: "The account's API key. Required.",
    type: "string",
    isSecret: true,
  },
  maxSpend: {
    schema: amount.optional(),
    accepted: "an amount in account currency, at least 0",
    description: "The most that one run may spend, in account currency. Default: the balance.",
    type: "number",
    isSecret: false,
  },
  monthlyBudget: {
    schema: amount.optional(),
    accepted: "an amount in account currency, at least 0",
    description:
      "The most that the account may spend in a calendar month (UTC), in account currency, over all runs and machines that share the journal. Default: none.",
    type: "number",
    isSecret: false,
  },
  goneOrders: {
    schema: list.default(new Set()),
    accepted: "order numbers, separated by commas",
    description:
      "Order numbers, or ids of single proxies (`ipAddressId`), separated by commas, that you declare gone (refunded, cancelled by support); refused while they are listed and paid. Default: none.",
    type: "string",
    isSecret: false,
  },
  foreignOrders: {
    schema: list.default(new Set()),
    accepted: "order numbers, separated by commas",
    description:
      "Orders, separated by commas, that are somebody else's; they stop no purchase. Default: none.",
    type: "string",
    isSecret: false,
  },
  lookBackMinutes: {
    schema: decimal.pipe(z.number().min(0).max(10_080)).default(30),
    accepted: "minutes from 0 (off) to 10080",
    description:
      "For how many minutes back an unknown order stops a purchase like it, 0 (off) to 10080. Default: 30.",
    type: "number",
    isSecret: false,
  },
  journal: {
    schema: z
      .string()
      .transform((url, context) => readJournalUrl(url, context))
      .optional(),
    accepted:
      "file:///folder, s3://bucket/prefix, gs://bucket/prefix, azblob://container/prefix or postgres://user@host/database",
    description:
      "Where purchases are written down before they are sent: `file:///folder`, `s3://bucket/prefix`, `gs://bucket/prefix`, `azblob://container/prefix` or `postgres://user@host/database`. Machines that share it never buy twice. Credentials come from the environment. Default: the folder of `journalDir`.",
    type: "string",
    isSecret: false,
  },
  journalDir: {
    schema: z.string().refine(isAbsolute).optional(),
    accepted: "an absolute path of a folder",
    description:
      "Folder in which purchases are written down before they are sent, an absolute path. Default: `pulumi-proxyrental/journal` in `XDG_STATE_HOME`, else in `~/.local/state`.",
    type: "string",
    isSecret: false,
  },
  journalScope: {
    schema: z
      .string()
      .regex(/^[\w./-]{1,100}$/)
      .optional(),
    accepted: "up to 100 letters, digits and _./-",
    description:
      "Tells stacks apart that have one name and share a journal, like those of two backends or organisations. Default: none.",
    type: "string",
    isSecret: false,
  },
  previewBindsMinutes: {
    schema: decimal.pipe(z.number().min(1).max(10_080)).default(120),
    accepted: "minutes from 1 to 10080",
    description:
      "For how many minutes a purchase must be as the newest preview showed it, 1 to 10080. Default: 120.",
    type: "number",
    isSecret: false,
  },
  settlingSeconds: {
    schema: decimal.pipe(z.number().min(1).max(3600)).default(60),
    accepted: "seconds from 1 to 3600",
    description:
      "For how many seconds the account is watched after an answer was lost, 1 to 3600. Default: 60.",
    type: "number",
    isSecret: false,
  },
  showBalance: {
    schema: flag.default(true),
    accepted: "true or false",
    description:
      "`false` keeps the balance, and what is spent of a monthly budget, out of quotes, so out of state and plans. Default: `true`.",
    type: "boolean",
    isSecret: false,
  },
  onDeleteFailure: {
    schema: z.enum(["fail", "abandon"]).default("fail"),
    accepted: "fail or abandon",
    description:
      "What a delete does when auto-extension can't be switched off: `fail`, or `abandon`, which leaves it on and costing money. Default: `fail`.",
    type: "string",
    isSecret: false,
  },
  timeoutSeconds: {
    schema: decimal.pipe(z.number().min(1).max(600)).default(30),
    accepted: "seconds from 1 to 600",
    description: "Deadline of one call with its retries, in seconds, 1 to 600. Default: 30.",
    type: "number",
    isSecret: false,
  },
} as const satisfies Record<SettingKey, SettingSpec & { schema: z.ZodType }>;

type Table = typeof table;

/**
 * Settings for which an empty variable does no harm: an empty list lists nothing, and without the others nothing is
 * done at all. An empty limit would limit nothing, and an empty folder would be another folder.
 */
const mayBeEmpty: ReadonlySet<SettingKey> = new Set([
  ...(["goneOrders", "foreignOrders"] as const),
  ...(["baseUrl", "apiKey"] as const),
]);

/** What a user is told of a setting. */
export interface SettingSpec {
  /** Meaning, unit and default. */
  description: string;
  /** Its type in a typed language. */
  type: "string" | "number" | "boolean";
  /** Whether it must be secret in a stack's configuration. */
  isSecret: boolean;
  /** Completes "set it to …". */
  accepted: string;
}

/** Every setting by its name, as users are told. */
export const settingSpecs: Readonly<Record<SettingKey, SettingSpec>> = table;

/** One setting as it was given, or what is wrong with it. */
export type FoundSetting<Key extends SettingKey> =
  | { value: z.output<Table[Key]["schema"]> }
  | {
      problem: "is missing" | "is empty" | "is not accepted";
      accepted: string;
      /** Why it is not accepted, where that can be said. */
      reason: string | undefined;
      /** The environment variable in which it may be set. */
      variable: string;
      /** Whether that variable is wrong. */
      isOfVariable: boolean;
    };

/**
 * Finds one setting. What was given is not repeated, because it may be the key. An empty text is refused: it may hide
 * what is set elsewhere, or somebody may believe that a limit is set.
 */
export function findSetting<Key extends SettingKey>(
  { config, environment }: SettingsSource,
  key: Key,
): FoundSetting<Key> {
  const { schema, accepted } = table[key];
  const variable = settingVariables[key];
  const configured = config(key);
  const isUnset = environment[variable] === "" && mayBeEmpty.has(key);
  const given = configured ?? (isUnset ? undefined : environment[variable]);
  const isOfVariable = configured === undefined && given !== undefined;
  const refuse = (problem: "is missing" | "is empty" | "is not accepted", reason?: string) => ({
    ...{ problem, accepted, reason, variable, isOfVariable },
  });
  if (given === "") return refuse("is empty");
  const parsed = schema.safeParse(given);
  if (parsed.success) return { value: parsed.data as z.output<Table[Key]["schema"]> };
  const told = parsed.error.issues.find(
    (issue) => issue.code === "custom" && issue.params?.[TOLD] === true,
  );
  return refuse(given === undefined ? "is missing" : "is not accepted", told?.message);
}

/** Reads all settings, or throws one sentence that names all wrong ones. The key itself is never repeated. */
export function readSettings(source: SettingsSource): Settings {
  const strangers = findStrangeVariables(source.environment);
  const recording = readCallSettings(source.environment);
  const problems = strangers.map((name) => `${name} ${notAVariable}`).concat(recording.problems);
  let isAnyMissing = false;
  function read<Key extends SettingKey>(key: Key): z.output<Table[Key]["schema"]> {
    const found = findSetting(source, key);
    if ("value" in found) return found.value;
    const { problem, accepted, reason, variable, isOfVariable } = found;
    const subject = isOfVariable ? variable : `proxyrental:${key}`;
    const flags = settingSpecs[key].isSecret ? "--secret " : "";
    const explained = reason === undefined ? "" : ` (${reason})`;
    isAnyMissing ||= problem === "is missing";
    problems.push(
      `${subject} ${problem}${explained}: set it to ${accepted} with \`pulumi config set ${flags}proxyrental:${key} …\` or in ${variable}`,
    );
    // A setting that failed is never used, because the problems are thrown below.
    return undefined as z.output<Table[Key]["schema"]>;
  }

  const journal = read("journal");
  const journalDir = read("journalDir");
  if (journal !== undefined && journalDir !== undefined) {
    const names = (["journal", "journalDir"] as const).map((key) =>
      source.config(key) === undefined ? settingVariables[key] : `proxyrental:${key}`,
    );
    problems.push(`${names.join(" and ")} are both set: set one of them`);
  }
  const settings: Settings = {
    baseUrl: read("baseUrl"),
    apiKey: read("apiKey"),
    maxSpend: read("maxSpend"),
    monthlyBudget: read("monthlyBudget"),
    goneOrders: read("goneOrders"),
    foreignOrders: read("foreignOrders"),
    lookBackMinutes: read("lookBackMinutes"),
    journalDir:
      journal?.kind === "file"
        ? journal.folder
        : (journalDir ?? defaultJournalDir(source.environment)),
    sharedJournal: journal?.kind === "file" ? undefined : journal,
    isJournalAtRisk:
      journal === undefined && journalDir === undefined && isInCi(source.environment),
    journalScope: read("journalScope") ?? "",
    previewBindsMs: read("previewBindsMinutes") * 60_000,
    showBalance: read("showBalance"),
    onDeleteFailure: read("onDeleteFailure"),
    timeoutMs: read("timeoutSeconds") * 1000,
    settlingMs: read("settlingSeconds") * 1000,
    calls: recording.calls,
  };
  if (problems.length === 0) return settings;
  // The engine gives a refresh the configuration of the last `up`.
  const hint = isAnyMissing
    ? " (A refresh does not see what was configured after the last `up`, if there was one: then leave the refresh out once.)"
    : "";
  throw new ProxyRentalError(
    "CONFIGURATION_INVALID",
    `${problems.join("; ")}. Nothing was bought.${hint}`,
  );
}

/** What is wrong with a URL is said in a sentence that repeats no part of it that may be a secret. */
function readJournalUrl(url: string, context: z.RefinementCtx): JournalLocation {
  try {
    return parseJournalUrl(url);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    context.addIssue({ code: "custom", message: error.message, params: { [TOLD]: true } });
    return z.NEVER;
  }
}

/** Whether this machine says that it serves continuous integration, by the variable that all its products set. */
function isInCi({ CI = "" }: SettingsSource["environment"]): boolean {
  return !["", "0", "false"].includes(CI.toLowerCase());
}

/** The user's folder for data that outlives a run, by the XDG convention. */
export function defaultJournalDir(environment: SettingsSource["environment"]): string {
  const { XDG_STATE_HOME: stateHome = "" } = environment;
  const base = isAbsolute(stateHome) ? stateHome : join(homedir(), ".local", "state");
  return join(base, "pulumi-proxyrental", "journal");
}
