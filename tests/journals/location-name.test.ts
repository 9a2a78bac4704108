import { expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import { parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { nameLocation } from "../../provider/journals/location-name.ts";

const TABLE = "table=proxyrental_journal";

const names: [url: string, environment: Record<string, string>, name: string][] = [
  ["file:///var/journal/", {}, "file:///var/journal"],
  ["s3://bucket/a/b/?region=eu-central-1&profile=ci", {}, "s3://bucket/a/b"],
  [
    "s3://bucket/a?endpoint=minio.local:9000&disableSSL=true",
    { AWS_ENDPOINT_URL: "http://other" },
    "s3://bucket/a?endpoint=http://minio.local:9000",
  ],
  [
    "s3://bucket",
    { AWS_ENDPOINT_URL: "https://minio.local/s3/" },
    "s3://bucket?endpoint=https://minio.local/s3&s3ForcePathStyle=false",
  ],
  [
    "s3://bucket",
    { AWS_ENDPOINT_URL_S3: "http://minio.local", AWS_ENDPOINT_URL: "http://other" },
    "s3://bucket?endpoint=http://minio.local&s3ForcePathStyle=false",
  ],
  [
    "s3://bucket",
    { AWS_ENDPOINT_URL: "http://other", AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" },
    "s3://bucket",
  ],
  ["gs://bucket/a", {}, "gs://bucket/a"],
  [
    "azblob://container/a?storage_account=one",
    { AZURE_STORAGE_ACCOUNT: "two", AZURE_STORAGE_CONNECTION_STRING: "AccountName=three" },
    "azblob://container/a?storage_account=one",
  ],
  [
    "azblob://container",
    { AZURE_STORAGE_ACCOUNT: "two", AZURE_STORAGE_KEY: "secret" },
    "azblob://container?storage_account=two",
  ],
  [
    "azblob://container?domain=blob.core.chinacloudapi.cn",
    { AZURE_STORAGE_ACCOUNT: "two", AZURE_STORAGE_DOMAIN: "other" },
    "azblob://container?storage_account=two&domain=blob.core.chinacloudapi.cn",
  ],
  [
    "azblob://container",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        "DefaultEndpointsProtocol=https;AccountName=three;AccountKey=secret==;EndpointSuffix=core.windows.net",
      AZURE_STORAGE_ACCOUNT: "two",
    },
    "azblob://container?storage_account=three",
  ],
  [
    "azblob://container",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        "BlobEndpoint=https://four.blob.core.windows.net/;SharedAccessSignature=sv=1&sig=secret",
    },
    "azblob://container?storage_account=four",
  ],
  [
    "azblob://container?storage_account=three",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        "AccountName=three;AccountKey=secret==;EndpointSuffix=core.chinacloudapi.cn",
      AZURE_STORAGE_DOMAIN: "other",
    },
    "azblob://container?storage_account=three&domain=blob.core.chinacloudapi.cn",
  ],
  [
    "azblob://container?storage_account=two",
    { AZURE_STORAGE_PROTOCOL: "http", AZURE_STORAGE_KEY: "secret" },
    "azblob://container?storage_account=two&protocol=http",
  ],
  [
    "azblob://container?storage_account=two&domain=emulator.local:10000&localemu=true",
    {},
    "azblob://container?storage_account=two&domain=emulator.local:10000&localemu=true",
  ],
  [
    "azblob://container?domain=localhost:10000&protocol=http&localemu=true",
    { AZURE_STORAGE_CONNECTION_STRING: "UseDevelopmentStorage=true", AZURE_STORAGE_KEY: "secret" },
    "azblob://container?storage_account=devstoreaccount1&domain=127.0.0.1:10000&protocol=http",
  ],
  [
    "azblob://container?storage_account=three&domain=Blob.core.windows.net",
    { AZURE_STORAGE_CONNECTION_STRING: "AccountName=three;AccountKey=secret" },
    "azblob://container?storage_account=three",
  ],
  [
    "postgres:///db",
    { PGHOST: "/cloudsql/project:region:name", PGSERVICE: "team" },
    `postgres://%2Fcloudsql%2Fproject%3Aregion%3Aname/db?${TABLE}`,
  ],
  [
    "postgres:///db",
    { PGHOST: "/run/Sockets", PGUSER: "user" },
    `postgres://user@%2Frun%2FSockets/db?${TABLE}`,
  ],
  ["postgres://user@host/db", {}, `postgres://user@host/db?${TABLE}`],
  [
    "postgres://a%40b@[::1]:6432/db?table=team.journal&sslmode=require",
    {},
    "postgres://a%40b@[::1]:6432/db?table=team.journal",
  ],
  ["postgres://HOST:5432/db", {}, `postgres://host/db?${TABLE}`],
  ["postgres:///db", {}, `postgres://localhost/db?${TABLE}`],
  [
    "postgres:///db",
    { PGUSER: "user", PGHOST: "db.local", PGPORT: "6432", PGPASSWORD: "secret" },
    `postgres://user@db.local:6432/db?${TABLE}`,
  ],
];

