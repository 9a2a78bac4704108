import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "../sdks/codegen.ts";
import { makeArchive } from "./archive.ts";

/** How a release calls the sources of an SDK. */
export function nameSdkArchive(version: string, language: Language): string {
  return `pulumi-proxyrental-sdk-${language}-${version}.tar.gz`;
}

/** Packs the folder of an SDK. What is published of it is built where its language is. */
export async function packSdk(sdk: string): Promise<Buffer> {
  const found = await readdir(sdk, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return makeArchive(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const inside = path.slice(sdk.length + 1).replaceAll("\\", "/");
        return { path: inside, content: await readFile(path) };
      }),
    ),
  );
}
