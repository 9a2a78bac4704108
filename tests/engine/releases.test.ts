import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { journalFolder } from "../../provider/journals/file/folders.ts";
import { startForTest } from "../simulator/start.ts";
import { hosts } from "../support/program-files.ts";
import { createStack, type Stack } from "../support/stack.ts";

const recorded = (host: string, name: string) =>
  fileURLToPath(new URL(`../core/records/releases/0.1.0/${host}/${name}`, import.meta.url));

const read = (host: string, name: string) => readFile(recorded(host, name), "utf8");

/** Puts recorded resources into a stack, which encrypts their secrets anew. */
async function importResources(
  stack: Stack,
  { deployment }: { deployment: object },
): Promise<void> {
  const file = join(stack.folder, "..", "deployment.json");
  await stack.succeed(`stack export --file ${file}`);
  const own = JSON.parse(await readFile(file, "utf8"));
  const { secrets_providers } = own.deployment;
  const complete = { ...own, deployment: { ...deployment, secrets_providers } };
  await writeFile(file, JSON.stringify(complete));
  await stack.succeed(`stack import --file ${file}`);
  await rm(file);
}

it.each(hosts)(
  "a stack of release 0.1.0 on the %s host goes on: nothing changes, nothing is bought",
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
    await importResources(stack, JSON.parse(await read(host, "deployment.json")));

    const before = simulator.ledger().length;
    expect(await stack.succeed("preview", "--refresh")).toContain("6 unchanged");
    expect(await stack.succeed("up", "--refresh")).toContain("6 unchanged");
    expect(simulator.ledger()).toHaveLength(before);
  },
);
