/** `npm run sdks -- [--languages python,go] [--out folder]`: writes SDKs of schema.json. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { onThisMachine } from "../cache.ts";
import { checkoutDir } from "../project.ts";
import { schemaPath } from "../schema/schema-file.ts";
import { type Language, languages, writeSdks } from "./codegen.ts";

const { values } = parseArgs({
  options: {
    languages: { type: "string", default: languages.join() },
    out: { type: "string", default: join(checkoutDir, "sdks") },
  },
});

function findLanguage(name: string): Language {
  const found = languages.find((language) => language === name);
  if (found === undefined) throw new Error(`"${name}" is none of ${languages.join(", ")}`);
  return found;
}

try {
  await writeSdks(
    {
      schema: schemaPath,
      folder: values.out,
      languages: values.languages.split(",").map(findLanguage),
    },
    onThisMachine(),
  );
  process.stdout.write(`${values.out}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
