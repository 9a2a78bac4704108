import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { checkoutDir } from "../../toolchain/project.ts";

type Declaration =
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.ClassDeclaration
  | ts.FunctionDeclaration;

/** The comments of a source file on its types. */
export interface DocumentedSource {
  /** The comment of a type or a function itself. */
  textOf(type: string): string;
  /**
   * The comments of all members of these types, by name. A type is an interface, a class (without its static members),
   * or a union with its arms. If several arms have a member, one of them documents it, or all have the same text.
   */
  membersOf(...types: string[]): Record<string, string>;
}

/** Reads a source file of the checkout. Only the text of this file counts: inherited members are not included. */
export async function readDocumentation(path: string): Promise<DocumentedSource> {
  const source = await readFile(join(checkoutDir, path), "utf8");
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2024, true);
  const find = (type: string): Declaration => {
    const found = file.statements.filter(isDeclaration).find(({ name }) => name?.text === type);
    if (found === undefined) throw new Error(`${path} declares no ${type}`);
    return found;
  };
  return {
    textOf: (type) => readText(find(type)),
    membersOf: (...types) => joinMembers(types.flatMap((type) => findProperties(find(type)))),
  };
}

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node)
  );
}

function findProperties(node: ts.Node): (ts.PropertySignature | ts.PropertyDeclaration)[] {
  if (ts.isPropertySignature(node)) return [node];
  if (ts.isPropertyDeclaration(node)) {
    const isStatic = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    return isStatic ? [] : [node];
  }
  if (ts.isConstructorDeclaration(node)) return [];
  return node.getChildren().flatMap(findProperties);
}

function joinMembers(
  properties: (ts.PropertySignature | ts.PropertyDeclaration)[],
): Record<string, string> {
  const byName = Map.groupBy(properties, ({ name }) => name.getText());
  const joined = [...byName].map(([name, declared]) => {
    const texts = new Set(declared.map(readText).filter((text) => text !== ""));
    return [name, [...texts].join(" / ")];
  });
  return Object.fromEntries(joined);
}

/** A comment in one line. Its `@default` becomes a sentence, and its examples are left out. */
function readText(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const texts = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "");
  const defaults = ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === "default")
    .map(({ comment }) => `Default: ${ts.getTextOfJSDocComment(comment)}.`);
  return [...texts, ...defaults].join(" ").replace(/\s+/g, " ").trim();
}
