import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutDir } from "../../toolchain/project.ts";

/** A page that people read: the front door, or one page of `docs/`. */
export interface DocsPage {
  /** As a path in the checkout. */
  readonly path: string;
  readonly text: string;
  /** The cells of each row of the page's tables, without the lines below the headings. */
  readonly rows: readonly (readonly string[])[];
  /** The blocks of code of a language. */
  blocks(language: string): string[];
  /** The first of them. */
  block(language: string): string;
}

/** Reads a page by its path in the checkout, such as "docs/errors.md". */
export function readPage(path: string): DocsPage {
  const text = readFileSync(join(checkoutDir, path), "utf8");
  const blocks = (language: string) => readBlocks(text, language);
  const block = (language: string) => {
    const [first] = blocks(language);
    if (first === undefined) throw new Error(`${path} has no block of ${language}`);
    return first;
  };
  return { path, text, rows: readRows(text), blocks, block };
}

function readRows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function readBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return Array.from(text.matchAll(fence), ([, block = ""]) => block);
}

/** The rows whose first cell begins with code, such as the name of a setting. */
export function namedRows({ rows }: DocsPage): readonly (readonly string[])[] {
  return rows.filter(([name = ""]) => name.startsWith("`"));
}

/** The rows of the table whose first heading is this, without the headings. */
export function rowsUnder(path: string, heading: string): readonly (readonly string[])[] {
  const [, table] = readPage(path).text.split(`\n| ${heading} `);
  if (table === undefined) throw new Error(`${path} has no table of ${heading}`);
  const [, ...lines] = (table.split("\n\n")[0] ?? "").split("\n");
  return readRows(lines.join("\n"));
}
