import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const sdkFolder = dirname(require.resolve("@pulumi/pulumi/package.json"));

/** Scripts that an official install has beside the CLI. A Go build does not make them. */
const shims = {
  /** Starts the process of dynamic resources. The npm package contains it. */
  "pulumi-resource-pulumi-nodejs": join(sdkFolder, "pulumi-resource-pulumi-nodejs"),
  /** Starts a policy pack. Only the module of the language host contains such a script. */
  "pulumi-analyzer-policy": fileURLToPath(
    new URL("./shims/pulumi-analyzer-policy", import.meta.url),
  ),
} as const;

export const shimNames = Object.keys(shims);

/** The version of the installed SDK. CLI and SDK are released together with the same number. */
export function readSdkVersion(): string {
  const text = readFileSync(join(sdkFolder, "package.json"), "utf8");
  return /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? "unknown";
}

export function readShims(): Map<string, string> {
  return new Map(Object.entries(shims).map(([name, file]) => [name, readFileSync(file, "utf8")]));
}

export async function writeShims(binDir: string): Promise<void> {
  for (const [name, text] of readShims()) {
    await writeFile(join(binDir, name), text, { mode: 0o755 });
  }
}
