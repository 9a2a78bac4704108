import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { JournalError } from "../core/ports.ts";
import type { AzblobPlace } from "./azblob/azblob-store.ts";
import type { GsPlace } from "./gs/gs-store.ts";
import { type PostgresPlace, type SslMode, sslModes } from "./postgres/postgres-store.ts";
import type { S3Place } from "./s3/s3-store.ts";

/** Where a journal is kept, as its URL says. */
export type JournalLocation =
  | { kind: "file"; folder: string }
  | ({ kind: "s3" } & S3Place)
  | ({ kind: "gs" } & GsPlace)
  | ({ kind: "azblob" } & AzblobPlace)
  | ({ kind: "postgres" } & PostgresPlace);

/** A place that many machines can see. */
export type SharedLocation = Exclude<JournalLocation, { kind: "file" }>;

/** A place, safe to print. */
export function describeLocation(location: JournalLocation): string {
  return location.kind === "file" ? location.folder : location.place;
}

type Kind = JournalLocation["kind"];

/**
 * What each kind is written like, and what may be said behind its `?`, as an address for `pulumi login` may have it. `no_tmp_dir` and
 * `awssdk` change nothing here.
 */
const grammars: Record<Kind, { example: string; parameters: readonly string[] }> = {
  file: { example: "file:///absolute/folder", parameters: ["no_tmp_dir"] },
  s3: {
    example: "s3://bucket/prefix?region=REGION",
    parameters: [
      ...["region", "endpoint", "profile", "s3ForcePathStyle", "use_path_style"],
      ...["hostname_immutable", "disableSSL", "disable_https", "dualstack", "fips", "awssdk"],
    ],
  },
  gs: { example: "gs://bucket/prefix", parameters: [] },
  azblob: {
    example: "azblob://container/prefix?storage_account=ACCOUNT",
    parameters: ["storage_account", "domain", "protocol", "localemu"],
  },
  postgres: {
    example: "postgres://user@host/database?table=TABLE",
    parameters: ["table", "sslmode", "sslrootcert"],
  },
};

/** The table where a URL names none. */
export const DEFAULT_TABLE = "proxyrental_journal";

/** A journal's URL in its parts, as far as every kind reads it alike. */
interface Parts {
  user: string;
  host: string;
  /** Without its first slash. */
  path: string;
  parameters: ReadonlyMap<string, string>;
}

/**
 * Reads where a journal is, in the grammar of `pulumi login`. Throws one sentence; no part of what was given stands in
 * it that may be a secret.
 */
