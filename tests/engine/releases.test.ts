import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { journalFolder } from "../../provider/journals/file/open-journal.ts";
import { startForTest } from "../simulator/start.ts";
import { hosts } from "../support/program-files.ts";
import { createStack } from "../support/stack.ts";

const recorded = (host: string, name: string) =>
  fileURLToPath(new URL(`../core/records/releases/0.1.0/${host}/${name}`, import.meta.url));

const read = (host: string, name: string) => readFile(recorded(host, name), "utf8");

it.each(hosts)(
  "a stack of release 0.1.0 on the %s host goes on as it is: nothing changes, nothing is bought",
  async (host) => {
    const now = new Date("2026-03-03T12:00:00Z");
    const simulator = await startForTest({ now: () => now });
    simulator.load(JSON.parse(await read(host, "simulator.json")));
    const stack = await createStack({
      ...{ simulator, host, machineClock: () => now },
      program: await read(host, "program.txt"),
    });
    const journal = journalFolder(stack.journalDir, simulator.baseUrl);
    await mkdir(journal, { recursive: true });
    await cp(recorded(host, "journal"), journal, { recursive: true });
    const exported = join(stack.folder, "..", "deployment.json");
    await writeFile(exported, await read(host, "deployment.json"));
    await stack.succeed(`stack import --file ${exported}`);

    const before = simulator.ledger().length;
    expect(await stack.succeed("preview", "--refresh")).toContain("6 unchanged");
    expect(await stack.succeed("up", "--refresh")).toContain("6 unchanged");
    expect(simulator.ledger()).toHaveLength(before);
  },
);
