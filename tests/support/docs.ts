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
  /** The first block of code of a language. */
  block(language: string): string;
}

/** Reads a page by its path in the checkout, such as "docs/errors.md". */
export function readPage(path: string): DocsPage {
  const text = readFileSync(join(checkoutDir, path), "utf8");
  return { path, text, rows: readRows(text), block: (language) => findBlock(path, text, language) };
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

function findBlock(path: string, text: string, language: string): string {
  const block = text.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (block === undefined) throw new Error(`${path} has no block of ${language}`);
  return block;
}

/** The rows whose first cell begins with code, such as the name of a setting. */
export function namedRows({ rows }: DocsPage): readonly (readonly string[])[] {
  return rows.filter(([name = ""]) => name.startsWith("`"));
}