const SCHEME = "is not a host, or an http(s) URL of one";
const STRING = "AZURE_STORAGE_CONNECTION_STRING";
const ELSEWHERE =
  "names another place than the domain, the protocol or the localemu of the journal's URL";

const refusals: [url: string, variable: string, value: string, reason: string][] = [
  ["s3://b", "AWS_ENDPOINT_URL_S3", "http://key:secret@minio.local", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "key:secret@127.0.0.1:9000", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "http://minio.local/?secret", SCHEME],
  ["s3://b", "AWS_REGION", "../secret", "is not the name of one"],
  [
    ...(["azblob://c", "AZURE_STORAGE_ACCOUNT", "AccountName=a;AccountKey=secret"] as const),
    "is not the name of a storage account: 3 to 24 small letters and digits",
  ],
  ["azblob://c?storage_account=one", "AZURE_STORAGE_PROTOCOL", "htps", "is none of http, https"],
  [
    ...(["azblob://c?storage_account=one", "AZURE_STORAGE_DOMAIN"] as const),
    ...(["http://secret.local", "is not the name of a host"] as const),
  ],
  ["azblob://c?domain=other.local", STRING, "AccountName=a;AccountKey=secret", ELSEWHERE],
  ["azblob://c?protocol=http", STRING, "AccountName=a;AccountKey=secret", ELSEWHERE],
  ["azblob://c?localemu=true", STRING, "AccountName=a;AccountKey=secret", ELSEWHERE],
  [
    ...(["postgres:///db", "PGHOST", "postgres://user:secret@host/db"] as const),
    "is not the name of one, an IP address, or the folder of a socket",
  ],
  ["postgres:///db", "PGUSER", "user:secret", "is not the name of one"],
  ["postgres:///db", "PGPORT", "secret", "is not a number from 1 to 65535"],
  ["postgres:///db", "PGPORT", "99999", "is not a number from 1 to 65535"],
  [
    ...(["postgres://host/db", "PGSSLMODE", "Require"] as const),
    "is none of disable, require, verify-ca, verify-full",
  ],
  [
    ...(["postgres:///db", "PGSERVICE", "team"] as const),
    "is not used here: write the host into the journal's URL",
  ],
];

test.each(refusals)("%s with %s=%s is no place, and the variable is named", (url, ...said) => {
  const [variable, value, reason] = said;
  expect(reason).not.toContain("secret");
  expect(() => nameLocation(parseJournalUrl(url), { [variable]: value })).toThrow(
    new JournalError("unavailable", `the variable ${variable}: it ${reason}`),
  );
});

test.each(names)("%s with %j is named %s", (url, environment, name) => {
  expect(nameLocation(parseJournalUrl(url), environment)).toBe(name);
  expect(name).not.toContain("secret");
  // Whoever sets it names the same place, whatever the environment there says.
  const elsewhere = { AZURE_STORAGE_ACCOUNT: "else", AWS_ENDPOINT_URL: "", PGPORT: "" };
  expect(nameLocation(parseJournalUrl(name), elsewhere)).toBe(name);
});
