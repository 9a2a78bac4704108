import { expect, test, vi } from "vitest";
import { namedRows, readPage } from "../support/docs.ts";
import { runCli } from "./command.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Said once, below the table. */
const EVERYWHERE = ["--help", "--base-url", "--journal", "--journal-dir"];

/** The flags in the page's table, by command. */
const table = readTable();

function readTable(): ReadonlyMap<string, string[]> {
  const cells = namedRows(readPage("docs/operating.md")).map(([command = ""]) => command);
  const nameOf = (cell: string) => /`((?:journal )?[a-z]+)/.exec(cell)?.[1] ?? "";
  return new Map(
    [...Map.groupBy(cells, nameOf)].map(([name, own]) => [name, flagsIn(own.join(" "))]),
  );
}

function flagsIn(text: string): string[] {
  const flags = text.match(/--[a-z-]+/g) ?? [];
  return [...new Set(flags)].filter((flag) => !EVERYWHERE.includes(flag)).sort();
}

/** What stands below a title of the help, the first word of each line. */
async function readHelp(args: readonly string[], title: string): Promise<string[]> {
  const { stdout } = await runCli([...args, "--help"]);
  const [, section = ""] = stdout.split(`\n${title}:\n`);
  const lines = section.split("\n\n")[0]?.match(/^ {2}\S.*$/gm) ?? [];
  return lines.map((line) => line.trim().split(/ {2,}/)[0] ?? "");
}

async function listCommands(args: readonly string[] = []): Promise<string[]> {
  const names = (await readHelp(args, "Commands")).map((line) => line.split(" ")[0] ?? "");
  return names.filter((name) => !["help", "journal", "simulator"].includes(name));
}

test("the page's table has every command", async () => {
  const ofJournal = (await listCommands(["journal"])).map((name) => `journal ${name}`);
  expect([...table.keys()].sort()).toEqual([...ofJournal, ...(await listCommands())].sort());
});

test.each([...table])("the page's table has the flags of %s", async (name, flags) => {
  expect(flagsIn((await readHelp(name.split(" "), "Options")).join(" "))).toEqual(flags);
});

test("each command that reads a journal takes the flags that say where it is", async () => {
  const readers = [...table.keys()].filter((name) => name !== "cost" && name !== "journal copy");
  for (const name of readers) {
    const options = (await readHelp(name.split(" "), "Options")).join(" ");
    expect([name, options]).toEqual([name, expect.stringContaining("--journal <url>")]);
    expect([name, options]).toEqual([name, expect.stringContaining("--journal-dir <folder>")]);
  }
});
