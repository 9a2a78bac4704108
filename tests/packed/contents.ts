import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";

/** What only the simulator and the command line tool need. It is in the package, as parts of its own files. */
const librariesInside = [
  ...["hono", "uplot", "@hono/node-server", "@hono/zod-openapi", "@hono/zod-validator"],
  ...["@asteasolutions/zod-to-openapi", "openapi3-ts", "rolldown", "ical-generator"],
];

/** What the package holds, and what it leaves to others. */
export function describeContents(installed: InstalledPackage): void {
  it("holds the compiled code, its types, the policy pack, the pages and the examples; no sources and no tests", () => {
    const { files } = installed;
    expect(files).toEqual(
      expect.arrayContaining([
        ...["package.json", "README.md", "policy/PulumiPolicy.yaml", "policy/package.json"],
        ...["sdk", "provider", "provider/client", "policy", "simulator"].flatMap((room) => [
          `dist/${room}/index.js`,
          `dist/${room}/index.d.ts`,
        ]),
        ...["dist/policy/main.js", "dist/cli/main.js"],
        ...["index.html", "base.css", "main.js"].map((file) => `dist/simulator/page/${file}`),
      ]),
    );
    const known =
      /^dist\/(.*(\.js|\.d\.ts)|require\/package\.json|simulator\/(page|assets)\/[^/]+\.(html|css|svg))$/;
    const pages = /^docs\/[\w-]+\.md$|^docs\/pictures\/[\w-]+\.svg$|^examples\/[\w-]+\/[\w.-]+$/;
    const strange = files.filter((file) => !known.test(file) && !pages.test(file));
    expect(strange.toSorted()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"],
      ...["dist/THIRD-PARTY-NOTICES.txt", "docs/logo.svg", "package.json"],
      ...["policy/PulumiPolicy.yaml", "policy/package.json", "schema.json", "simulator/README.md"],
    ]);
    expect(files.filter((file) => /test|bench|demo|toolchain/.test(file))).toEqual([]);
    // A process that loads hundreds of files takes twice as long to start.
    const code = files.filter((file) =>
      /^dist\/(chunks|cli|policy|provider|sdk)\/.*\.js$/.test(file),
    );
    expect(code.length).toBeLessThan(60);
  });

  it("installs nothing for the simulator and the tool, and says whose work is in it", async () => {
    const modules = join(installed.folder, "node_modules");
    const found = await readdir(modules, { recursive: true });
    expect(found).toContain("pulumi-proxyrental");
    const unwanted = librariesInside.map((name) => join("node_modules", name));
    expect(
      found
        .map((path) => join("node_modules", path))
        .filter((path) => unwanted.some((name) => path.endsWith(name))),
    ).toEqual([]);
    const folder = join(modules, "pulumi-proxyrental", "dist");
    const notices = await readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const owner of ["Yusuke Wada", "Astea Solutions", "Leon Sorokin", "Sebastian Pekarek"]) {
      expect(notices).toContain(owner);
    }
  });
}
