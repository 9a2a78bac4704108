import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { namedRows, readPage } from "../support/docs.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { runCli } from "./command.ts";
import { buyWithRival, startMachine } from "./machine.ts";
import { exportText } from "./stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const page = readPage("docs/operating.md");

/** Said once, below the table. */
const EVERYWHERE = ["--help", "--base-url", "--journal", "--journal-dir"];

/** The flags in the page's table, by command. */
const table = readTable();

function readTable(): ReadonlyMap<string, string[]> {
  const cells = namedRows(page).map(([command = ""]) => command);
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
  const others = ["check", "cost", "journal copy"];
  const readers = [...table.keys()].filter((name) => !others.includes(name));
  for (const name of readers) {
    const options = (await readHelp(name.split(" "), "Options")).join(" ");
    expect([name, options]).toEqual([name, expect.stringContaining("--journal <url>")]);
    expect([name, options]).toEqual([name, expect.stringContaining("--journal-dir <folder>")]);
  }
});

/** A command of the page, and what the page says that it prints. */
interface Shown {
  readonly args: readonly string[];
  readonly output: string;
}

/** The commands in the page's blocks, in their order. */
function readShown(): Shown[] {
  return page.blocks("console").map((block) => {
    const [command = "", ...output] = block.trimEnd().split("\n");
    const [, args = ""] = /npx \S+ (.*)$/.exec(command) ?? [];
    return { args: args.split(" "), output: output.join("\n") };
  });
}

/** A text as it is at any time, with the ids of purchases numbered as they come. */
function numberIds(text: string): string {
  const ids = [...new Set(text.match(/\b[0-9a-f]{12}-1\b/g))];
  return ids
    .reduce((known, id, index) => known.replaceAll(id, `purchase-${index}`), text)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME");
}

test("the commands of the page print what it shows, for an order that was lost beside a rival's", async () => {
  const machine = await startMachine();
  const { simulator, cli, beginRun } = machine;
  await buyWithRival(machine);
  const [rival] = simulator.orders();
  const ofRival = simulator.proxies().filter(({ orderId }) => orderId === rival?.orderId);
  simulator.setAutoExtension(
    ofRival.map(({ ipAddressId }) => ipAddressId),
    true,
  );
  await beginRun().buy("other", { country: "DEU" });
  const [lost] = await machine.list();
  const state = join(await makeTemporaryFolder(), "state.json");
  await writeFile(state, exportText([]));

  const shown = readShown();
  const idOnPage = page.text.match(/[0-9a-f]{12}-1/)?.[0] ?? "";
  const printed: string[] = [];
  for (const { args } of shown) {
    const real = args.map((arg) =>
      arg === "state.json" ? state : arg.replace(idOnPage, lost?.id ?? ""),
    );
    printed.push((await cli(real)).stdout.trimEnd());
  }
  const outputs = shown.map(({ output }) => output);
  expect(numberIds(printed.join("\n"))).toBe(numberIds(outputs.join("\n")));
});
