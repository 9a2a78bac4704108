import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout that this file belongs to. */
export const checkoutDir: string = fileURLToPath(new URL("..", import.meta.url));

/**
 * Makes a Pulumi project that uses this checkout of the package as if it were installed. It is an ESM project with the
 * given files. Below `node_modules` it has links instead of copies.
 * @param files text by path relative to the project; `Pulumi.yaml` is one of them.
 * @param packageDir the folder of the package, if it is not this checkout.
 */
export async function makeProject(
  projectDir: string,
  files: Readonly<Record<string, string>>,
  packageDir: string = checkoutDir,
): Promise<void> {
  const modulesDir = join(projectDir, "node_modules");
  await mkdir(modulesDir, { recursive: true });
  await symlink(packageDir, join(modulesDir, "pulumi-proxyrental"), "dir");
  await symlink(join(checkoutDir, "node_modules", "@pulumi"), join(modulesDir, "@pulumi"), "dir");
  // npm makes the same links for a package's commands.
  await mkdir(join(modulesDir, ".bin"));
  const { bin } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  for (const [name, path] of Object.entries<string>(bin)) {
    await symlink(join("..", "pulumi-proxyrental", path), join(modulesDir, ".bin", name));
  }
  const manifest = { name: "project", private: true, type: "module" };
  const all = { "package.json": JSON.stringify(manifest), ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(projectDir, path)), { recursive: true });
    await writeFile(join(projectDir, path), text);
  }
}
