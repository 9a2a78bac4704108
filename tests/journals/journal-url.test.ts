import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import { azblobUrl } from "../../provider/journals/azblob/azblob-place.ts";
import { fileUrl } from "../../provider/journals/file/file-url.ts";
import { gsUrl } from "../../provider/journals/gs/gs-place.ts";
import { type JournalLocation, parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { postgresUrl } from "../../provider/journals/postgres/postgres-place.ts";
import { s3Url } from "../../provider/journals/s3/s3-place.ts";
import type { UrlGrammar } from "../../provider/journals/url-parts.ts";
import { readPage } from "../support/docs.ts";

/** Why a URL is not accepted. */
function refusalOf(url: string): string {
  try {
    return `it was accepted as ${JSON.stringify(parseJournalUrl(url))}`;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    expect(error.reason).toBe("unavailable");
    expect(error.message).toMatch(/^the journal's URL: [^\n]+$/);
    return error.message.slice("the journal's URL: ".length);
  }
}

describe("what is accepted", () => {
  const accepted: [url: string, location: JournalLocation][] = [
    ["file:///var/journal", { kind: "file", folder: "/var/journal" }],
    ["file:///var/journal/", { kind: "file", folder: "/var/journal" }],
    ["file:///a?no_tmp_dir=true", { kind: "file", folder: "/a" }],
    ["file:///with%20space/a", { kind: "file", folder: "/with space/a" }],
    ["file:///home/me@corp/a", { kind: "file", folder: "/home/me@corp/a" }],
    ["file:///", { kind: "file", folder: "/" }],
    ["file://~", { kind: "file", folder: homedir() }],
    ["FILE://~/a%20b", { kind: "file", folder: join(homedir(), "a b") }],
    ["file://~/journal", { kind: "file", folder: join(homedir(), "journal") }],
    [
      "s3://bucket",
      { kind: "s3", bucket: "bucket", prefix: "", pathStyle: false, place: "s3://bucket" },
    ],
    [
      "S3://my.bucket/team/journal/?region=eu-central-1&profile=ci&awssdk=v2",
      {
        ...{ kind: "s3", bucket: "my.bucket", prefix: "team/journal/", pathStyle: false },
        ...{ region: "eu-central-1", profile: "ci", place: "s3://my.bucket/team/journal" },
      },
    ],
    [
      "s3://bucket/a?endpoint=minio.local:9000&disableSSL=true&s3ForcePathStyle=false",
      {
        ...{ kind: "s3", bucket: "bucket", prefix: "a/", pathStyle: false },
        ...{
          endpoint: "http://minio.local:9000",
          place: "s3://bucket/a at http://minio.local:9000",
        },
      },
    ],
    [
      "s3://bucket?endpoint=HTTPS://minio.local/",
      {
        ...{ kind: "s3", bucket: "bucket", prefix: "", pathStyle: true },
        ...{ endpoint: "https://minio.local", place: "s3://bucket at https://minio.local" },
      },
    ],
    [
      "s3://bucket?endpoint=minio.local&disable_https=T&use_path_style=false",
      {
        ...{ kind: "s3", bucket: "bucket", prefix: "", pathStyle: false },
        ...{ endpoint: "http://minio.local", place: "s3://bucket at http://minio.local" },
      },
    ],
    [
      "s3://bucket?hostname_immutable=true&dualstack=1&fips=TRUE",
      {
        ...{ kind: "s3", bucket: "bucket", prefix: "", pathStyle: true, place: "s3://bucket" },
        ...{ isDualstack: true, isFips: true },
      },
    ],
    [
      "s3://bucket?hostname_immutable=true&s3ForcePathStyle=true",
      { kind: "s3", bucket: "bucket", prefix: "", pathStyle: true, place: "s3://bucket" },
    ],
    [
      "s3://bucket?hostname_immutable=false&use_path_style=true",
      { kind: "s3", bucket: "bucket", prefix: "", pathStyle: true, place: "s3://bucket" },
    ],
    ["gs://bucket/a/b", { kind: "gs", bucket: "bucket", prefix: "a/b/", place: "gs://bucket/a/b" }],
    [
      "azblob://container?storage_account=team1&domain=blob.core.chinacloudapi.cn",
      {
        ...{ kind: "azblob", container: "container", prefix: "", account: "team1" },
        ...{ domain: "blob.core.chinacloudapi.cn" },
        place: "azblob://container?storage_account=team1",
      },
    ],
    [
      "azblob://container/a?domain=127.0.0.1:10000&protocol=http&localemu=1",
      {
        ...{ kind: "azblob", container: "container", prefix: "a/", place: "azblob://container/a" },
        ...{ domain: "127.0.0.1:10000", protocol: "http", isEmulator: true },
      },
    ],
    [
      "postgres://user@host/db",
      {
        ...{ kind: "postgres", user: "user", host: "host", database: "db" },
        ...{
          table: "proxyrental_journal",
          place: "postgres://user@host/db?table=proxyrental_journal",
        },
      },
    ],
    [
      "postgres://a%40b@[::1]:6432/db?table=team.journal&sslmode=verify-full&sslrootcert=/a/ca.crt",
      {
        ...{ kind: "postgres", user: "a@b", host: "::1", port: 6432, database: "db" },
        ...{ sslmode: "verify-full", sslrootcert: "/a/ca.crt", table: "team.journal" },
        place: "postgres://a@b@[::1]:6432/db?table=team.journal",
      },
    ],
    [
      "postgres://user@%2Frun%2FSockets:6432/db",
      {
        ...{ kind: "postgres", user: "user", host: "/run/Sockets", port: 6432, database: "db" },
        table: "proxyrental_journal",
        place: "postgres://user@%2Frun%2FSockets:6432/db?table=proxyrental_journal",
      },
    ],
    [
      "postgres://Max%20%C3%A4%2B@%2Fcloudsql%2Fproject%3Aregion%3Aname/db",
      {
        ...{
          kind: "postgres",
          user: "Max ä+",
          host: "/cloudsql/project:region:name",
          database: "db",
        },
        table: "proxyrental_journal",
        place:
          "postgres://Max ä+@%2Fcloudsql%2Fproject%3Aregion%3Aname/db?table=proxyrental_journal",
      },
    ],
    [
      "s3://bucket?endpoint=https://team.example/storage/v1/s3/",
      {
        ...{ kind: "s3", bucket: "bucket", prefix: "", pathStyle: true },
        ...{
          endpoint: "https://team.example/storage/v1/s3",
          place: "s3://bucket at https://team.example/storage/v1/s3",
        },
      },
    ],
    [
      "postgresql://user@host/db",
      {
        ...{ kind: "postgres", user: "user", host: "host", database: "db" },
        ...{
          table: "proxyrental_journal",
          place: "postgres://user@host/db?table=proxyrental_journal",
        },
      },
    ],
    [
      "postgres:///db",
      {
        ...{ kind: "postgres", database: "db", table: "proxyrental_journal" },
        place: "postgres:///db?table=proxyrental_journal",
      },
    ],
  ];
  test.each(accepted)("%s", (url, location) => {
    expect(parseJournalUrl(url)).toEqual(location);
  });
});

test.each(Object.entries({ s3Url, gsUrl, azblobUrl, postgresUrl, fileUrl }))(
  "the page about shared journals has the parameters of %s",
  (_name, { parameters }: UrlGrammar) => {
    const { text } = readPage("docs/never-twice.md");
    for (const parameter of parameters) expect(text).toContain(`\`${parameter}\``);
  },
);

describe("what is refused, and why", () => {
  const S3 = "s3://bucket/prefix?region=REGION";
  const all =
    "it begins like none of file:///absolute/folder, s3://bucket/prefix?region=REGION, gs://bucket/prefix, azblob://container/prefix?storage_account=ACCOUNT, postgres://user@host/database?table=TABLE";
  test.each([
    ["", all],
    ["/var/journal", all],
    ["https://bucket", all],
    ["s3:/bucket", all],
    ["toString://bucket", all],
    ["file://", "it names no folder; write it like file:///absolute/folder"],
    ["file://?no_tmp_dir=true", "it names no folder; write it like file:///absolute/folder"],
    ["file:///a?no_tmp_dir=yes", "its no_tmp_dir is neither true nor false"],
    ["file:///a\nb", "it is not written like file:///absolute/folder"],
    ["file:///a%0Ab", "it is not written like file:///absolute/folder"],
    ["file://relative/folder", "its folder is not absolute; write it like file:///absolute/folder"],
    ["file:///a?x=1", "file:// has no parameter x; accepted: no_tmp_dir"],
    ["file:///a%2Fb", "it is not written like file:///absolute/folder"],
    ["file:///a%00b", "it is not written like file:///absolute/folder"],
    ["file:///%zz", "it is not written like file:///absolute/folder"],
    ["s3://", `it names no bucket; write it like ${S3}`],
    ["s3:///prefix", `it names no bucket; write it like ${S3}`],
    ["s3://bucket:80", `its bucket's name is not one; write it like ${S3}`],
    [
      "s3://bucket/a//b",
      "its prefix has other characters than letters, digits, single slashes, spaces and !-_.*'()",
    ],
    ["s3://bucket/%zz", `it is not written like ${S3}`],
    ["s3://bucket/a#b", `it is not written like ${S3}`],
    ["s3://bucket?region=", "its region is empty"],
    ["s3://bucket?region=a&region=b", "it says region twice"],
    [
      "s3://bucket?Region=a",
      `s3:// has no parameter Region; accepted: region, endpoint, profile, s3ForcePathStyle, use_path_style, hostname_immutable, disableSSL, disable_https, dualstack, fips, awssdk`,
    ],
    ["s3://bucket?endpoint=http://a/b?c", "its endpoint is not a host, or an http(s) URL of one"],
    ["s3://bucket?endpoint=ftp://a", "its endpoint is not a host, or an http(s) URL of one"],
    [
      "s3://bucket?endpoint=https://a&disable_https=true",
      "its endpoint begins with https, and its disableSSL is true",
    ],
    [
      "s3://bucket?endpoint=minio.local/%0Aa",
      "its endpoint is not a host, or an http(s) URL of one",
    ],
    ["s3://bucket?region=../x", "its region is not the name of one"],
    ["s3://bucket?awssdk=v3", "its awssdk is none of v1, v2"],
    ["s3://bucket?s3ForcePathStyle=yes", "its s3ForcePathStyle is neither true nor false"],
    [
      "s3://bucket?s3ForcePathStyle=true&use_path_style=false",
      "its s3ForcePathStyle and its use_path_style contradict each other",
    ],
    [
      "s3://bucket?hostname_immutable=true&use_path_style=f",
      "its use_path_style and its hostname_immutable contradict each other",
    ],
    ["s3://bucket?fips=on", "its fips is neither true nor false"],
    ["gs://bucket?region=a", "gs:// has no parameter region; accepted: none"],
    [
      "azblob://container?storage_account=A_B",
      "its storage_account is not the name of a storage account: 3 to 24 small letters and digits",
    ],
    ["azblob://container?domain=a/b", "its domain is not the name of a host"],
    ["azblob://container?domain=host:1234567", "its domain is not the name of a host"],
    ["azblob://container?domain=127.0.0.1:99999", "its domain is not the name of a host"],
    ["azblob://container?protocol=ftp", "its protocol is none of http, https"],
    [
      "postgres://user@host",
      "it names no database; write it like postgres://user@host/database?table=TABLE",
    ],
    ["postgres://user@host/a/b", "its database has other characters than letters, digits and _.-"],
    ["postgres://host/db?table=a;b", "its table is not the name of one, or of a schema's"],
    ["postgres://host/db?table=a.b.c", "its table is not the name of one, or of a schema's"],
    [
      "postgres://host/db?sslmode=prefer",
      "its sslmode is none of disable, require, verify-ca, verify-full",
    ],
    [
      "postgres://host/db?sslmode=require&sslrootcert=/a",
      "its sslrootcert needs an sslmode of verify-ca or verify-full",
    ],
    [
      "postgres://host/db?sslmode=require&channel_binding=require",
      "its channel_binding can't be required here: leave it out, and let an sslmode of verify-full keep other servers out",
    ],
    [
      "postgres://host/db?sslmode=verify-full&sslrootcert=-----BEGIN",
      "its sslrootcert is not the path of a file",
    ],
    [
      "postgres://one:two:three/db",
      "it is not written like postgres://user@host/database?table=TABLE",
    ],
    [
      "postgres://one%3A2%3Athree/db",
      "its host is not the name of one, an IP address, or the folder of a socket",
    ],
    ["postgres://host:0/db", "its port is not a number from 1 to 65535"],
    [
      "postgres://one,two/db",
      "its host is not the name of one, an IP address, or the folder of a socket",
    ],
    [
      "postgres://host:99999/db",
      "it is not written like postgres://user@host/database?table=TABLE",
    ],
  ])("%s", (url, reason) => {
    expect(refusalOf(url)).toBe(reason);
  });
});

describe("no secret is repeated", () => {
  test.each([
    [
      "s3://KEY:xq@bucket/a",
      "no key may stand in it; credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, a role)",
    ],
    [
      "s3://xq@bucket/a",
      "no key may stand in it; credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, a role)",
    ],
    [
      "gs://xq@bucket",
      "no key may stand in it; credentials come from the environment (GOOGLE_APPLICATION_CREDENTIALS, a service account)",
    ],
    [
      "azblob://a:xq@container",
      "no key may stand in it; credentials come from the environment (AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, a login)",
    ],
    [
      "azblob://container?sig=xq",
      "azblob:// has no parameter sig; accepted: storage_account, domain, protocol, localemu",
    ],
    [
      "azblob://container?x%20q",
      "azblob:// has no parameter; accepted: storage_account, domain, protocol, localemu",
    ],
    [
      "postgres://user:xq@host/db",
      "no password may stand in it; leave it out, and set PGPASSWORD or write it to ~/.pgpass",
    ],
    [
      "postgres://host/db?password=xq",
      "postgres:// has no parameter password; accepted: table, sslmode, sslrootcert, channel_binding",
    ],
    ["postgres://user%3Axq@host/db", "its user is not the name of one"],
    [
      "s3://bucket?endpoint=http://a:xq@host",
      "no key may stand in it; credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, a role)",
    ],
  ])("%s", (url, reason) => {
    expect(refusalOf(url)).toBe(reason);
  });

  test("whatever a password is made of, it is refused, and no part of it is said", () => {
    const piece = fc.constantFrom(
      ...[
        "xq",
        "Xq",
        "7",
        "@",
        "/",
        "//",
        ":",
        "?",
        "#",
        "&",
        "=",
        "%",
        "%40",
        "\\",
        "[",
        "]",
        " ",
        "ü",
        "~",
      ],
      ...["table=", "region=", "endpoint=", "\t", "\n", "'", '"', ";", ".", "-"],
    );
    const password = fc
      .array(piece, { minLength: 1, maxLength: 6 })
      .map((pieces) => `xq${pieces.join("")}xq`);
    const around = fc.constantFrom<(secret: string) => string>(
      (secret) => `postgres://user:${secret}@host/db`,
      (secret) => `postgres://user:${secret}@host:5432/db?table=journal`,
      (secret) => `s3://KEY:${secret}@bucket/prefix?region=eu-central-1`,
      (secret) => `gs://KEY:${secret}@bucket`,
      (secret) => `azblob://account:${secret}@container/prefix`,
      (secret) => `file://user:${secret}@/var/journal`,
      (secret) => `https://user:${secret}@host/db`,
    );
    fc.assert(
      fc.property(around, password, (compose, secret) => {
        expect(refusalOf(compose(secret))).not.toMatch(/xq/i);
      }),
      { numRuns: 3_000 },
    );
  });
});
