/** A row by its column titles. */
export type Row = Readonly<Record<string, string>>;

/** Rows as aligned columns under their titles. An empty column is left out. */
export function printTable(rows: readonly Row[]): string {
  const titles = Object.keys(rows[0] ?? {}).filter((title) =>
    rows.some((row) => row[title] !== ""),
  );
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
