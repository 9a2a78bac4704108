import type { InputFailure } from "../../core/inputs.ts";
import {
  findSetting,
  isSettingKey,
  readSettings,
  type Settings,
  type SettingsSource,
  settingKeys,
  settingSpecs,
} from "../settings.ts";
import type { ReceivedProps } from "./struct.ts";

type Environment = SettingsSource["environment"];

/** What the engine itself writes among a provider's settings. */
const enginesOwn: ReadonlySet<string> = new Set([
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
]);

/**
 * Settings that the state keeps encrypted, however they were given. Nobody can be told to give them otherwise: the
 * engine takes all marks off before it asks.
 */
export const secretSettings: ReadonlySet<string> = new Set(
  settingKeys.filter((key) => settingSpecs[key].isSecret),
);

/** What is wrong with the settings of a provider, all at once; those that are not known yet are left alone. */
export function findSettingFailures(
  given: ReceivedProps,
  environment: Environment,
): InputFailure[] {
  const source = toSource(given, environment);
  const failures: InputFailure[] = [];
  for (const key of settingKeys) {
    if (given.unknown.has(key)) continue;
    const found = findSetting(source, key);
    if ("value" in found) continue;
    const reason = `${found.problem}: set it to ${found.accepted}, as proxyrental:${key} or in ${found.variable}`;
    failures.push({ property: key, reason });
  }
  return [...failures, ...findStrangers(given)];
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

function findStrangers({ raw }: ReceivedProps): InputFailure[] {
  return Object.keys(raw)
    .filter((name) => !isSettingKey(name) && !enginesOwn.has(name) && !name.startsWith("__"))
    .map((property) => ({
      property,
      reason: `is not a setting; accepted: ${settingKeys.join(", ")}`,
    }));
}
