import { pathToFileURL } from "node:url";
import { nameAzblob } from "./azblob/azblob-place.ts";
import type { JournalLocation } from "./journal-url.ts";
import { namePostgres } from "./postgres/postgres-place.ts";
import { nameS3 } from "./s3/s3-place.ts";
import type { Environment } from "./url-parts.ts";

/**
 * How a setting names a place on any machine, as a URL: with what the environment of this machine adds, so that no other
 * place is named so. No part of it is a secret: keys and passwords of the environment are left out. Throws `JournalError` if the
 * environment names no place.
 */
export function nameLocation(
  location: JournalLocation,
  environment: Environment = process.env,
): string {
  switch (location.kind) {
    case "file":
      return pathToFileURL(location.folder).href;
    case "s3":
      return nameS3(location, environment);
    case "gs":
      return location.place;
    case "azblob":
      return nameAzblob(location, environment);
    case "postgres":
      return namePostgres(location, environment);
  }
}
