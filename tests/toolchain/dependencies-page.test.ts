import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { rowsUnder } from "../support/docs.ts";

const page = "docs/dependencies.md";

/** The libraries in the first column of the page's table under these headings. */
function namesUnder(heading: string): string[] {
  return rowsUnder(page, heading).map(([name = ""]) => name.replaceAll("`", ""));
}

const manifest = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));

test("the page names every dependency, and no other", () => {
  expect(namesUnder("package | for what").toSorted()).toEqual(Object.keys(manifest.dependencies));
});

test("the page names the library of each store, which is an optional peer", () => {
  const named = namesUnder("library | for a journal in").toSorted();
  expect(named).toEqual(Object.keys(manifest.peerDependencies));
  expect(named).toEqual(Object.keys(manifest.peerDependenciesMeta));
});

test("the page names the libraries inside the package, as its notices do", async () => {
  const notices = await readFile(join(checkoutDir, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8");
  const bundled = Array.from(notices.matchAll(/^-{80}\n\n(\S+) /gm), ([, name]) => name);
  expect(namesUnder("library | for what").toSorted()).toEqual(bundled.toSorted());
});
