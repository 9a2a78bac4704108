import { join } from "node:path";
import { onThisMachine } from "../../toolchain/cache.ts";
import { schemaPath } from "../../toolchain/schema/schema-file.ts";
import { type Language, writeSdks } from "../../toolchain/sdks/codegen.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** Writes an SDK of schema.json into a folder that ends with the test. */
export async function makeSdk(language: Language): Promise<string> {
  const folder = await makeTemporaryFolder();
  await writeSdks({ schema: schemaPath, folder, languages: [language] }, onThisMachine());
  return join(folder, language);
}
