import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { weighDependencies } from "../../toolchain/weights/weigh.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** Packages as npm places and notes them: their bytes, and what each depends on. */
async function install(packages: Record<string, [bytes: number, ...needs: string[]]>) {
  const folder = await makeTemporaryFolder();
  const noted: Record<string, object> = {};
  for (const [place, [bytes, ...needs]] of Object.entries(packages)) {
    await mkdir(join(folder, place, "lib"), { recursive: true });
    await writeFile(join(folder, place, "lib", "index.js"), "x".repeat(bytes));
    noted[place] = { dependencies: Object.fromEntries(needs.map((need) => [need, "*"])) };
  }
  const text = JSON.stringify({ packages: noted });
  await writeFile(join(folder, "node_modules", ".package-lock.json"), text);
  return folder;
}

test("a dependency weighs what it brings, and alone what nothing else brings", async () => {
  const folder = await install({
    "node_modules/ours": [1, "a", "@x/b"],
    "node_modules/a": [10, "shared"],
    "node_modules/@x/b": [100, "shared", "inner"],
    "node_modules/@x/b/node_modules/inner": [1_000, "shared"],
    "node_modules/shared": [10_000],
    "node_modules/stranger": [100_000],
  });
  expect(await weighDependencies(folder, "ours")).toEqual({
    total: 11_111,
    own: 1,
    weights: [
      { name: "@x/b", bytes: 11_100, alone: 1_100 },
      { name: "a", bytes: 10_010, alone: 10 },
    ],
  });
});
