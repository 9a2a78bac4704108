import { join } from "node:path";
import ts from "typescript";
import { checkoutDir } from "../../toolchain/project.ts";

/**
 * What the compiler says of each program, by its name. The programs are compiled together, as users compile theirs:
 * strictly, in a module of their own, beside the package's declarations.
 */
export function compile(programs: Readonly<Record<string, string>>): Record<string, string[]> {
  const pathOf = (name: string) => join(checkoutDir, "sdk", `${name}.program.ts`);
  const texts = new Map(Object.entries(programs).map(([name, text]) => [pathOf(name), text]));
  const { config } = ts.readConfigFile(join(checkoutDir, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, checkoutDir);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...how) => {
    const text = texts.get(path);
    if (text === undefined) return getSourceFile(path, version, ...how);
    return ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const problemsOf = (name: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(pathOf(name)))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  return Object.fromEntries(Object.keys(programs).map((name) => [name, problemsOf(name)]));
}
