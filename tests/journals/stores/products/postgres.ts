import { createWriteStream, readdirSync } from "node:fs";
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { findExecutable } from "../../../../toolchain/on-path.ts";
import { makeCertificate } from "../../../support/certificate.ts";
import { findPort, Missing, type Product, type RunningProduct, waitUntil } from "./product.ts";

/** A database that a test may treat as it likes. */
export interface RunningPostgres extends RunningProduct {
  port: number;
  /** A file with its certificate, which it has signed itself, for the name `localhost`. */
  certificateFile: string;
  /** As its owner. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  /** Lets nobody else at a table, until what comes back is called. */
  hold(table: string): Promise<() => Promise<void>>;
  /** All that it was asked, as it has written it down. */
  readLog(): Promise<string>;
  /** Ends all its processes at once, as a power cut does, and begins it again. */
  crash(): Promise<void>;
}

const password = "password-of-the-tests";

export const postgres = {
  name: "PostgreSQL",
  begin: beginPostgres,
} satisfies Product;

async function beginPostgres(): Promise<RunningPostgres> {
  const initdb = findProgram("initdb");
  const program = findProgram("postgres");
  const ownPort = await findPort();
  const folder = await mkdtemp(join(tmpdir(), "proxyrental-postgres-"));
  const data = join(folder, "data");
  const user = await findUser();
  const options = { cwd: folder, ...user, env: { LC_ALL: "C" } } as const;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  await writeFile(join(folder, "password"), password);
  await execa(
    initdb,
    [
      ...["--pgdata", data, "--username", "keeper", "--auth", "scram-sha-256"],
      ...["--pwfile", join(folder, "password"), "--encoding", "UTF8", "--no-sync"],
    ],
    options,
  );
  const settings = [
    ...[`port = ${ownPort}`, "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''"],
    ...["fsync = off", "log_statement = 'all'", "max_connections = 60", "shared_buffers = 16MB"],
    // Where an answer need not wait for the disk, it is some time until it is there.
    "wal_writer_delay = 10s",
    "ssl = on",
  ];
  const certificateFile = await writeCertificate(data, user);
  await appendFile(join(data, "postgresql.conf"), `${settings.join("\n")}\n`);
  const log = join(folder, "log");

  async function connect(): Promise<pg.Client> {
    const connection = { host: "127.0.0.1", port: ownPort, user: "keeper", password };
    const client = new pg.Client({ ...connection, database: "postgres" });
    await client.connect();
    return client;
  }

  const ask: RunningPostgres["ask"] = async (sql) => {
    const client = await connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  async function begin() {
    const server = execa(program, ["-D", data], {
      ...options,
      reject: false,
      all: true,
      stdin: "ignore",
    });
    server.all.pipe(createWriteStream(log, { flags: "a" }));
    await waitUntil(() => ask("SELECT 1"), server);
    return async (signal: "SIGKILL" | "SIGQUIT") => {
      server.kill(signal);
      await server;
    };
  }

  let stop = await begin();

  async function end(): Promise<void> {
    await stop("SIGQUIT");
    await rm(folder, { recursive: true, force: true });
  }

  return {
    port: ownPort,
    certificateFile,
    secrets: [password],
    ask,
    async hold(table) {
      const client = await connect();
      await client.query(`BEGIN; LOCK TABLE ${table}`);
      return () => client.end();
    },
    readLog: () => readFile(log, "utf8"),
    async crash() {
      await stop("SIGKILL");
      stop = await begin();
    },
    enter: (journal, port = ownPort) => ({
      url: `postgres://keeper@127.0.0.1:${port}/postgres?table=${journal.replaceAll("-", "_")}`,
      environment: { PGPASSWORD: password },
    }),
    end,
  };
}

/** Where the server looks for it. It takes no key that others may read. */
async function writeCertificate(data: string, user?: { uid: number; gid: number }) {
  const { key, certificate } = await makeCertificate({ dns: "localhost" });
  const certificateFile = join(data, "server.crt");
  const keyFile = join(data, "server.key");
  await writeFile(certificateFile, certificate);
  await writeFile(keyFile, key, { mode: 0o600 });
  if (user !== undefined) await chown(keyFile, user.uid, user.gid);
  return certificateFile;
}

/** On PATH, or where Debian keeps it. */
function findProgram(name: string): string {
  const kept = "/usr/lib/postgresql";
  const versions = listFolders(kept).toSorted((a, b) => Number(b) - Number(a));
  const places = [process.env.PATH ?? "", ...versions.map((version) => join(kept, version, "bin"))];
  const program = findExecutable(name, places.join(delimiter));
  if (program === undefined) throw new Missing(`no ${name} on PATH`);
  return program;
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** It refuses to run as root. */
async function findUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const { stdout, failed } = await execa("id", ["-u", name], { reject: false });
    if (!failed) return { uid: Number(stdout), gid: await readGroup(name) };
  }
  throw new Missing("it does not run as root, and there is no other user");
}

async function readGroup(name: string): Promise<number> {
  const { stdout } = await execa("id", ["-g", name]);
  return Number(stdout);
}
