import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { checkoutDir } from "./project.ts";

/** With these options the programs of this project are found first, then npm beside the machine's node. */
const options = { preferLocal: true, localDir: checkoutDir, all: true } as const;

/** The package as it would be published, installed into a separate project. */
export interface InstalledPackage {
  readonly folder: string;
  /** Where the packed package is. */
  readonly tarball: string;
  /** Every file of the tarball, as a path in the package. */
  readonly files: readonly string[];
  /** Runs a program in the project and returns its output. If the program fails, throws an error. */
  run(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs the built package and installs the tarball.
 * @param projectFiles texts of the project's files by name; the tarball is added to package.json
 */
export async function installPackage(
  projectFiles: Readonly<Record<string, string>>,
): Promise<InstalledPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "proxyrental-packed-")));
  const packed = join(folder, "packed");
  for (const [name, text] of Object.entries(projectFiles)) {
    await writeFile(join(folder, name), text);
  }
  // Without `--ignore-scripts`, `prepare` would build again while other tests use the build.
  const { stdout } = await execa(
    "npm",
    ["pack", checkoutDir, "--ignore-scripts", "--json", "--pack-destination", folder],
    { ...options, cwd: folder },
  );
  const [tarball = packed] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const files = Array.from(stdout.matchAll(/"path": "([^"]+)"/g), ([, path = ""]) => path);
  const run = async (program: string, ...args: string[]) =>
    (await execa(program, args, { ...options, cwd: folder })).all;
  await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`);
  return {
    ...{ folder, tarball: join(folder, tarball), files, run },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
