import { join } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { checkoutDir } from "../project.ts";

/** What is imported from outside: by programs, and by the command line tool, which loads `run` when it is used. */
const entries = ["index", "command", "run"];

/**
 * Writes the simulator with the libraries that only it needs, so that users of the provider install none of them. The
 * package's own dependencies are imported as everywhere else. Tells which files of libraries are in it.
 */
export async function bundleSimulator(
  folder: string,
  dependencies: readonly string[],
): Promise<string[]> {
  const bundle = await rolldown({
    input: Object.fromEntries(
      entries.map((name) => [name, join(checkoutDir, "simulator", `${name}.ts`)]),
    ),
    external: (name) => dependencies.some((own) => name === own || name.startsWith(`${own}/`)),
    platform: "node",
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    // Side by side with the entries: the code finds the page by its own place.
    chunkFileNames: "[name].js",
  });
  await bundle.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  return chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes("/node_modules/"));
}
