import { expect, test } from "vitest";
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
    { AWS_ENDPOINT_URL: "https://minio.local/" },
    "s3://bucket?endpoint=https://minio.local&s3ForcePathStyle=false",
  ],
  [
    "s3://bucket",
    { AWS_ENDPOINT_URL_S3: "http://key:secret@minio.local", AWS_ENDPOINT_URL: "http://other" },
    "s3://bucket?endpoint=http://minio.local&s3ForcePathStyle=false",
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

test.each(names)("%s with %j is named %s", (url, environment, name) => {
  expect(nameLocation(parseJournalUrl(url), environment)).toBe(name);
  expect(name).not.toContain("secret");
  // Whoever sets it names the same place, whatever the environment there says.
  const elsewhere = { AZURE_STORAGE_ACCOUNT: "else", AWS_ENDPOINT_URL: "", PGPORT: "" };
  expect(nameLocation(parseJournalUrl(name), elsewhere)).toBe(name);
});
