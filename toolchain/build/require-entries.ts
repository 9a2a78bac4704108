import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { checkoutDir } from "../project.ts";
import type { Imported } from "./published-package.ts";

/** Where the CommonJS side of the package is. */
const REQUIRE_DIR = "dist/require";

/**
 * The package is ES modules, which every supported Node.js can `require`. A compiler that checks a CommonJS file by
 * Node.js's older rules refuses them all the same. So each entry also exists as CommonJS: one line of code that
 * requires the module, and copies of the declarations that it shows.
 */
export async function writeRequireEntries(entries: readonly Imported[]): Promise<void> {
  const copied = new Set<string>();
  await write(`${REQUIRE_DIR}/package.json`, `${JSON.stringify({ type: "commonjs" })}\n`);
  for (const { require, types, default: code } of entries) {
    await copyDeclarations(join(types), copied);
    const path = relative(dirname(require.default), code).replaceAll("\\", "/");
    await write(require.default, `module.exports = require(${JSON.stringify(path)});\n`);
  }
}

/** Copies a declaration file of `dist`, and all those that it imports. */
async function copyDeclarations(path: string, copied: Set<string>): Promise<void> {
  if (copied.has(path)) return;
  copied.add(path);
  const text = await readFile(join(checkoutDir, path), "utf8");
  await write(path.replace(/^dist\//, `${REQUIRE_DIR}/`), text);
  for (const [, imported = ""] of text.matchAll(/(?:from |import\(|import )"(\.[^"]+)\.ts"/g)) {
    await copyDeclarations(`${join(dirname(path), imported)}.d.ts`, copied);
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(checkoutDir, path)), { recursive: true });
  await writeFile(join(checkoutDir, path), text);
}
