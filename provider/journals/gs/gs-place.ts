import {
  type Environment,
  type Refuse,
  readAddress,
  readBucket,
  readNotEmpty,
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
  // As Go's library reads one without a scheme, which `pulumi login` uses. An empty one would be a host for the other library.
  const read = (given: string, refuseIt: Refuse) => readAddress(given, "http", refuseIt);
  return readNotEmpty(environment, EMULATOR, read, "name a server for tests")?.replace(
    /\/storage\/v1$/,
    "",
  );
}