export function parseJournalUrl(given: string): JournalLocation {
  const kind = readKind(given);
  // A home folder is no host.
  const text = given.replace(/^file:\/\/~(?=\/|$)/i, () => pathToFileURL(homedir()).href);
  const url = URL.parse(text);
  const { example } = grammars[kind];
  if (url === null || url.hash !== "") throw refuse(`it is not written like ${example}`);
  // Before anything of it is repeated: what stands behind a password may be a part of one.
  if (url.password !== "" || /@/.test(url.pathname + url.search)) throw refuse(noPassword[kind]);
  if (url.username !== "" && kind !== "postgres") throw refuse(noPassword[kind]);
  const parts: Parts = {
    user: decode(url.username, example),
    host: url.host,
    path: decode(url.pathname, example).replace(/^\//, ""),
    parameters: readParameters(url.searchParams, kind),
  };
  if (kind === "file") return { kind, folder: readFolder(url) };
  return readers[kind](parts);
}

/** How the rest of a URL is read. */
const readers: {
  [Shared in SharedLocation["kind"]]: (parts: Parts) => Extract<JournalLocation, { kind: Shared }>;
} = { s3: readS3, gs: readGs, azblob: readAzblob, postgres: readPostgres };

function refuse(reason: string): JournalError {
  return new JournalError("unavailable", `the journal's URL: ${reason}`);
}

const ENVIRONMENT = "credentials come from the environment";

const noPassword: Record<Kind, string> = {
  file: `it is not written like ${grammars.file.example}`,
  s3: `no key may stand in it; ${ENVIRONMENT} (AWS_ACCESS_KEY_ID, AWS_PROFILE, a role)`,
  gs: `no key may stand in it; ${ENVIRONMENT} (GOOGLE_APPLICATION_CREDENTIALS, a service account)`,
  azblob: `no key may stand in it; ${ENVIRONMENT} (AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, a login)`,
  postgres:
    "no password may stand in it; leave it out, and set PGPASSWORD or write it to ~/.pgpass",
};

function readKind(given: string): Kind {
  const [, scheme = ""] = /^([a-z0-9+.-]{1,20}):\/\//i.exec(given) ?? [];
  const kinds = Object.keys(grammars) as Kind[];
  const wanted = scheme.toLowerCase();
  // `psql` takes both.
  const kind = wanted === "postgresql" ? "postgres" : kinds.find((known) => known === wanted);
  if (kind !== undefined) return kind;
  const examples = kinds.map((known) => grammars[known].example).join(", ");
  throw refuse(`it begins like none of ${examples}`);
}

/** A name that is unknown is repeated only where it looks like one: somebody may have put a key there. */
function readParameters(given: URLSearchParams, kind: Kind): ReadonlyMap<string, string> {
  const { parameters } = grammars[kind];
  const names = [...given.keys()];
  const stranger = names.find((name) => !parameters.includes(name));
  if (stranger !== undefined) {
    const known = parameters.length === 0 ? "none" : parameters.join(", ");
    const shown = /^[a-z_]{1,20}$/i.test(stranger) ? ` ${stranger}` : "";
    throw refuse(`${kind}:// has no parameter${shown}; accepted: ${known}`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refuse(`it says ${twice} twice`);
  const empty = names.find((name) => given.get(name) === "");
  if (empty !== undefined) throw refuse(`its ${empty} is empty`);
  return new Map(given);
}

function decode(text: string, example: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse(`it is not written like ${example}`);
  }
}

function readFolder(url: URL): string {
  const { example } = grammars.file;
  if (url.host !== "") throw refuse(`its folder is not absolute; write it like ${example}`);
  // No name of a file has a slash in it, or a zero.
  if (/%(2f|5c|00)/i.test(url.pathname)) throw refuse(`it is not written like ${example}`);
  return join(fileURLToPath(url).replace(/(?<=.)\/+$/, ""));
}

/** Whatever stands between a product's name and its parameters. */
function readBucket({ host, path }: Parts, kind: Exclude<Kind, "file" | "postgres">) {
  const { example } = grammars[kind];
  if (host === "") throw refuse(`it names no bucket; write it like ${example}`);
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(host))
    throw refuse(`its bucket's name is not one; write it like ${example}`);
  const prefix = path.replace(/\/+$/, "");
  if (prefix !== "" && !/^[\w!.*'() -]+(\/[\w!.*'() -]+)*$/.test(prefix)) {
    throw refuse(
      "its prefix has other characters than letters, digits, single slashes, spaces and !-_.*'()",
    );
  }
  return {
    bucket: host,
    prefix: prefix === "" ? "" : `${prefix}/`,
    place: `${kind}://${host}${prefix && `/${prefix}`}`,
  };
}

function readS3(parts: Parts): Extract<JournalLocation, { kind: "s3" }> {
  const { parameters } = parts;
  const { place, ...bucket } = readBucket(parts, "s3");
  const region = parameters.get("region");
  const profile = parameters.get("profile");
  const isPlain = readFlag(parameters, "disableSSL", "disable_https") ?? false;
  const endpoint = readEndpoint(parameters.get("endpoint"), isPlain);
  // A bucket can't stand in the name of a host that must not change. A host that may change says nothing of that.
  const keepsHost = readFlag(parameters, "hostname_immutable") ? ["hostname_immutable"] : [];
  return {
    kind: "s3",
    ...bucket,
    place: endpoint === undefined ? place : `${place} at ${endpoint}`,
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
    ...(endpoint === undefined ? {} : { endpoint }),
    // Few products beside Amazon's have a host name for each bucket.
    pathStyle:
      readFlag(parameters, "s3ForcePathStyle", "use_path_style", ...keepsHost) ??
      endpoint !== undefined,
    ...(readFlag(parameters, "dualstack") && { isDualstack: true }),
    ...(readFlag(parameters, "fips") && { isFips: true }),
  };
}

