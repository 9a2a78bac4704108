import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { JournalStore } from "../ports.ts";
import { remember } from "../values/remember.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

/** What the document is called that tells which accounts the purchases belong to. */
export const SALT = "salt.json";

const SALT_BYTES = 16;

const FINGERPRINT_BYTES = 8;

/** Makes it slow to guess a short key from its fingerprint: a guess takes 16 MiB and some 30 ms. */
const COST = 2 ** 14;

const saltSchema = z.object({ version: z.literal(1), salt: z.string() });

const saltFormat = jsonFormat(saltSchema, {
  version: 1,
  salt: "",
});

/** Whether a journal has fingerprints: with another salt, no purchase would be known to be of its account. */
export async function hasFingerprints({
  readAll,
}: Pick<JournalStore, "readAll">): Promise<boolean> {
  return (await readAll()).some(({ account }) => account !== undefined);
}

/**
 * Makes a fingerprint of the API key, to tell accounts apart without naming them. Only this journal's salt makes the
 * same one again. The key itself is written nowhere.
 * @param purchases where earlier fingerprints stand: see `hasFingerprints`
 */
export async function fingerprintKey(
  store: TimedStore,
  apiKey: string,
  purchases: Pick<JournalStore, "readAll">,
): Promise<string> {
  const record = openRecord(store, SALT, saltFormat, () => hasFingerprints(purchases));
  const known = (await record.read()).salt;
  // If two processes make one at the same moment, both use that of the first.
  const salt = known !== "" ? known : await record.update(fillIn(randomBytes(SALT_BYTES)));
  const fingerprintOf = await withSalt(salt);
  return fingerprintOf(apiKey);
}

function fillIn(bytes: Buffer) {
  return (state: z.infer<typeof saltSchema>) => {
    if (state.salt !== "") return { state, result: state.salt };
    const salt = bytes.toString("hex");
    return { state: { ...state, salt }, result: salt };
  };
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
