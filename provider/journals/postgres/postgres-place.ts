import {
  decode,
  type Environment,
  ofParameter,
  ofVariable,
  type Refuse,
  readNotEmpty,
  readVariable,
  readWord,
  refuse,
  refuseVariable,
  type UrlGrammar,
  type UrlParts,
} from "../url-parts.ts";

/** A table of a PostgreSQL database. */
export interface PostgresPlace {
  place: string;
  /** @default PGUSER, else the name of who is logged in */
  user?: string;
  /** A name, an IP address, or the folder of a socket. @default PGHOST, else localhost */
  host?: string;
  /** @default PGPORT, else 5432 */
  port?: number;
  database: string;
  /** @default PGSSLMODE, else `disable`; `verify-full` where PGSSLROOTCERT is `system`. A socket has no other than `disable` */
  sslmode?: SslMode;
  /** A file with the certificates that may vouch for the server. @default PGSSLROOTCERT, else those that Node.js trusts */
  sslrootcert?: string | undefined;
  /** Its name, perhaps below a schema's. @default the schema is `public` */
  table: string;
}

/** The ways of `psql` that say what they do. */
const sslModes = ["disable", "require", "verify-ca", "verify-full"] as const;

export type SslMode = (typeof sslModes)[number];

/** The table where a URL names none. */
export const DEFAULT_TABLE = "proxyrental_journal";

const DEFAULT_PORT = 5432;

export const postgresUrl = {
  example: "postgres://user@host/database?table=TABLE",
  parameters: ["table", "sslmode", "sslrootcert", "channel_binding"],
  noPassword:
    "no password may stand in it; leave it out, and set PGPASSWORD or write it to ~/.pgpass",
} satisfies UrlGrammar;

