import { readFile, writeFile } from "node:fs/promises";
import { renderSchema, schemaPath } from "./schema-file.ts";
import { renderSettings, settingsPagePath } from "./settings-table.ts";

await writeFile(schemaPath, renderSchema());

const page = await readFile(settingsPagePath, "utf8");
await writeFile(
  settingsPagePath,
  page.replace(/\| setting \|.*\n(\|.*\n)*/, () => renderSettings()),
);
