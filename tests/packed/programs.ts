import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";
import { startForTest } from "../simulator/start.ts";
import { programFiles } from "../support/program-files.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { compile } from "./entry-points.ts";
import { loadedNames } from "./module-settings.ts";
import { project } from "./project.ts";

/** Runs the installed tool in a project, with the account in its environment. The tool must succeed. */
async function runTool(
  { folder, journalDir }: Stack,
  { baseUrl, apiKey }: Simulator,
  ...args: string[]
): Promise<string> {
  const { stdout } = await execa("node_modules/.bin/pulumi-proxyrental", args, {
    cwd: folder,
    env: {
      PROXYRENTAL_BASE_URL: baseUrl,
      PROXYRENTAL_API_KEY: apiKey,
      PROXYRENTAL_JOURNAL_DIR: journalDir,
    },
  });
  return stdout;
}

/** Programs of users, on the real CLI. */
export function describePrograms(installed: InstalledPackage): void {
  it("compiles and loads in a project from `pulumi new typescript`, with TypeScript 5", async () => {
    const { folder, run } = installed;
    expect(await compile(installed, folder)).toEqual([]);
    expect(await run("node", "bin/entry.js")).toBe(loadedNames);
  });

  it("buys once, changes nothing, and lets go from a CommonJS program with its policy pack", async () => {
    const simulator = await startForTest();
    const stack = await createStack({
      simulator,
      program: "",
      fill: async (folder) => {
        for (const name of Object.keys(project)) {
          await cp(join(installed.folder, name), join(folder, name));
        }
        await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
      },
    });
    const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];
    expect(await stack.succeed("preview", ...pack)).toContain(
      "usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD",
    );
    expect(spendingOf(simulator)).toEqual(nothingSpent);

    await stack.succeed("up", ...pack);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
    expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
    expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
    await stack.succeed("stack export", "--file", "state.json");
    expect(await runTool(stack, simulator, "orphans", "state.json")).toMatch(
      /^No orphans: the account holds 1 order, /,
    );
    expect(await runTool(stack, simulator, "journal", "list")).toContain("holds no open purchases");
    await stack.succeed("destroy");
    expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });

  it("has the plugin, which prices and buys for a YAML program", async () => {
    const simulator = await startForTest();
    const { on, order, program } = writerFor("plugin");
    const stack = await createStack({
      ...{ ...on, simulator, program: "" },
      fill: async (folder) => {
        const files = programFiles({ ...on, program: program(order("usa")) });
        for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
        await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
      },
    });
    expect(await stack.succeed("preview")).toContain(
      "usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD",
    );
    await stack.succeed("up");
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  });
}
