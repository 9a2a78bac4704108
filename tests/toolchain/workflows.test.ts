import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { onThisMachine } from "../../toolchain/cache.ts";
import { ensureProgram } from "../../toolchain/go-build.ts";
import { actionlint } from "../../toolchain/go-program.ts";
import { checkoutDir } from "../../toolchain/project.ts";

test("the linter of workflows finds nothing in ours, nor in the example", {
  timeout: 600_000,
}, async ({ skip }) => {
  const linter = await ensureProgram(actionlint, onThisMachine(), "for workflows").catch(
    (error: unknown) => skip(String(error)),
  );
  const workflows = await readdir(join(checkoutDir, ".github/workflows"));
  expect(workflows.toSorted()).toEqual(["check.yml", "release.yml"]);
  const files = workflows.map((name) => `.github/workflows/${name}`);
  // Other linters, which it would ask for the scripts inside, may be there or not.
  const options = ["-no-color", "-shellcheck=", "-pyflakes="];
  const { all } = await execa(linter, [...options, ...files, "examples/ci/github-actions.yml"], {
    cwd: checkoutDir,
    reject: false,
    all: true,
  });
  expect(all).toBe("");
});
