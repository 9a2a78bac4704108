import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { checkoutDir } from "../project.ts";
import type { ArchivedFile } from "./archive.ts";

/**
 * The plugin with every library that it uses, those of the journal's stores too: who installs an archive has no npm
 * project to install them in.
 */
export async function bundlePlugin(): Promise<ArchivedFile[]> {
  const bundle = await rolldown({
    cwd: checkoutDir,
    input: { main: "provider/host/plugin/main.ts" },
    platform: "node",
    // The first is a file of the archive. The second is compiled code, which pg does without.
    external: ["pulumi-proxyrental/package.json", "pg-native"],
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  const libraries = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap(findLibrary));
  return [
    ...chunks.map(({ fileName, code }) => ({ path: fileName, content: code })),
    { path: "LICENSES.txt", content: [...libraries].toSorted().map(quoteLicense).join("\n") },
  ];
}

/** The folder of the library that a file of the bundle comes from. */
function findLibrary(file: string): string[] {
  const marker = "/node_modules/";
  const at = file.lastIndexOf(marker);
  if (at < 0) return [];
  const [scope = "", name = ""] = file.slice(at + marker.length).split("/");
  const path = scope.startsWith("@") ? `${scope}/${name}` : scope;
  return [`${file.slice(file.lastIndexOf("\0") + 1, at)}${marker}${path}`];
}

function quoteLicense(folder: string): string {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) throw new Error(`${dirname(manifest)} is no library`);
  const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
  return `${name} ${version}: ${license ?? "see below"}\n\n${text.trim()}\n`;
}
