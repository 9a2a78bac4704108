/** `npm run package`: writes all files of a release, and their checksums. Run `npm run build` first. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { onThisMachine } from "../cache.ts";
import { checkoutDir } from "../project.ts";
import { schemaPath } from "../schema/schema-file.ts";
import { languages, writeSdks } from "../sdks/codegen.ts";
import { nameArchive, packPlugin, platforms } from "./plugin-archive.ts";
import { bundlePlugin } from "./plugin-bundle.ts";
import { nameSdkArchive, packSdk } from "./sdk-archive.ts";

const [folder = join(checkoutDir, "release")] = process.argv.slice(2);

async function packNpm(): Promise<void> {
  if (!existsSync(join(checkoutDir, "dist"))) throw new Error("run `npm run build` first");
  // Without this, `prepare` would build again.
  const options = ["--ignore-scripts", "--pack-destination", folder];
  await execa("npm", ["pack", checkoutDir, ...options], { cwd: checkoutDir });
}

async function packPlugins(version: string): Promise<void> {
  const bundle = await bundlePlugin();
  for (const platform of platforms) {
    await writeFile(join(folder, nameArchive(version, platform)), packPlugin(bundle, platform));
  }
}

async function packSdks(version: string): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), "proxyrental-sdks-"));
  try {
    await writeSdks({ schema: schemaPath, folder: made, languages }, onThisMachine());
    for (const language of languages) {
      const archive = await packSdk(join(made, language));
      await writeFile(join(folder, nameSdkArchive(version, language)), archive);
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function writeChecksums(): Promise<void> {
  const names = (await readdir(folder)).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
    }),
  );
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
}

try {
  const manifest = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
  const version: string = manifest.version;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await packNpm();
  await packPlugins(version);
  await packSdks(version);
  await writeFile(join(folder, "schema.json"), await readFile(schemaPath));
  await writeChecksums();
  process.stdout.write(`${folder}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
