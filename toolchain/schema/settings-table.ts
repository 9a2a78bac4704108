import { join } from "node:path";
import { settingKeys, settingVariables } from "../../provider/host/setting-names.ts";
import { settingSpecs } from "../../provider/host/settings.ts";
import { checkoutDir } from "../project.ts";

/** The registry's page about the settings. */
export const settingsPagePath: string = join(checkoutDir, "docs/installation-configuration.md");

/** The settings as the registry's page lists them. */
export function renderSettings(): string {
  const rows = settingKeys.map((key) => {
    const { description, isSecret } = settingSpecs[key];
    const name = `\`proxyrental:${key}\`${isSecret ? " (secret)" : ""}`;
    return `| ${name} | \`${settingVariables[key]}\` | ${description} |`;
  });
  return ["| setting | environment | meaning |", "| --- | --- | --- |", ...rows, ""].join("\n");
}
