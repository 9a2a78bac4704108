import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { ExecaError } from "execa";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledPackage, installPackage } from "../../toolchain/installed-package.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import {
  entryPointsProgram,
  javaScriptPrograms,
  loadedNames,
  moduleSettings,
} from "./module-settings.ts";

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage({
    "package.json": JSON.stringify({
      name: "consumer",
      devDependencies: { "@types/node": "^22", typescript: "^5.0.0" },
    }),
    ...javaScriptPrograms,
  });
});

afterAll(() => installed?.remove());

it("publint has nothing to say", async () => {
  const tarball = (await readFile(installed.tarball)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball } });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it("every kind of project finds types that are those of the code", async () => {
  const tarball = new Uint8Array(await readFile(installed.tarball));
  const checked = await checkPackage(createPackageFromTarballData(tarball), {
    excludeEntrypoints: ["./package.json"],
  });
  expect(checked).toMatchObject({ types: { kind: "included" }, problems: [] });
});

describe("all entry points compile and load:", () => {
  it.each(moduleSettings)("$name", async ({ name, type, typescript, compilerOptions }) => {
    const folder = join(installed.folder, name.replaceAll(/\W+/g, "-"));
    await mkdir(folder);
    const files = {
      "package.json": { type },
      "tsconfig.json": {
        compilerOptions: { ...compilerOptions, strict: true, rootDir: ".", outDir: "out" },
      },
    };
    for (const [path, content] of Object.entries(files)) {
      await writeFile(join(folder, path), JSON.stringify(content));
    }
    await writeFile(join(folder, "entry.ts"), entryPointsProgram);
    const compiler = typescript === 5 ? installed.folder : checkoutDir;
    const library = join(compiler, "node_modules", "typescript");
    const { version } = JSON.parse(await readFile(join(library, "package.json"), "utf8"));
    expect(version).toMatch(new RegExp(`^${typescript}\\.`));
    const tsc = join(library, "bin", "tsc");
    const said = await installed
      .run("node", tsc, "--project", folder)
      .catch((failed: ExecaError) => String(failed.all));
    // What the declarations of other packages have wrong is theirs to mend.
    const problems = said.split("\n").filter((line) => !/^node_modules\/(?!pulumi-)/.test(line));
    expect(problems.filter((line) => line.includes("error TS"))).toEqual([]);
    expect(await installed.run("node", join(folder, "out", "entry.js"))).toBe(loadedNames);
  });

  it.each(Object.keys(javaScriptPrograms))("plain JavaScript, %s", async (program) => {
    expect(await installed.run("node", program)).toBe(loadedNames);
  });
});
