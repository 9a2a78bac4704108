import {
  type Environment,
  ofVariable,
  readAddress,
  readBucket,
  type UrlGrammar,
  type UrlParts,
} from "../url-parts.ts";

/** A bucket of Google Cloud Storage. */
export interface GsPlace {
  place: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

export const gsUrl = {
  example: "gs://bucket/prefix",
  parameters: [],
  noPassword:
    "no key may stand in it; credentials come from the environment (GOOGLE_APPLICATION_CREDENTIALS, a service account)",
} satisfies UrlGrammar;

export function readGs(parts: UrlParts): GsPlace {
  return readBucket("gs", parts, gsUrl);
}

const EMULATOR = "STORAGE_EMULATOR_HOST";

/** Where a server for tests is, if the environment names one. It asks nobody who he is. */
export function findEmulator(environment: Environment): string | undefined {
  const given = environment[EMULATOR];
  if (given === undefined) return undefined;
  const refuseIt = ofVariable(EMULATOR);
  // The library would take it for a host.
  if (given === "") throw refuseIt("is empty: take it away, or name a server for tests");
  // As Go's library reads one without a scheme, which `pulumi login` uses.
  return readAddress(given, "http", refuseIt).replace(/\/storage\/v1$/, "");
}
