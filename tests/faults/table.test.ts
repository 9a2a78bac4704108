import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { families } from "./campaign/families.ts";

const [folder, engineFolder] = ["tests/faults", "tests/faults/engine"] as const;

/** A row of the table: the numbers that it stands for, and the files that its tests are in. */
interface Row {
  readonly numbers: readonly string[];
  readonly files: readonly string[];
}

const cells = (await readFile(join(checkoutDir, folder, "README.md"), "utf8"))
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));

const rows = cells
  .filter(([, numbers = ""]) => /^\d/.test(numbers))
  .map(
    ([, numbers = "", , core = "", engine = ""]): Row => ({
      numbers: readNumbers(numbers),
      files: [...readFiles(core, folder), ...readFiles(engine, engineFolder)],
    }),
  );

/** Reads "34, 35" or "23–26". */
function readNumbers(cell: string): string[] {
  return cell.split(", ").flatMap((part) => {
    const [first, last] = part.split("–").map(Number);
    if (first === undefined || last === undefined) return [part];
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  });
}

/** Reads a cell of files. A plain name is a file of the column's folder, and a path in code is any other file. */
function readFiles(cell: string, columnFolder: string): string[] {
  const names = cell === "" ? [] : cell.split(", ");
  return names.map((name) =>
    name.startsWith("`") ? `${name.slice(1, -1)}.test.ts` : `${columnFolder}/${name}.test.ts`,
  );
}

/** The numbers at the beginning of test names. A letter may follow. In a list of cases, it may end the text. */
async function readNumbered(path: string): Promise<[path: string, numbers: Set<string>]> {
  const source = await readFile(join(checkoutDir, path), "utf8");
  const names = source.matchAll(/["`](\d+[a-z]?)(?:: | [A-Z](?:: |"))/g);
  return [path, new Set(Array.from(names, ([, number = ""]) => number))];
}

async function listTests(path: string): Promise<string[]> {
  const names = await readdir(join(checkoutDir, path));
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => `${path}/${name}`);
}

const paths = [...(await listTests(folder)), ...(await listTests(engineFolder))];
const numbered = new Map(await Promise.all(paths.map(readNumbered)));

test("each number has one row", () => {
  const numbers = rows.flatMap((row) => row.numbers);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test("each row has its tests: the files that it names have a test with its number", () => {
  const holds = ({ numbers }: Row, path: string) => {
    const found = numbered.get(path);
    return found
      ? numbers.some((number) => found.has(number))
      : existsSync(join(checkoutDir, path));
  };
  expect(rows.filter(({ files }) => files.length === 0)).toEqual([]);
  const missing = rows.flatMap((row) => row.files.map((path) => ({ row, path })));
  expect(missing.filter(({ row, path }) => !holds(row, path))).toEqual([]);
});

test("each number of a test name has a row, and the row names the file", () => {
  const belongs = (number: string, path: string) =>
    rows.some(({ numbers, files }) => numbers.includes(number) && files.includes(path));
  const stray = [...numbered].flatMap(([path, numbers]) =>
    [...numbers].filter((number) => !belongs(number, path)).map((number) => `${number}: ${path}`),
  );
  expect(stray).toEqual([]);
});

test("each family of random play has a row, in the order of the code", () => {
  const told = cells.flatMap(([, name = ""]) => /^`(\w+)`$/.exec(name)?.[1] ?? []);
  expect(told).toEqual(families);
});
