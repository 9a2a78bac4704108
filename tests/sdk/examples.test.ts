import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test, vi } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { readPage } from "../support/docs.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The public face of the package, by the name that a program imports it by. */
const entries = {
  "pulumi-proxyrental": join(checkoutDir, "sdk/index.ts"),
  "pulumi-proxyrental/policy": join(checkoutDir, "policy/index.ts"),
};

const options: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2024, lib: ["lib.es2024.d.ts"], types: ["node"] },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ...{ strict: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
  ...{ noEmit: true, skipLibCheck: true },
  paths: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [path]])),
};

const face = ts.createProgram(Object.values(entries), options);

/** A function or a class that a program can use, and the examples in its comment. */
interface Documented {
  readonly name: string;
  readonly examples: readonly string[];
}

/** Every function and class of `pulumi-proxyrental`, with the examples in its comment. */
function listDocumented(): Documented[] {
  const checker = face.getTypeChecker();
  const source = face.getSourceFile(entries["pulumi-proxyrental"]);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error("sdk/index.ts exports nothing");
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    if ((symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) === 0) return [];
    const examples = (symbol.declarations ?? [])
      .flatMap((declaration) => ts.getJSDocTags(declaration))
      .filter(({ tagName }) => tagName.text === "example")
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "");
    return [{ name: exported.name, examples }];
  });
}

const documented = listDocumented();

/** An example of a comment leaves out what each program has: its imports, and a fleet that is declared elsewhere. */
function complete(example: string): string {
  const names = documented.map(({ name }) => name).filter((name) => example.includes(name));
  const imported = new Set([...names, "ProxyOrder"]);
  return [
    'import * as pulumi from "@pulumi/pulumi";',
    `import { ${[...imported].join(", ")} } from "pulumi-proxyrental";`,
    /\bconst fleet\b/.test(example) ? "" : "declare const fleet: ProxyOrder;",
    example,
    "export {};",
  ].join("\n");
}

/** What the compiler says of these programs, by their names. */
function compile(programs: Readonly<Record<string, string>>): string[] {
  const texts = new Map(
    Object.entries(programs).map(([name, text]) => [
      join(checkoutDir, "tests", `${name}.mts`),
      text,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, target) => {
    const text = texts.get(path);
    if (text === undefined) return face.getSourceFile(path) ?? readSource(path, target);
    return ts.createSourceFile(path, text, target);
  };
  const readSource = (path: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
    const text = readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    options,
    host,
    oldProgram: face,
  });
  return [...texts.keys()].flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  );
}

test("each function and each resource has an example in its comment", () => {
  expect(documented.map(({ name }) => name)).toContain("getOrderQuoteOutput");
  expect(documented.filter(({ examples }) => examples.length === 0)).toEqual([]);
});

test("the examples of all comments compile", () => {
  const programs = documented.flatMap(({ name, examples }) =>
    examples.map((example, index) => [`${name}-${index}`, complete(example)]),
  );
  expect(compile(Object.fromEntries(programs))).toEqual([]);
});

test("the TypeScript on all pages compiles", () => {
  const pages = readdirSync(join(checkoutDir, "docs")).filter((name) => name.endsWith(".md"));
  const programs = ["README.md", ...pages.map((name) => `docs/${name}`)].flatMap((path) =>
    readPage(path)
      .blocks("ts")
      .map((block, index) => [`${path.replace("/", "-")}-${index}`, block]),
  );
  expect(programs.length).toBeGreaterThan(2);
  expect(compile(Object.fromEntries(programs))).toEqual([]);
});

test("an example that does not compile is told", () => {
  expect(compile({ wrong: complete("export const price = getBalanceOutput().price;") })).toEqual([
    expect.stringContaining("Property 'price' does not exist"),
  ]);
});
