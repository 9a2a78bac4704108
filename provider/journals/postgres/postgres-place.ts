import {
  type Environment,
  ofParameter,
  type Refuse,
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
  /** @default PGSSLMODE, else `disable` */
  sslmode?: SslMode;
  /** A file with the certificates that may vouch for the server. @default PGSSLROOTCERT, else those that Node.js trusts */
  sslrootcert?: string;
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
  parameters: ["table", "sslmode", "sslrootcert"],
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
  const [, host = "", port = ""] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(address) ?? [];
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
  return {
    place: `postgres://${user && `${user}@`}${address}/${database}?table=${table}`,
    ...(user && { user: readUser(user, ofParameter("user")) }),
    ...(host && { host: readHost(unbracketed(host), ofParameter("host")) }),
    ...(port && { port: readPort(port, ofParameter("port")) }),
    database,
    ...(sslmode && { sslmode: readSslMode(sslmode, ofParameter("sslmode")) }),
    ...(sslrootcert && { sslrootcert }),
    table,
  };
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function readUser(given: string, refuseIt: Refuse): string {
  if (/^[\w.@-]+$/.test(given)) return given;
  throw refuseIt("is not the name of one");
}

function readHost(given: string, refuseIt: Refuse): string {
  if (/^(\/[\w/. -]*|[a-z0-9._-]+|[0-9a-f:.]+)$/i.test(given)) return given;
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

/** The place with what the environment adds: who opens it and who names it mean the same. */
export function completePostgres(
  postgres: PostgresPlace,
  environment: Environment,
): PostgresPlace & Required<Pick<PostgresPlace, "host" | "port" | "sslmode">> {
  if (postgres.host === undefined) {
    // The library does not know these.
    for (const name of ["PGSERVICE", "PGHOSTADDR"]) {
      if (environment[name]) {
        throw refuseVariable(name, "it is not used here: write the host into the journal's URL");
      }
    }
  }
  const user = postgres.user ?? readVariable(environment, "PGUSER", readUser);
  const sslrootcert = postgres.sslrootcert ?? environment.PGSSLROOTCERT;
  return {
    ...postgres,
    ...(user && { user }),
    ...(sslrootcert && { sslrootcert }),
    host: postgres.host ?? readVariable(environment, "PGHOST", readHost) ?? "localhost",
    port: postgres.port ?? readVariable(environment, "PGPORT", readPort) ?? DEFAULT_PORT,
    sslmode: postgres.sslmode ?? readVariable(environment, "PGSSLMODE", readSslMode) ?? "disable",
  };
}

/** See `nameLocation`. */
export function namePostgres(postgres: PostgresPlace, environment: Environment): string {
  const { user, host, port, database, table } = completePostgres(postgres, environment);
  const isFolder = host.startsWith("/");
  const name = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  const before = user ? `${encodeURIComponent(user)}@` : "";
  const behind = port === DEFAULT_PORT ? "" : `:${port}`;
  return `postgres://${before}${isFolder ? name : name.toLowerCase()}${behind}/${database}?table=${table}`;
}
