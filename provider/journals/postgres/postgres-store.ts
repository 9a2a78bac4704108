import { randomUUID, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PoolClient, PoolConfig, QueryResultRow } from "pg";
import { StoreFailure } from "../../core/journal/raw-store.ts";
import { messageOf } from "../../core/values/message-of.ts";
import type { Product } from "../bounded-store.ts";
import { codeOf } from "../file/disk.ts";
import { loadLibrary } from "../optional-library.ts";
import { type CompletePostgres, completePostgres, type PostgresPlace } from "./postgres-place.ts";

/** Connections of one process: more is asked at once by nobody for long. */
const MOST_CONNECTIONS = 8;

/** What the first question of a call waits: longer would only hold a process that has given the server up. */
const LONGEST_CONNECT_MS = 5_000;

/**
 * A question is one statement and one transaction, without a name or a lock that lives on. So a pooler may give each
 * question another connection. The clock comes with the answer.
 *
 * A version is random: a counter would begin again where a row was taken away.
 *
 * Rights: SELECT, INSERT and UPDATE on the table, and CREATE in its schema where somebody must make the table first. DELETE
 * is for tidying up alone: without it, what a probe and old previews have written stays. The server must be the one that
 * writes; a copy that takes its place must have all that was answered (`synchronous_standby_names`).
 */
export async function createPostgresStore(postgres: PostgresPlace): Promise<Product> {
  const complete = completePostgres(postgres, process.env);
  const { place, user, host, port, database, table: name } = complete;
  const { default: library } = await loadLibrary("pg", () => import("pg"));
  const { DatabaseError, Pool, escapeIdentifier } = library;
  const table = withSchema(name).map(escapeIdentifier).join(".");
  const pool = new Pool({
    ...(user && { user }),
    ...{ host, port, database },
    ssl: await readSsl(complete, postgres.sslrootcert ? "sslrootcert" : "PGSSLROOTCERT"),
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
    // Whoever is done ends, though connections are open.
    allowExitOnIdle: true,
  });
  // A connection that breaks fails its question, and the next question opens another one. An event that nobody listens to
  // would end the process, whether the connection is in use or not.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));

  const columns = "name text PRIMARY KEY, version text NOT NULL, body text NOT NULL";
  const creation = `CREATE TABLE IF NOT EXISTS ${table} (${columns})`;
  const needed = `SELECT, INSERT, UPDATE on a table made by ${creation}`;

  const statements = {
    read: `SELECT ${CLOCK} AS at, version, body FROM (SELECT 1) one LEFT JOIN ${table} ON name = $1`,
    readNothing: `SELECT ${CLOCK} AS at, NULL AS version, NULL AS body, NULL AS name, NULL AS bytes`,
    create: written(
      `INSERT INTO ${table} (name, version, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING version`,
    ),
    replace: written(
      `UPDATE ${table} SET version = $2, body = $3 WHERE name = $1 AND version = $4 RETURNING version`,
    ),
    list: `SELECT ${CLOCK} AS at, name, octet_length(body) AS bytes FROM (SELECT 1) one LEFT JOIN ${table} ON starts_with(name, $1)`,
    erase: `WITH gone AS (DELETE FROM ${table} WHERE name = $1) SELECT ${CLOCK} AS at`,
  };

  async function query<Row extends QueryResultRow>(
    text: string,
    values: readonly string[],
    signal: AbortSignal,
  ): Promise<(Row & Answered)[]> {
    const client = await connect(signal);
    // What is not answered in time must not be waited for by the next question.
    const giveUp = () => client.release(true);
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      const { rows } = await client.query<Row & Answered>(text, [...values]);
      signal.removeEventListener("abort", giveUp);
      if (!signal.aborted) client.release();
      return rows;
    } catch (error) {
      signal.removeEventListener("abort", giveUp);
      if (!signal.aborted) client.release(!(error instanceof DatabaseError));
      throw error;
    }
  }

  /** A password does not come by asking again, and the library leaves each connection open that it has none for. */
  let withoutPassword: StoreFailure | undefined;

  function explainLogin(error: unknown): unknown {
    if (NO_PASSWORD.test(messageOf(error))) {
      const reason = "the server asks for a password, and there is none: set PGPASSWORD";
      withoutPassword = new StoreFailure("refused", reason, error);
    }
    return withoutPassword ?? error;
  }

  /** One that comes too late goes back at once. */
  async function connect(signal: AbortSignal): Promise<PoolClient> {
    if (withoutPassword !== undefined) throw withoutPassword;
    const client = await pool.connect().catch((error: unknown) => {
      throw explainLogin(error);
    });
    if (!signal.aborted) return client;
    client.release();
    throw signal.reason;
  }

  /** Makes the table where it is missing and is to be written. Who looks at a place that is misspelled leaves nothing there. */
  async function ask<Row extends QueryResultRow>(
    text: string,
    values: readonly string[],
    signal: AbortSignal,
    { isWrite }: { isWrite: boolean },
  ): Promise<{ first: Row; rows: Row[]; at: Date }> {
    try {
      const rows = await query<Row>(text, values, signal).catch(async (error: unknown) => {
        if (sqlStateOf(error) !== UNDEFINED_TABLE) throw error;
        if (!isWrite) return query<Row>(statements.readNothing, [], signal);
        await query(creation, [], signal).catch(unlessMadeMeanwhile);
        return query<Row>(text, values, signal);
      });
      const [first] = rows;
      if (first !== undefined) return { first, rows, at: new Date(first.at) };
    } catch (error) {
      throw explain(error);
    }
    throw new StoreFailure("refused", "its answer has no row, so it tells no time");
  }

  function explain(error: unknown): unknown {
    const code = sqlStateOf(error);
    if (code === undefined || !(error instanceof Error)) return error;
    const hint = hintFor(code, error.message);
    return new StoreFailure(kindOf(code), `${error.message} (${code})${hint}`, error);
  }

  function hintFor(code: string, message: string): string {
    if (code === UNDEFINED_TABLE || code === NO_RIGHT) return `; it needs ${needed}`;
    if (NO_USER.test(message)) return "; write the user's name into the URL, or set PGUSER";
    return "";
  }

  /** The SQLSTATE, where the server has answered. */
  function sqlStateOf(error: unknown): string | undefined {
    return error instanceof DatabaseError ? error.code : undefined;
  }

  /** Two that make it at the same moment are in each other's way. */
  function unlessMadeMeanwhile(error: unknown): void {
    if (!made.has(sqlStateOf(error) ?? "")) throw error;
  }

  async function write(text: string, values: string[], signal: AbortSignal) {
    const { first, at } = await ask<{ version: string | null }>(text, values, signal, {
      isWrite: true,
    });
    return { value: first.version ?? undefined, at };
  }

  return {
    place,

    async read(document, signal) {
      const { first, at } = await ask<StoredRow>(statements.read, [document], signal, {
        isWrite: false,
      });
      const { version, body: text } = first;
      return { value: version === null || text === null ? undefined : { text, version }, at };
    },

    create: (document, text, signal) =>
      write(statements.create, [document, randomUUID(), text], signal),

    replace: (document, version, text, signal) =>
      write(statements.replace, [document, randomUUID(), text, version], signal),

    async list(prefix, signal) {
      const { rows, at } = await ask<ListedRow>(statements.list, [prefix], signal, {
        isWrite: false,
      });
      const value = rows.flatMap(({ name: found, bytes }) =>
        found === null || bytes === null ? [] : [{ name: found, bytes }],
      );
      return { value, at };
    },

    async erase(document, signal) {
      await ask(statements.erase, [document], signal, { isWrite: true });
    },

    close: () => pool.end(),
  };
}

