import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { renderSettings } from "../../toolchain/schema/settings-table.ts";
import { publishedSchema } from "./published-package.ts";

const pages = ["docs/_index.md", "docs/installation-configuration.md"];

const read = (page: string) => readFile(join(checkoutDir, page), "utf8");

describe.each(pages)("%s", (page) => {
  test("says to the registry what it is", async () => {
    const text = await read(page);
    expect(text).toMatch(
      /^---\ntitle: Proxy Rental Service.*\nmeta_desc: .+\nlayout: package\n---\n/,
    );
  });

  // The registry shows the page at another place, where a path of this repository leads nowhere.
  test("leads only to whole addresses", async () => {
    const links = Array.from((await read(page)).matchAll(/\]\(([^)]+)\)/g), ([, to]) => to);
    expect(links.filter((to) => !to?.startsWith("https://"))).toEqual([]);
  });
});

test("the front page has an example in each language", async () => {
  const text = await read("docs/_index.md");
  const [, listed = ""] = /chooser language "([^"]+)"/.exec(text) ?? [];
  const languages = ["typescript", "python", "go", "csharp", "java", "yaml"];
  expect(listed.split(",")).toEqual(languages);
  const shown = Array.from(text.matchAll(/choosable language (\w+) %}}\n\n```(\w+)\n/g));
  expect(shown.map(([, name]) => name)).toEqual(languages);
  expect(shown.map(([, , fence]) => fence)).toEqual(languages);
});

test("the page about configuration has every setting, as the provider reads it", async () => {
  expect(await read("docs/installation-configuration.md")).toContain(`\n\n${renderSettings()}`);
});

test("it names the package of each language as the schema does", async () => {
  const text = await read("docs/installation-configuration.md");
  const { nodejs, go, csharp } = publishedSchema.language;
  for (const name of [nodejs.packageName, go.importBasePath, csharp.rootNamespace]) {
    expect(text).toContain(`\`${name}`);
  }
});
