import { readdir, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import ts from "typescript";

/**
 * Takes out what the compiler has written and the bundle replaces: all code, and each declaration that a program never
 * meets. Such declarations name types of libraries that users don't have.
 */
export async function pruneCompiled(folder: string, entry: string): Promise<void> {
  const met = new Set(listMet(join(folder, entry)));
  const written = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = written.filter((found) => found.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const replaced = paths.filter((path) => extname(path) === ".js" || !met.has(path));
  await Promise.all(replaced.map((path) => rm(path)));
}

/** The files that the compiler of a program reads if the program imports this one. */
function listMet(declaration: string): string[] {
  const program = ts.createProgram([declaration], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  return program.getSourceFiles().map(({ fileName }) => fileName);
}