/** Nulls where there is no such document: the clock is told all the same. */
interface StoredRow {
  version: string | null;
  body: string | null;
}

interface ListedRow {
  name: string | null;
  bytes: number | null;
}

/** Milliseconds since 1970. A time as text is written in the way that the database is set to. */
interface Answered {
  at: number;
}

/** Of the answer: `now()` is that of the question, which may have waited for another. */
const CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";

/**
 * A table without a schema would be another one for each user that has a schema of its own, and so another journal under
 * the same URL.
 */
function withSchema(table: string): string[] {
  return table.includes(".") ? table.split(".") : ["public", table];
}

/** What the library says where it has none, or an empty one. */
const NO_PASSWORD = /client password must be/;

const UNDEFINED_TABLE = "42P01";

const NO_RIGHT = "42501";

const NO_USER = /no PostgreSQL user name/;

/** Made meanwhile: unique_violation of the catalogue, duplicate_table, duplicate_object. */
const made: ReadonlySet<string> = new Set(["23505", "42P07", "42710"]);

/**
 * A change, and the version that it has left. It is durable when it is answered, also where the database says for
 * others that an answer need not wait for the disk.
 */
function written(change: string): string {
  const durable =
    "CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END";
  return `WITH changed AS (${change}) SELECT (SELECT version FROM changed) AS version, ${durable} AS durable, ${CLOCK} AS at`;
}

function kindOf(code: string): StoreFailure["kind"] {
  // Serialization failure, deadlock, lock not available: rolled back.
  if (["40001", "40P01", "55P03"].includes(code)) return "busy";
  // Trouble with the connection, want of resources, shutting down, system and internal errors.
  return /^(08|53|57|58|XX)/.test(code) ? "unanswered" : "refused";
}

/** As `psql` means them: only the last two ask who the server is. */
async function readSsl(
  { host, sslmode, sslrootcert }: CompletePostgres,
  source: string,
): Promise<NonNullable<PoolConfig["ssl"]>> {
  if (sslmode === "disable") return false;
  if (sslmode === "require") return { rejectUnauthorized: false };
  const ca = sslrootcert && (await readCertificates(sslrootcert, source));
  const isAnyHost = sslmode === "verify-ca" && { checkServerIdentity: () => undefined };
  // Older releases of the library would take any IP address for `localhost`.
  return { rejectUnauthorized: true, host, ...(ca && { ca }), ...isAnyHost };
}

/** Of a file without one, the library would trust whom Node.js trusts. The file's name may be a key that somebody has set. */
async function readCertificates(file: string, source: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new StoreFailure(
      "refused",
      `the file of ${source} can't be read (${codeOf(error)})`,
      error,
    );
  });
  const [first] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(text) ?? [];
  if (first !== undefined && isCertificate(first)) return text;
  throw new StoreFailure("refused", `the file of ${source} has no certificate in it`);
}

function isCertificate(text: string): boolean {
  try {
    new X509Certificate(text);
    return true;
  } catch {
    return false;
  }
}
