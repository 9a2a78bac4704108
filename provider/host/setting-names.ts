/**
 * The environment variable of each setting. No schemas are used here, so that a program that only declares resources
 * can ask too.
 */
export const settingVariables = {
  baseUrl: "PROXYRENTAL_BASE_URL",
  apiKey: "PROXYRENTAL_API_KEY",
  maxSpend: "PROXYRENTAL_MAX_SPEND",
  monthlyBudget: "PROXYRENTAL_MONTHLY_BUDGET",
  goneOrders: "PROXYRENTAL_GONE_ORDERS",
  foreignOrders: "PROXYRENTAL_FOREIGN_ORDERS",
  lookBackMinutes: "PROXYRENTAL_LOOK_BACK_MINUTES",
  journal: "PROXYRENTAL_JOURNAL",
  journalDir: "PROXYRENTAL_JOURNAL_DIR",
  journalScope: "PROXYRENTAL_JOURNAL_SCOPE",
  previewBindsMinutes: "PROXYRENTAL_PREVIEW_BINDS_MINUTES",
  settlingSeconds: "PROXYRENTAL_SETTLING_SECONDS",
  showBalance: "PROXYRENTAL_SHOW_BALANCE",
  onDeleteFailure: "PROXYRENTAL_ON_DELETE_FAILURE",
  timeoutSeconds: "PROXYRENTAL_TIMEOUT_SECONDS",
} as const;

/**
 * What only the environment can set. It is about one run of one person. In a stack's configuration it would also end up in
 * the engine's state.
 */
export const environmentVariables = {
  calls: "PROXYRENTAL_CALLS",
  callsBodies: "PROXYRENTAL_CALLS_BODIES",
} as const;

/** The name of a setting, without its namespace. */
export type SettingKey = keyof typeof settingVariables;

/** The names of all settings, without their namespace. */
export const settingKeys = Object.keys(settingVariables) as readonly SettingKey[];

/** What Pulumi itself writes among the settings of a provider. */
const pulumisOwn: ReadonlySet<string> = new Set([
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
]);

/** Variables that begin like ours and are no settings. They are for the tests of this package. */
const toolVariables: ReadonlySet<string> = new Set(["PROXYRENTAL_TOOLCHAIN_SKIP"]);

/** The variables that are read. */
const variables: readonly string[] = [
  ...Object.values(settingVariables),
  ...Object.values(environmentVariables),
];

/** Completes the name of a setting that does not exist. A limit with a wrong name would limit nothing. */
export const notASetting = `is not a setting; accepted: ${settingKeys.join(", ")}`;

/** Completes the name of a variable that does not exist. */
export const notAVariable = `is not read; accepted: ${variables.join(", ")}`;

/** Which of these names, without their namespace, are no settings. */
export function findStrangeSettings(names: readonly string[]): string[] {
  return names.filter(
    (name) =>
      !Object.hasOwn(settingVariables, name) && !pulumisOwn.has(name) && !name.startsWith("__"),
  );
}

/** Which variables look like settings, and are none. Windows does not tell capitals from small letters. */
export function findStrangeVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.keys(environment).filter((name) => {
    const meant = name.toUpperCase();
    if (!meant.startsWith("PROXYRENTAL_") || toolVariables.has(meant)) return false;
    return !variables.includes(meant) || environment[meant] !== environment[name];
  });
}
