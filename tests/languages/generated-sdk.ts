import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { onThisMachine } from "../../toolchain/cache.ts";
import { schemaPath } from "../../toolchain/schema/schema-file.ts";
import { type Language, writeSdks } from "../../toolchain/sdks/codegen.ts";

/** Writes an SDK of schema.json into a folder that ends with the test. */
export async function makeSdk(language: Language): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeSdks({ schema: schemaPath, folder, languages: [language] }, onThisMachine());
  return join(folder, language);
}
