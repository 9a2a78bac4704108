import { readCallSettings } from "../calls/call-settings.ts";
import {
  findStrangeSettings,
  findStrangeVariables,
  notASetting,
  notAVariable,
  settingKeys,
} from "../setting-names.ts";
import {
  findSetting,
  readSettings,
  type Settings,
  type SettingsSource,
  settingSpecs,
} from "../settings.ts";
import type { ReceivedProps } from "./struct.ts";

type Environment = SettingsSource["environment"];

/**
 * Settings that the state keeps encrypted, however they were given. The provider can't ask for another form, because
 * the engine takes all marks off before it calls.
 */
export const secretSettings: ReadonlySet<string> = new Set(
  settingKeys.filter((key) => settingSpecs[key].isSecret),
);

/**
 * What is wrong with the settings of a provider, all at once. Settings that are not known yet are skipped. Each sentence
 * names its setting itself: of a property of which a failure is reported, the engine shows the value, which may be a key, or a
 * URL with a password in it.
 */
export function findSettingFailures(given: ReceivedProps, environment: Environment): string[] {
  const source = toSource(given, environment);
  const failures: string[] = [];
  for (const key of settingKeys) {
    if (given.unknown.has(key)) continue;
    const found = findSetting(source, key);
    if ("value" in found) continue;
    const { problem, accepted, reason: why, variable, isOfVariable } = found;
    const subject = isOfVariable ? variable : `proxyrental:${key}`;
    const because = why === undefined ? "" : ` (${why})`;
    failures.push(
      `${subject} ${problem}${because}: set it to ${accepted}, as proxyrental:${key} or in ${variable}`,
    );
  }
  const strangers = findStrangeSettings(Object.keys(given.raw));
  failures.push(...strangers.map((name) => `proxyrental:${name} ${notASetting}`));
  const variables = findStrangeVariables(environment);
  failures.push(...variables.map((name) => `${name} ${notAVariable}`));
  return failures.concat(readCallSettings(environment).problems);
}

/** The settings of a provider whose settings were checked. */
export function toSettings(given: ReceivedProps, environment: Environment): Settings {
  return readSettings(toSource(given, environment));
}

function toSource({ known }: ReceivedProps, environment: Environment): SettingsSource {
  return {
    config: (key) => {
      const value = known[key] ?? undefined;
      return value === undefined || typeof value === "string" ? value : String(value);
    },
    environment,
  };
}
