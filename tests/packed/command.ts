import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** The command line tool, as npx finds it. */
export function describeCommand(installed: InstalledPackage): void {
  it("has the command line tool, as `npx pulumi-proxyrental`", async () => {
    const npx = (...args: string[]) => installed.run("npx", "--no", "--", ...args);
    const help = await npx("pulumi-proxyrental", "--help");
    expect(help).toContain("Usage: pulumi-proxyrental");
    expect(help).toContain("orphans");
    expect(await npx("proxyrental", "--help")).toBe(help);
  });

  it("has the same tool outside a project: npx takes the command that is called like the package", async () => {
    const nowhere = await makeTemporaryFolder();
    const { stdout } = await execa("npx", ["--yes", `file:${installed.tarball}`, "--version"], {
      ...{ cwd: nowhere, preferLocal: true, localDir: checkoutDir },
      env: { npm_config_prefer_offline: "true" },
    });
    const { version } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
    expect(stdout.trim()).toBe(version);
  });
}