/** With or without its scheme, as the tools take it. */
function readEndpoint(given: string | undefined, isPlain: boolean): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.parse(
    /^https?:\/\//.test(given) ? given : `${isPlain ? "http" : "https"}://${given}`,
  );
  const isWhole = url !== null && url.href === `${url.origin}/`;
  if (!isWhole) throw refuse("its endpoint is not a host, or an http(s) URL of one");
  return url.origin;
}

/** @param names all that say the same. An address for several tools may have more than one. */
function readFlag(parameters: Parts["parameters"], ...names: string[]): boolean | undefined {
  const [first, ...rest] = names.flatMap((name) => {
    const given = parameters.get(name);
    return given === undefined ? [] : [{ name, isOn: readTruth(name, given) }];
  });
  if (first === undefined) return undefined;
  const other = rest.find(({ isOn }) => isOn !== first.isOn);
  if (other) throw refuse(`its ${first.name} and its ${other.name} contradict each other`);
  return first.isOn;
}

/** As Go reads it, in which `pulumi login` is written. */
function readTruth(name: string, given: string): boolean {
  if (/^(1|t|T|true|True|TRUE)$/.test(given)) return true;
  if (/^(0|f|F|false|False|FALSE)$/.test(given)) return false;
  throw refuse(`its ${name} is neither true nor false`);
}

function readGs(parts: Parts): Extract<JournalLocation, { kind: "gs" }> {
  return { kind: "gs", ...readBucket(parts, "gs") };
}

function readAzblob(parts: Parts): Extract<JournalLocation, { kind: "azblob" }> {
  const { bucket: container, place, ...rest } = readBucket(parts, "azblob");
  const { parameters } = parts;
  const account = parameters.get("storage_account");
  const domain = parameters.get("domain");
  const protocol = parameters.get("protocol");
  if (account !== undefined && !/^[a-z0-9]{3,24}$/.test(account)) {
    throw refuse("its storage_account is not the name of one");
  }
  if (domain !== undefined && !/^[a-z0-9.-]+(:\d{1,5})?$/i.test(domain)) {
    throw refuse("its domain is not one");
  }
  if (protocol !== undefined && protocol !== "http" && protocol !== "https") {
    throw refuse("its protocol is neither http nor https");
  }
  return {
    kind: "azblob",
    container,
    ...rest,
    place: `${place}${account === undefined ? "" : `?storage_account=${account}`}`,
    ...(account === undefined ? {} : { account }),
    ...(domain === undefined ? {} : { domain }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(readFlag(parameters, "localemu") && { isEmulator: true }),
  };
}

function readPostgres({
  user,
  host: address,
  path: database,
  parameters,
}: Parts): Extract<JournalLocation, { kind: "postgres" }> {
  const { example } = grammars.postgres;
  const [, host = "", port = ""] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(address) ?? [];
  if (database === "") throw refuse(`it names no database; write it like ${example}`);
  if (!/^[\w.-]+$/.test(database))
    throw refuse("its database has other characters than letters, digits and _.-");
  const table = parameters.get("table") ?? DEFAULT_TABLE;
  if (!/^[a-z_]\w{0,62}(\.[a-z_]\w{0,62})?$/i.test(table)) {
    throw refuse("its table is not the name of one, or of a schema's");
  }
  if (!/^[\w.@-]*$/.test(user)) throw refuse("its user is not the name of one");
  const sslmode = readSslMode(parameters.get("sslmode"));
  const sslrootcert = parameters.get("sslrootcert");
  if (sslrootcert !== undefined && !sslmode?.startsWith("verify-")) {
    throw refuse("its sslrootcert needs an sslmode of verify-ca or verify-full");
  }
  return {
    kind: "postgres",
    place: `postgres://${user && `${user}@`}${address}/${database}?table=${table}`,
    ...(user === "" ? {} : { user }),
    ...(host === "" ? {} : { host: host.replace(/^\[|\]$/g, "") }),
    ...(port === "" ? {} : { port: Number(port) }),
    database,
    ...(sslmode === undefined ? {} : { sslmode }),
    ...(sslrootcert === undefined ? {} : { sslrootcert }),
    table,
  };
}

function readSslMode(given: string | undefined): SslMode | undefined {
  const known = sslModes.find((mode) => mode === given);
  if (given === undefined || known !== undefined) return known;
  throw refuse(`its sslmode is none of ${sslModes.join(", ")}`);
}
