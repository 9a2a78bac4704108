import { type AzblobPlace, azblobUrl, readAzblob } from "./azblob/azblob-place.ts";
import { fileUrl, readFolder, withHome } from "./file/file-url.ts";
import { type GsPlace, gsUrl, readGs } from "./gs/gs-place.ts";
import { type PostgresPlace, postgresUrl, readPostgres } from "./postgres/postgres-place.ts";
import { readS3, type S3Place, s3Url } from "./s3/s3-place.ts";
import { decode, readFlag, refuse, type UrlGrammar, type UrlParts } from "./url-parts.ts";

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

const grammars: Record<Kind, UrlGrammar> = {
  file: fileUrl,
  s3: s3Url,
  gs: gsUrl,
  azblob: azblobUrl,
  postgres: postgresUrl,
};

/**
 * Reads where a journal is, in the grammar of `pulumi login`. Throws one sentence; no part of what was given stands in
 * it that may be a secret.
 */
export function parseJournalUrl(given: string): JournalLocation {
  const kind = readKind(given);
  const { example, noPassword } = grammars[kind];
  // `URL` leaves some characters out that are not to be seen.
  const url = /\p{Cc}/u.test(given) ? null : URL.parse(withHome(given));
  if (url === null || url.hash !== "") throw refuse(`it is not written like ${example}`);
  // Before anything of it is repeated: what stands behind a password may be a part of one. A folder has none.
  const mayHaveSecret = kind === "file" ? url.search : url.pathname + url.search;
  if (url.password !== "" || mayHaveSecret.includes("@")) throw refuse(noPassword);
  if (url.username !== "" && kind !== "postgres") throw refuse(noPassword);
  const parts: UrlParts = {
    user: decode(url.username, example),
    host: url.host,
    path: decode(url.pathname, example).replace(/^\//, ""),
    parameters: readParameters(url.searchParams, kind),
  };
  switch (kind) {
    case "file":
      readFlag(parts.parameters, "no_tmp_dir");
      return { kind, folder: readFolder(given, url) };
    case "s3":
      return { kind, ...readS3(parts) };
    case "gs":
      return { kind, ...readGs(parts) };
    case "azblob":
      return { kind, ...readAzblob(parts) };
    case "postgres":
      return { kind, ...readPostgres(parts) };
  }
}

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
