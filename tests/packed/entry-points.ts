import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { ExecaError } from "execa";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, it } from "vitest";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import {
  entryPointsProgram,
  javaScriptPrograms,
  loadedNames,
  type ModuleSetting,
  moduleSettings,
} from "./module-settings.ts";

const folderOf = ({ name }: ModuleSetting) => name.replaceAll(/\W+/g, "-");

/**
 * Compiles with the compiler of a folder, which writes its code despite errors.
 * @returns the errors but those in declarations of other packages, which are theirs to mend
 */
export async function compile(
  installed: InstalledPackage,
  compilerFolder: string,
  ...args: string[]
): Promise<string[]> {
  const tsc = join(compilerFolder, "node_modules", "typescript", "bin", "tsc");
  const said = await installed
    .run("node", tsc, ...args, "--pretty", "false")
    .catch((failed: ExecaError) => String(failed.all));
  return said
    .split("\n")
    .filter((line) => line.includes("error TS") && !/^node_modules\/(?!pulumi-)/.test(line));
}

/** Writes a project for each setting, and compiles all of them by one run of each compiler. Returns the errors. */
async function compileProjects(installed: InstalledPackage): Promise<string[]> {
  for (const setting of moduleSettings) {
    const { type, compilerOptions } = setting;
    const folder = join(installed.folder, folderOf(setting));
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
  }
  const errors: string[] = [];
  for (const line of [5, 6]) {
    const compiler = line === 5 ? installed.folder : checkoutDir;
    const names = join(compiler, "node_modules", "typescript", "package.json");
    const { version } = JSON.parse(await readFile(names, "utf8"));
    expect(version).toMatch(new RegExp(`^${line}\\.`));
    const folders = moduleSettings.filter(({ typescript }) => typescript === line).map(folderOf);
    errors.push(...(await compile(installed, compiler, "--build", ...folders)));
  }
  return errors;
}

/** Every kind of project finds each entry point and its types. */
export function describeEntryPoints(installed: InstalledPackage): void {
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
    let errors: string[];
    beforeAll(async () => {
      errors = await compileProjects(installed);
    });

    it.each(moduleSettings)("$name", async (setting) => {
      const folder = folderOf(setting);
      // An error in no project is one in the package.
      const others = moduleSettings.map(folderOf).filter((name) => name !== folder);
      const isOthers = (error: string) => others.some((name) => error.startsWith(`${name}/`));
      expect(errors.filter((error) => !isOthers(error))).toEqual([]);
      expect(await installed.run("node", join(folder, "out", "entry.js"))).toBe(loadedNames);
    });

    it.each(Object.keys(javaScriptPrograms))("plain JavaScript, %s", async (program) => {
      expect(await installed.run("node", program)).toBe(loadedNames);
    });
  });
}
