import { readdirSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { checkoutDir } from "../toolchain/project.ts";
import { readPage } from "./support/docs.ts";
import { findBrokenLinks, findLinksOutOfPackage } from "./support/docs-links.ts";

const strange: ReadonlySet<string> = new Set(["node_modules", "dist", ".git"]);

/** Every file and folder of the checkout, as "/provider/core/". */
const paths = readdirSync(checkoutDir, { withFileTypes: true })
  .filter(({ name }) => !strange.has(name))
  .flatMap((entry) => [
    `/${entry.name}`,
    ...(entry.isDirectory()
      ? readdirSync(join(checkoutDir, entry.name), { recursive: true, encoding: "utf8" }).map(
          (path) => `/${entry.name}/${path}`,
        )
      : []),
  ]);

/** What a document names as a file or a folder. What stands for a name is written in capitals. */
function namedPaths(document: string): string[] {
  const { text } = readPage(document);
  const words = Array.from(text.matchAll(/`([^`\s]+)`/g), ([, word = ""]) => word);
  return words.filter(
    (word) =>
      /^[\w.-]+(\/[\w.-]+)+\/?$|^[\w.-]+\.(ts|js|json|md)$/.test(word) && !/[A-Z]{4}/.test(word),
  );
}

test.each(["CONTRIBUTING.md", "ARCHITECTURE.md"])("%s names only files that exist", (document) => {
  const named = namedPaths(document);
  expect(named.length).toBeGreaterThan(30);
  const isThere = (name: string) =>
    paths.some((path) => path.endsWith(`/${name.replace(/\/$/, "")}`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

const pages = paths.filter((path) => path.endsWith(".md")).map((path) => path.slice(1));

test("each link of each page leads to a file and a heading", () => {
  expect(pages).toContain("docs/README.md");
  expect(findBrokenLinks(pages)).toEqual([]);
});

test("each page of docs/ stands in its index", () => {
  const { text } = readPage("docs/README.md");
  const own = pages.filter((path) => /^docs\/(?!README)/.test(path));
  expect(own.filter((path) => !text.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
});

test("the package holds the pages, and all that they link to by a path", async () => {
  const { stdout } = await execa("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: checkoutDir,
    preferLocal: true,
  });
  const files = Array.from(stdout.matchAll(/"path": "([^"]+)"/g), ([, path = ""]) => path);
  expect(files).toEqual(expect.arrayContaining(["README.md", "docs/README.md", "docs/errors.md"]));
  expect(findLinksOutOfPackage(files)).toEqual([]);
});

test("README stays a front door: at most 200 lines", () => {
  expect(readPage("README.md").text.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});
