import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { checkoutDir } from "./project.ts";

// The package is ES modules, which every supported Node.js can `require`. A compiler that checks a CommonJS file by
// Node.js's older rules refuses them all the same. So each entry point also exists as CommonJS: one line of code that
// requires the module, and copies of the declarations that it shows.

const entrySchema = z.object({
  types: z.string(),
  default: z.string(),
  require: z.object({ types: z.string(), default: z.string() }),
});

const manifestSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), entrySchema])),
});

/** Where the CommonJS side of the package is. */
const REQUIRE_DIR = "dist/require";

const { exports } = manifestSchema.parse(
  JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8")),
);

const copied = new Set<string>();

/** Copies a declaration file of `dist`, and all those that it imports. */
async function copyDeclarations(path: string): Promise<void> {
  if (copied.has(path)) return;
  copied.add(path);
  const text = await readFile(join(checkoutDir, path), "utf8");
  await write(path.replace(/^dist\//, `${REQUIRE_DIR}/`), text);
  for (const [, imported = ""] of text.matchAll(/(?:from |import\(|import )"(\.[^"]+)\.ts"/g)) {
    await copyDeclarations(`${join(dirname(path), imported)}.d.ts`);
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(checkoutDir, path)), { recursive: true });
  await writeFile(join(checkoutDir, path), text);
}

await write(`${REQUIRE_DIR}/package.json`, `${JSON.stringify({ type: "commonjs" })}\n`);
for (const entry of Object.values(exports)) {
  if (typeof entry === "string") continue;
  const { require, types, default: code } = entry;
  await copyDeclarations(join(types));
  const path = relative(dirname(require.default), code).replaceAll("\\", "/");
  await write(require.default, `module.exports = require(${JSON.stringify(path)});\n`);
}
