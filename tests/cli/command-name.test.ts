import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { runCli } from "./command.ts";

test("no text names a command that npx would fetch from somebody else", async () => {
  const { stdout } = await execa(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard"],
    {
      cwd: checkoutDir,
    },
  );
  const files = stdout.split("\n").filter((path) => /\.(ts|js|html|md|ya?ml|json)$/.test(path));
  const named: string[] = [];
  for (const path of files) {
    // What was released is told as it was.
    const text = await readFile(join(checkoutDir, path), "utf8").catch(() => "");
    const [current = ""] = path === "CHANGELOG.md" ? text.split("## 0.1.0") : [text];
    if (/npx\s+proxyrental\b/.test(current)) named.push(path);
  }
  expect(named).toEqual([]);
});

test("help and version are those of the package", async () => {
  const { name, version, bin } = JSON.parse(
    await readFile(join(checkoutDir, "package.json"), "utf8"),
  );
  expect(bin[name]).toBe("./dist/cli/main.js");
  expect((await runCli(["--help"], { isProcess: true })).stdout).toContain(
    `Usage: ${name} [options] [command]`,
  );
  expect((await runCli(["journal", "list", "--help"])).stdout).toContain(
    `Usage: ${name} journal list`,
  );
  expect(await runCli(["--version"], { isProcess: true })).toEqual({
    exitCode: 0,
    stdout: version,
    stderr: "",
  });
});
