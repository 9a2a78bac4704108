import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { z } from "zod";
import { checkoutDir } from "../project.ts";

/** What a program imports: its code and its types, and the same for a program in CommonJS. */
const importedSchema = z.object({
  types: z.string(),
  default: z.string(),
  require: z.object({ types: z.string(), default: z.string() }),
});

const manifestSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), importedSchema])),
  bin: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});

export type Imported = z.output<typeof importedSchema>;

/** What package.json says about the published package. Paths are relative to the checkout. */
export interface PublishedPackage {
  readonly imported: readonly Imported[];
  /** The files that are started by their names. */
  readonly programs: readonly string[];
  /** The file that the engine loads as the policy pack. */
  readonly policyPack: string;
  /** The libraries that are there, or may be, where the package is installed. */
  readonly libraries: readonly string[];
}

export async function readPublishedPackage(): Promise<PublishedPackage> {
  const { exports, bin, dependencies, peerDependencies } = manifestSchema.parse(
    await readManifest("package.json"),
  );
  const { main } = z.object({ main: z.string() }).parse(await readManifest("policy/package.json"));
  return {
    imported: Object.values(exports).filter((entry) => typeof entry !== "string"),
    programs: [...new Set(Object.values(bin).map((path) => normalize(path)))],
    policyPack: join("policy", main),
    libraries: Object.keys({ ...dependencies, ...peerDependencies }),
  };
}

async function readManifest(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(checkoutDir, path), "utf8"));
}
