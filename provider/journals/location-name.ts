import { pathToFileURL } from "node:url";
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
function nameAzblob({ container, prefix, ...given }: AzblobPlace, environment: Environment) {
  const { AZURE_STORAGE_CONNECTION_STRING: connection = "" } = environment;
  const isConnection = connection !== "" && given.account === undefined;
  const { account, domain } = isConnection
    ? readConnection(connection)
    : {
        account: given.account || environment.AZURE_STORAGE_ACCOUNT,
        domain: given.domain || environment.AZURE_STORAGE_DOMAIN,
      };
  const place = withPrefix("azblob", container, prefix);
  if (!account) return place;
  const elsewhere = domain && domain !== AZURE_DOMAIN ? `&domain=${domain}` : "";
  return `${place}?storage_account=${account}${elsewhere}`;
}

const AZURE_DOMAIN = "blob.core.windows.net";

/** Which account a connection string names, and where its blobs are. */
function readConnection(text: string): { account: string | undefined; domain: string | undefined } {
  const fields = new Map(
    text.split(";").map((field) => {
      const [name = "", ...rest] = field.split("=");
      return [name.trim(), rest.join("=")] as const;
    }),
  );
  const endpoint = URL.parse(fields.get("BlobEndpoint") ?? "");
  if (endpoint === null) {
    const suffix = fields.get("EndpointSuffix");
    return { account: fields.get("AccountName"), domain: suffix && `blob.${suffix}` };
  }
  // An emulator names the account in the path.
  const [, inPath = ""] = endpoint.pathname.split("/");
  if (inPath !== "") return { account: inPath, domain: endpoint.host };
  const [first, ...rest] = endpoint.host.split(".");
  return { account: first, domain: rest.join(".") };
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