export function readPostgres({
  user,
  host: address,
  path: database,
  parameters,
}: UrlParts): PostgresPlace {
  const { example } = postgresUrl;
  // A colon within a host is written as %3A, or in brackets.
  const [whole, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(address) ?? [];
  if (whole === undefined) throw refuse(`it is not written like ${example}`);
  if (database === "") throw refuse(`it names no database; write it like ${example}`);
  if (!/^[\w.-]+$/.test(database))
    throw refuse("its database has other characters than letters, digits and _.-");
  const table = parameters.get("table") ?? DEFAULT_TABLE;
  if (!/^[a-z_]\w{0,62}(\.[a-z_]\w{0,62})?$/i.test(table)) {
    throw refuse("its table is not the name of one, or of a schema's");
  }
  const sslmode = parameters.get("sslmode");
  const sslrootcert = parameters.get("sslrootcert");
  if (sslrootcert !== undefined && !sslmode?.startsWith("verify-")) {
    throw refuse("its sslrootcert needs an sslmode of verify-ca or verify-full");
  }
  const binding = parameters.get("channel_binding");
  if (binding !== undefined) readBinding(binding, ofParameter("channel_binding"));
  return {
    place: `postgres://${user && `${user}@`}${address}/${database}?table=${table}`,
    ...(user && { user: readUser(user, ofParameter("user")) }),
    ...(host && { host: readHost(decode(unbracketed(host), example), ofParameter("host")) }),
    ...(port && { port: readPort(port, ofParameter("port")) }),
    database,
    ...(sslmode && { sslmode: readSslMode(sslmode, ofParameter("sslmode")) }),
    ...(sslrootcert && { sslrootcert: readRoots(sslrootcert, ofParameter("sslrootcert")) }),
    table,
  };
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function readUser(given: string, refuseIt: Refuse): string {
  if (/^[^\p{Cc}:/?#]+$/u.test(given)) return given;
  throw refuseIt("is not the name of one");
}

function readHost(given: string, refuseIt: Refuse): string {
  const isFolder = /^\/[^\p{Cc}@?#]*$/u.test(given);
  if (isFolder || /^([\w.-]+|[0-9a-f:.]+(%[\w.-]+)?)$/i.test(given)) return given;
  throw refuseIt("is not the name of one, an IP address, or the folder of a socket");
}

function readPort(given: string, refuseIt: Refuse): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port >= 1 && port <= 65_535) return port;
  throw refuseIt("is not a number from 1 to 65535");
}

function readSslMode(given: string, refuseIt: Refuse): SslMode {
  return readWord(given, sslModes, refuseIt);
}

/** The library can't promise `require`. */
function readBinding(given: string, refuseIt: Refuse): void {
  if (given === "require") {
    throw refuseIt(
      "can't be required here: leave it out, and let an sslmode of verify-full keep other servers out",
    );
  }
  readWord(given, ["disable", "prefer"], refuseIt);
}

/** Somebody may have given the certificates themselves, and a key beside them. */
function readRoots(given: string, refuseIt: Refuse): string {
  if (!/\p{Cc}|-----BEGIN/u.test(given)) return given;
  throw refuseIt("is not the path of a file");
}

/** With it `psql` trusts whom the system trusts, and Node.js whom it trusts. */
const SYSTEM = "system";

/** A place of which nothing is left open but the user's name. */
export interface CompletePostgres extends PostgresPlace {
  host: string;
  port: number;
  sslmode: SslMode;
  sslrootcert: string | undefined;
}

/** The place with what the environment adds: who opens it and who names it mean the same. */
export function completePostgres(
  postgres: PostgresPlace,
  environment: Environment,
): CompletePostgres {
  if (postgres.host === undefined && !environment.PGHOST) {
    // The library does not know these, and would look on this machine.
    for (const name of ["PGSERVICE", "PGHOSTADDR"]) {
      if (environment[name]) {
        throw refuseVariable(name, "it is not used here: write the host into the journal's URL");
      }
    }
  }
  const user = postgres.user ?? readVariable(environment, "PGUSER", readUser);
  const host = postgres.host ?? readVariable(environment, "PGHOST", readHost) ?? "localhost";
  // For `psql`, too, an empty variable says none of the ways. Without any, the journal would be read in the clear.
  readNotEmpty(environment, "PGCHANNELBINDING", readBinding);
  return {
    ...postgres,
    ...(user && { user }),
    host,
    port: postgres.port ?? readVariable(environment, "PGPORT", readPort) ?? DEFAULT_PORT,
    // As with `psql`, nothing is encrypted that does not leave the machine.
    ...(host.startsWith("/") ? UNENCRYPTED : completeSsl(postgres, environment)),
  };
}

type Encryption = Pick<CompletePostgres, "sslmode" | "sslrootcert">;

const UNENCRYPTED: Encryption = { sslmode: "disable", sslrootcert: undefined };

/** Whose certificates are named wants them to be asked. Nothing that was said is left out of account. */
function completeSsl(postgres: PostgresPlace, environment: Environment): Encryption {
  const sslmode = postgres.sslmode ?? readNotEmpty(environment, "PGSSLMODE", readSslMode);
  if (sslmode === "disable") return UNENCRYPTED;
  const roots = postgres.sslrootcert ?? readNotEmpty(environment, "PGSSLROOTCERT", readRoots);
  const refuseRoots = postgres.sslrootcert
    ? ofParameter("sslrootcert")
    : ofVariable("PGSSLROOTCERT");
  if (roots === SYSTEM) {
    // Many have a certificate that some authority of the system has signed.
    if (sslmode !== undefined && sslmode !== "verify-full")
      throw refuseRoots(`is ${SYSTEM}, which needs an sslmode of verify-full`);
    return { sslmode: "verify-full", sslrootcert: undefined };
  }
  if (roots !== undefined && sslmode === undefined)
    throw refuseRoots("needs an sslmode: say one in the journal's URL, or in PGSSLMODE");
  if (sslmode === undefined) return UNENCRYPTED;
  if (sslmode === "verify-ca" && roots === undefined)
    throw refuse("an sslmode of verify-ca needs an sslrootcert, in it or in PGSSLROOTCERT");
  // As `psql` does it.
  return { sslmode: sslmode === "require" && roots ? "verify-ca" : sslmode, sslrootcert: roots };
}

/** See `nameLocation`. */
export function namePostgres(postgres: PostgresPlace, environment: Environment): string {
  const { user, host, port, database, table } = completePostgres(postgres, environment);
  const before = user ? `${encodeURIComponent(user)}@` : "";
  const behind = port === DEFAULT_PORT ? "" : `:${port}`;
  return `postgres://${before}${nameHost(host)}${behind}/${database}?table=${table}`;
}

function nameHost(host: string): string {
  if (host.startsWith("/")) return encodeURIComponent(host);
  return host.includes(":") ? `[${host}]` : host.toLowerCase();
}
