import { join } from "node:path";
import { makePackageSpec } from "../../provider/host/plugin/schema/package-spec.ts";
import { packageVersion } from "../../provider/host/plugin/version.ts";
import { checkoutDir } from "../project.ts";

/** Where the package keeps its schema for people and tools that have not started the plugin. */
export const schemaPath: string = join(checkoutDir, "schema.json");

/** What stands there: what the plugin answers, which changes with what it offers and with a release. */
export function renderSchema(): string {
  return `${JSON.stringify(makePackageSpec(packageVersion), null, 2)}\n`;
}
