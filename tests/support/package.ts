import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { checkoutDir } from "../../toolchain/project.ts";

/** This project's programs, and npm beside the machine's node. */
const options = { preferLocal: true, localDir: checkoutDir, all: true } as const;

/** The package as it would be published, installed into a project of its own. */
export interface InstalledPackage {
  readonly folder: string;
  /** Every file of the tarball, by its path in the package. */
  readonly files: readonly string[];
  /** Runs a program in the project, and gives what it printed; throws when it fails. */
  run(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs what is built and installs the tarball.
 * @param projectFiles texts of the project's files by name; package.json gets the tarball added
 */
export async function installPackage(
  projectFiles: Readonly<Record<string, string>>,
): Promise<InstalledPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "proxyrental-packed-")));
  const packed = join(folder, "packed");
  for (const [name, text] of Object.entries(projectFiles)) {
    await writeFile(join(folder, name), text);
  }
  // No scripts: `prepare` would build anew under the feet of the tests beside this one.
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
  return { folder, files, run, remove: () => rm(folder, { recursive: true, force: true }) };
}
