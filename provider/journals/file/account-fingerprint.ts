import { randomBytes, randomUUID, scrypt } from "node:crypto";
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { remember } from "../../core/values/remember.ts";
import { codeOf, readIfThere, writeThrough } from "./disk.ts";

const SALT_BYTES = 16;

const FINGERPRINT_BYTES = 8;

/** Makes it slow to guess a short key from its fingerprint: a guess takes 16 MiB and some 30 ms. */
const COST = 2 ** 14;

/**
 * Makes a fingerprint of the API key, to tell accounts apart without naming them. Only this journal's salt makes the
 * same one again. The key itself is written nowhere.
 */
export async function fingerprintKey(folder: string, apiKey: string): Promise<string> {
  const salt = await readSalt(join(folder, "salt"), folder);
  const fingerprintOf = await withSalt(salt);
  return fingerprintOf(apiKey);
}

/** What this process has derived: the explicit providers of a program often share a key. */
const withSalt = remember(async (salt: string) =>
  remember((apiKey: string) => derive(apiKey, salt)),
);

async function derive(apiKey: string, salt: string): Promise<string> {
  const slowly = promisify<string, Buffer, number, { N: number }, Buffer>(scrypt);
  const bytes = await slowly(apiKey, Buffer.from(salt, "hex"), FINGERPRINT_BYTES, { N: COST });
  return bytes.toString("hex");
}

/** The salt, as hexadecimal digits. If two processes make one at the same moment, both use that of the first. */
async function readSalt(path: string, folder: string): Promise<string> {
  const known = await readIfThere(path);
  if (known !== undefined) return known;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const salt = randomBytes(SALT_BYTES).toString("hex");
    await writeThrough(draft, salt);
    await link(draft, path);
    return salt;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return readSalt(path, folder);
  } finally {
    await rm(draft, { force: true });
  }
}
