import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

/**
 * Takes out each declaration in a folder that no program meets, whatever it imports. The simulator's name types of
 * libraries that users don't have.
 */
export async function pruneDeclarations(
  folder: string,
  imported: readonly string[],
): Promise<void> {
  const met = new Set(listMet(imported));
  const written = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = written.filter((found) => found.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(paths.filter((path) => !met.has(path)).map((path) => rm(path)));
}

/** The files that the compiler of a program reads if the program imports these. */
function listMet(declarations: readonly string[]): string[] {
  const program = ts.createProgram(declarations, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  return program.getSourceFiles().map(({ fileName }) => fileName);
}
