import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Packages that are published without a text, and one of the same authors under the same licence that has it. */
const textStandsIn: Readonly<Record<string, string>> = {
  "@hono/zod-openapi": "hono",
  "@hono/zod-validator": "hono",
};

/** The licences of the libraries that these files are from. Throws an error if a library has none. */
export async function writeNotices(modules: string, files: readonly string[]): Promise<string> {
  const names = [...new Set(files.map(nameOfPackage))].toSorted();
  const notices = await Promise.all(names.map((name) => writeNotice(modules, name)));
  return [
    "This package contains parts of these libraries.\n",
    ...notices.map((notice) => `${"-".repeat(80)}\n\n${notice}`),
  ].join("\n");
}

function nameOfPackage(file: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  if (name === undefined) throw new Error(`${file} is in no package`);
  return name;
}

async function writeNotice(modules: string, name: string): Promise<string> {
  const { version, license } = JSON.parse(
    await readFile(join(modules, name, "package.json"), "utf8"),
  );
  const folder = join(modules, textStandsIn[name] ?? name);
  const file = (await readdir(folder)).find((found) => /^licen[cs]e/i.test(found));
  if (file === undefined) throw new Error(`${name} has no text of its licence`);
  const text = await readFile(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
