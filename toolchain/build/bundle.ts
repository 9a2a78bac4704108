import { join, relative } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { checkoutDir } from "../project.ts";

/**
 * Writes the code of the package in a few files, because a process that loads hundreds takes twice as long to start. The
 * libraries that only the simulator or the command line tool needs are in them, so that nobody installs these. All other
 * libraries are imported.
 * @param folder where the code goes
 * @param files paths of what is imported or started from outside; the source of each has the same path outside the folder
 * @returns which files of libraries are in the code
 */
export async function bundlePackage(
  folder: string,
  files: readonly string[],
  libraries: readonly string[],
): Promise<string[]> {
  const names = files.map((file) => relative(folder, file).replace(/\.js$/, ""));
  const bundle = await rolldown({
    cwd: checkoutDir,
    input: Object.fromEntries(names.map((name) => [name, `${name}.ts`])),
    external: (id) =>
      id === "pulumi-proxyrental/package.json" ||
      libraries.some((library) => id === library || id.startsWith(`${library}/`)),
    platform: "node",
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    // The simulator finds its page by its own place.
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => id.startsWith(join(checkoutDir, "simulator")))
        ? "simulator/[name].js"
        : "chunks/[name].js",
  });
  await bundle.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  return chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes("/node_modules/"));
}
