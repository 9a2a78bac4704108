import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkoutDir } from "../toolchain/project.ts";

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
  const text = readFileSync(join(checkoutDir, document), "utf8");
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
