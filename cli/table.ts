/** A row by its column titles. */
export type Row = Readonly<Record<string, string>>;

/** Rows as aligned columns under their titles. An empty column is left out. */
export function printTable(rows: readonly Row[]): string {
  const titles = titlesOf(rows);
  const widths = titles.map((title) =>
    Math.max(title.length, ...rows.map((row) => row[title]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return [titles, ...rows.map((row) => titles.map((title) => row[title] ?? ""))]
    .map(toLine)
    .join("\n");
}

/**
 * Rows as a Markdown table. An empty column is left out.
 * @param amounts which titles are of columns that are aligned to the right
 */
export function printMarkdownTable(rows: readonly Row[], amounts: RegExp): string {
  const titles = titlesOf(rows);
  if (titles.length === 0) return "";
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    toLine(titles.map((title) => title.toLowerCase())),
    toLine(titles.map((title) => (amounts.test(title) ? "---:" : "---"))),
    ...rows.map((row) => toLine(titles.map((title) => row[title] ?? ""))),
  ].join("\n");
}

/** A name is the program's own text. No part of it must move the cursor. */
export function makePrintable(name: string): string {
  return name.replaceAll(/\p{C}/gu, "?");
}

/** In code there are no links, mentions or tags. Only a pipe ends a cell, unless it is escaped. */
export function quoteName(name: string): string {
  return `\`${makePrintable(name).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function titlesOf(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? {}).filter((title) => rows.some((row) => row[title] !== ""));
}
