import { pathToFileURL } from "node:url";
import { AZURE_DOMAIN, findAccount } from "./azblob/account.ts";
import type { AzblobPlace } from "./azblob/azblob-store.ts";
import type { JournalLocation } from "./journal-url.ts";
import type { PostgresPlace } from "./postgres/postgres-store.ts";
import type { S3Place } from "./s3/s3-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How a setting names a place on any machine, as a URL: with what the environment of this machine adds, so that no other
 * place is named so. No part of it is a secret: keys and passwords of the environment are left out.
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

/** A bucket of Amazon's has one name everywhere. */
function nameS3({ bucket, prefix, endpoint, pathStyle }: S3Place, environment: Environment) {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment;
  const given = endpoint || AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  const place = withPrefix("s3", bucket, prefix);
  if (!given) return place;
  // What a person has written before its host may be a password.
  const { origin = "unknown", pathname = "/" } = URL.parse(given) ?? {};
  const style = pathStyle ? "" : "&s3ForcePathStyle=false";
  return `${place}?endpoint=${origin}${pathname.replace(/\/+$/, "")}${style}`;
}

/** A container has its name within a storage account. */
function nameAzblob(azblob: AzblobPlace, environment: Environment) {
  const { account, domain } = findAccount(azblob, environment);
  const place = withPrefix("azblob", azblob.container, azblob.prefix);
  if (!account) return place;
  const elsewhere = domain && domain !== AZURE_DOMAIN ? `&domain=${domain}` : "";
  return `${place}?storage_account=${account}${elsewhere}`;
}

/** What is not said comes from the environment, as `psql` takes it. */
function namePostgres(
  { user: givenUser, host: givenHost, port: givenPort, database, table }: PostgresPlace,
  environment: Environment,
) {
  const user = givenUser || environment.PGUSER;
  const host = (givenHost || environment.PGHOST || "localhost").toLowerCase();
  const port = String(givenPort || environment.PGPORT || DEFAULT_PORT);
  const name = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  const before = user ? `${encodeURIComponent(user)}@` : "";
  const behind = port === DEFAULT_PORT ? "" : `:${port}`;
  return `postgres://${before}${name}${behind}/${database}?table=${table}`;
}

const DEFAULT_PORT = "5432";

function withPrefix(kind: string, bucket: string, prefix: string): string {
  return `${kind}://${bucket}${prefix && `/${prefix.replace(/\/$/, "")}`}`;
}
