import { expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import { parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { nameLocation } from "../../provider/journals/location-name.ts";
import { completePostgres } from "../../provider/journals/postgres/postgres-place.ts";

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
    "s3://bucket?endpoint=minio.local&fips=false",
    { AWS_USE_FIPS_ENDPOINT: "true" },
    "s3://bucket?endpoint=https://minio.local",
  ],
  ["s3://bucket", { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" }, "s3://bucket"],
  [
    "s3://bucket",
    { AWS_ENDPOINT_URL: "http://other/a&b%26", AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "False" },
    "s3://bucket?endpoint=http://other/a%26b%2526&s3ForcePathStyle=false",
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
    "azblob://container?domain=blob.core.windows.net",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        " AccountName=one ;AccountKey=secret; EndpointSuffix=core.windows.net\n",
    },
    "azblob://container?storage_account=one",
  ],
  [
    "azblob://container",
    { AZURE_STORAGE_CONNECTION_STRING: "DefaultEndpointsProtocol=HTTP;AccountName=one" },
    "azblob://container?storage_account=one&protocol=http",
  ],
  [
    "azblob://container",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        "AccountName=one;AccountName=two;UseDevelopmentStorage=true;AccountKey=secret",
    },
    "azblob://container?storage_account=one",
  ],
  ...[
    "QueueEndpoint=https://one.queue.core.windows.net/;SharedAccessSignature=secret",
    "AccountName=My-Emulated;AccountKey=secret",
    "secret",
  ].map((given): (typeof names)[number] => [
    "azblob://container?storage_account=one",
    { AZURE_STORAGE_CONNECTION_STRING: given },
    "azblob://container?storage_account=one",
  ]),
  [
    "azblob://container",
    {
      AZURE_STORAGE_CONNECTION_STRING:
        "BlobEndpoint=https://blobs.example.com/;AccountName=one;AccountKey=secret",
    },
    "azblob://container?storage_account=blobs&domain=example.com",
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

const NO_SWITCH = "is none of true, false";
const SCHEME = "is not a host, or an http(s) URL of one";
const STRING = "AZURE_STORAGE_CONNECTION_STRING";
const ELSEWHERE =
  "names another place than the storage_account, the domain, the protocol or the localemu of the journal's URL";

const NO_BINDING =
  "can't be required here: leave it out, and let an sslmode of verify-full keep other servers out";

const refusals: [url: string, variable: string, value: string, reason: string][] = [
  ["s3://b", "AWS_ENDPOINT_URL_S3", "http://key:secret@minio.local", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "key:secret@127.0.0.1:9000", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "http://minio.local/?secret", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "https:/secret.local", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "http//secret.local", SCHEME],
  ["s3://b", "AWS_ENDPOINT_URL", "http://minio.local/\nsecret", SCHEME],
  ["s3://b", "AWS_REGION", "../secret", "is not the name of one"],
  ["s3://b", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "yes", NO_SWITCH],
  ["s3://b", "AWS_USE_FIPS_ENDPOINT", "1", NO_SWITCH],
  ["s3://b", "AWS_USE_DUALSTACK_ENDPOINT", "on", NO_SWITCH],
  ["s3://b", "AWS_ENDPOINT_URL", "http://\\secret.local", SCHEME],
  [
    ...(["s3://b?endpoint=minio.local", "AWS_USE_FIPS_ENDPOINT", "True"] as const),
    "is true, and the journal is at an endpoint of its own",
  ],
  [
    ...(["azblob://c", "AZURE_STORAGE_ACCOUNT", "AccountName=a;AccountKey=secret"] as const),
    "is not the name of a storage account: 3 to 24 small letters and digits",
  ],
  ["azblob://c?storage_account=one", "AZURE_STORAGE_PROTOCOL", "htps", "is none of http, https"],
  [
    ...(["azblob://c?storage_account=one", "AZURE_STORAGE_DOMAIN"] as const),
    ...(["http://secret.local", "is not the name of a host"] as const),
  ],
  ["azblob://c?domain=other.local", STRING, "AccountName=one;AccountKey=secret", ELSEWHERE],
  ["azblob://c?protocol=http", STRING, "AccountName=one;AccountKey=secret", ELSEWHERE],
  ["azblob://c?localemu=true", STRING, "AccountName=one;AccountKey=secret", ELSEWHERE],
  ["azblob://c?protocol=https", STRING, "DefaultEndpointsProtocol=HTTP;AccountName=one", ELSEWHERE],
  ["azblob://c", STRING, "DefaultEndpointsProtocol=htps;AccountName=one", "is none of http, https"],
  ["azblob://c", STRING, "AcountName=one;AccountKey=secret", "names no storage account"],
  [
    ...(["azblob://c?storage_account=one&domain=blob.core.windows.net", STRING] as const),
    ...(["AccountName=one;BlobEndpoint=https://two.blob.core.windows.net", ELSEWHERE] as const),
  ],
  [
    ...(["azblob://c", STRING, "AccountName=one secret;AccountKey=k"] as const),
    "is not the name of a storage account: 3 to 24 small letters and digits",
  ],
  [
    ...(["azblob://c", STRING, "AccountName=one;EndpointSuffix=secret/"] as const),
    "is not the name of a host",
  ],
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
  ["postgres://host/db", "PGSSLMODE", "", "is empty: take it away, or say one"],
  ["postgres://host/db", "PGSSLROOTCERT", "", "is empty: take it away, or say one"],
  [
    ...(["postgres://host/db", "PGSSLROOTCERT", "/secret"] as const),
    "needs an sslmode: say one in the journal's URL, or in PGSSLMODE",
  ],
  [
    ...(["postgres://host/db?sslmode=require", "PGSSLROOTCERT", "system"] as const),
    "is system, which needs an sslmode of verify-full",
  ],
  [
    ...(["postgres://host/db?sslmode=verify-full", "PGSSLROOTCERT"] as const),
    ...(["-----BEGIN PRIVATE KEY-----\nsecret", "is not the path of a file"] as const),
  ],
  ["postgres://host/db", "PGCHANNELBINDING", "require", NO_BINDING],
  ["postgres://%2Frun/db", "PGCHANNELBINDING", "require", NO_BINDING],
  ["postgres://host/db", "PGCHANNELBINDING", "on", "is none of disable, prefer"],
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

test.each<[url: string, environment: Record<string, string>, mode: string, roots?: string]>([
  ["postgres://host/db", {}, "disable"],
  ["postgres://host/db", { PGSSLROOTCERT: "system" }, "verify-full"],
  [
    "postgres://host/db?sslmode=require",
    { PGSSLMODE: "disable", PGSSLROOTCERT: "/a" },
    ...(["verify-ca", "/a"] as const),
  ],
  ["postgres://host/db?sslmode=disable", { PGSSLMODE: "", PGSSLROOTCERT: "/a" }, "disable"],
  ["postgres://%2Frun/db?sslmode=require", { PGSSLROOTCERT: "/a" }, "disable"],
  ["postgres:///db", { PGHOST: "/run", PGSSLMODE: "require" }, "disable"],
  ["postgres://host/db?channel_binding=prefer", { PGCHANNELBINDING: "prefer" }, "disable"],
])("%s with %j is encrypted by %s", (url, environment, sslmode, sslrootcert) => {
  const location = parseJournalUrl(url);
  if (location.kind !== "postgres") throw new Error(location.kind);
  expect(completePostgres(location, environment)).toMatchObject({ sslmode });
  expect(completePostgres(location, environment).sslrootcert).toBe(sslrootcert);
});
