import { join } from "node:path";
import { makePackageSpec } from "../../provider/host/plugin/schema/package-spec.ts";
import { packageVersion } from "../../provider/host/plugin/version.ts";
import { checkoutDir } from "../project.ts";

/** The package's copy of its schema, for people and for tools that do not start the plugin. */
export const schemaPath: string = join(checkoutDir, "schema.json");

/** The text of that file. It is what the plugin answers, so it changes with the resources and with each release. */
export function renderSchema(): string {
  return `${JSON.stringify(makePackageSpec(packageVersion), null, 2)}\n`;
}
