/** `npm run schema:examples`: writes the programs of this folder in every language, for the schema. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { onThisMachine } from "../cache.ts";
import { checkoutDir } from "../project.ts";
import { writePrograms } from "../sdks/codegen.ts";
import { renderSchema } from "./schema-file.ts";

const folder = fileURLToPath(new URL("./programs/", import.meta.url));
const target = join(checkoutDir, "provider/host/plugin/schema/examples.ts");

const sources: Record<string, string> = {};
for (const file of (await readdir(folder)).toSorted()) {
  sources[basename(file, ".yaml")] = await readFile(join(folder, file), "utf8");
}

// What is new is not in the file of the schema: that file has the examples.
const schema = join(await mkdtemp(join(tmpdir(), "proxyrental-schema-")), "schema.json");
await writeFile(schema, renderSchema());
const written = await writePrograms(schema, sources, onThisMachine());
await rm(dirname(schema), { recursive: true });

const examples = Object.entries(sources).map(([name, source]) => {
  const [, title = "", yaml = ""] = /^# (.+)\n([\s\S]*)$/.exec(source) ?? [];
  const { typescript, python, go, csharp, java } = written[name] ?? {};
  return [name, { title, programs: { typescript, python, go, csharp, java, yaml } }];
});

await writeFile(
  target,
  `/** Written by \`npm run schema:examples\`: how a program uses each resource and function, in every language. */
export const examples = ${JSON.stringify(Object.fromEntries(examples), null, 2)};
`,
);
await execa("biome", ["check", "--write", target], { preferLocal: true, localDir: checkoutDir });
