import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { probeStore } from "../../../provider/core/journal/probe-store.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { makeFolder, troubleOf } from "../file/folders.ts";
import { type Bench, declareContract, describeProduct, done, textOf } from "../store-contract.ts";
import { postgres, type RunningPostgres } from "./products/postgres.ts";
import { declareClock, declareTrouble, expectRefusal } from "./trouble.ts";

const NAME = "a.json";

/** Those who wait for a lock. */
const WAITING = "FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

await describeProduct(postgres, (bench) => {
  declareContract(bench);
  declareClock(bench);
  declareTrouble(bench);
  describe("what it is asked", () => declareStatements(bench));
  describe("rights", () => declareRights(bench));
  describe("TLS", () => declareTls(bench));
  describe("trouble of a database", () => declareDatabaseTrouble(bench));
});

/** The URL of a journal for another user, or another database. */
function enterAs(
  { product }: Bench<RunningPostgres>,
  journal: string,
  { user = "keeper", database = "postgres", password }: Partial<Record<string, string>>,
) {
  const { url, environment } = product().enter(journal);
  return {
    url: url.replace("keeper@", `${user}@`).replace("/postgres?", `/${database}?`),
    environment: password === undefined ? environment : { PGPASSWORD: password },
  };
}

function declareStatements({ product, open }: Bench<RunningPostgres>): void {
  /** The statements about a table since it was made. */
  async function statementsOn(table: string): Promise<string[]> {
    const mark = `mark of ${table}`;
    await product().ask(`SELECT '${mark}'`);
    let log = "";
    while (!log.includes(mark)) {
      await sleep(10);
      log = await product().readLog();
    }
    const said = log.split("\n").filter((line) => line.includes(`"${table}"`));
    return said.slice(said.findLastIndex((line) => line.includes("CREATE TABLE")) + 2);
  }

  test("each question is one statement without a name, unless something goes wrong", async () => {
    const store = await open("counted");
    await store.create("first.json", "makes the table");
    await store.read(NAME);
    const first = done(await store.create(NAME, "one"));
    const second = done(await store.replace(NAME, first, "two"));
    expect(await textOf(store, NAME)).toBe("two");
    expect((await store.list("")).value).toEqual([NAME, "first.json"]);
    expect((await store.remove(NAME, second)).value).toBe(true);
    const statements = await statementsOn("counted");
    // A pooler may give the next question another connection.
    const verbs = statements.map((line) => / execute <unnamed>: (\w+)/.exec(line)?.[1] ?? line);
    expect(verbs).toEqual(["SELECT", "WITH", "WITH", "SELECT", "SELECT", "WITH"]);
  });

  test("who only looks makes no table, and is told the time", async () => {
    const store = await open("looked_at");
    const read = await store.read(NAME);
    expect(read.value).toBeUndefined();
    expect(Math.abs(read.at.getTime() - Date.now())).toBeLessThan(60_000);
    expect((await store.list("")).value).toEqual([]);
    expect(await product().ask("SELECT to_regclass('looked_at') AS made")).toEqual([
      { made: null },
    ]);
  });

  test("the table is made by the first write, also where many write at once", async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open("made_at_once")));
    const made = await Promise.all(stores.map((store) => store.create(NAME, "one")));
    expect(made.filter(({ value }) => value !== undefined)).toHaveLength(1);
  });

  test("the table may be one of a schema, and of any name", async () => {
    await product().ask('CREATE SCHEMA "Team"');
    const store = await open("Team.order");
    done(await store.create(NAME, "one"));
    expect(await product().ask('SELECT name FROM "Team"."order"')).toEqual([{ name: NAME }]);
  });
}

/** The connections that this process has open. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
}

function declareTls(bench: Bench<RunningPostgres>): void {
  const { product, openAs } = bench;

  function openWith(parameters: string, host = "127.0.0.1") {
    const { url, environment } = product().enter("secured");
    return openAs({ url: `${url.replace("127.0.0.1", host)}&${parameters}`, environment });
  }

  const trusted = () => `sslrootcert=${product().certificateFile}`;

  test("without a certificate that is trusted, only `require` goes on", async () => {
    const store = await openWith("sslmode=require");
    done(await store.create(NAME, "one"));
    const full = await openWith("sslmode=verify-full", "localhost");
    await expectRefusal(bench, full, /self-signed/);
    await expect(openWith("sslmode=verify-ca", "localhost")).rejects.toThrow(
      "an sslmode of verify-ca needs an sslrootcert",
    );
  });

  test("`verify-ca` takes any name, and `verify-full` the server's alone", async () => {
    done(await (await openWith(`sslmode=verify-ca&${trusted()}`)).create("b.json", "one"));
    const named = await openWith(`sslmode=verify-full&${trusted()}`, "localhost");
    expect(await textOf(named, "b.json")).toBe("one");
    const other = await openWith(`sslmode=verify-full&${trusted()}`);
    await expectRefusal(bench, other, /does not match certificate's altnames/);
  });

  test("the environment says how, too, and an sslmode that is misspelled there is refused", async () => {
    const { url, environment } = product().enter("secured");
    const enter = (mode: string) => ({ url, environment: { ...environment, PGSSLMODE: mode } });
    await expectRefusal(bench, await openAs(enter("verify-full")), /self-signed/);
    done(await (await openAs(enter("require"))).create("c.json", "one"));
    await expect(openAs(enter("verify_full"))).rejects.toThrow(
      "the variable PGSSLMODE: it is none of disable, require, verify-ca, verify-full",
    );
  });

  test("`require` verifies where the environment has certificates, and `system` stands for none", async () => {
    const { url, environment } = product().enter("secured");
    const enter = (mode: string, file: string) =>
      openAs({ url, environment: { ...environment, PGSSLMODE: mode, PGSSLROOTCERT: file } });
    const file = join(makeFolder(), "ca.crt");
    await writeFile(file, (await makeCertificate({ dns: "localhost" })).certificate);
    await expectRefusal(bench, await enter("require", file), /certificate/);
    await expectRefusal(bench, await enter("verify-full", "system"), /self-signed/);
    done(await (await enter("require", product().certificateFile)).create("d.json", "one"));
  });

  test("no variable of Node.js takes away what `verify-full` promises", async () => {
    const { url, environment } = product().enter("secured");
    const trusting = { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const store = await openAs({ url: `${url}&sslmode=verify-full`, environment: trusting });
    await expectRefusal(bench, store, /self-signed/);
  });

  test("a file without a certificate does not stand for those that Node.js trusts", async () => {
    const file = join(makeFolder(), "ca.crt");
    await writeFile(file, "");
    const opening = () => openWith(`sslmode=verify-full&sslrootcert=${file}`);
    await expect(opening()).rejects.toThrow("the file of sslrootcert has no certificate in it");
    await writeFile(file, "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n");
    await expect(opening()).rejects.toThrow("the file of sslrootcert has no certificate in it");
  });

  test("certificates that can't be read are named", async () => {
    const opening = openWith("sslmode=verify-full&sslrootcert=/none/ca.crt");
    await expect(opening).rejects.toThrow("(the file of sslrootcert can't be read (ENOENT))");
    const { url, environment } = product().enter("secured");
    const key = Buffer.from("passw0rd".repeat(40)).toString("base64");
    const given = { ...environment, PGSSLMODE: "verify-full", PGSSLROOTCERT: key };
    await expect(openAs({ url, environment: given })).rejects.toThrow(
      "(the file of PGSSLROOTCERT can't be read (ENAMETOOLONG))",
    );
  });
}

function declareRights(bench: Bench<RunningPostgres>): void {
  const { product, open, openAs } = bench;

  async function makeUser(user: string, rights: readonly string[]): Promise<void> {
    await product().ask(`CREATE ROLE ${user} LOGIN PASSWORD '${product().secrets[0]}'`);
    for (const right of rights) await product().ask(`GRANT ${right} TO ${user}`);
  }

  test("who may read, insert and update has a journal; the probe leaves its documents there", async () => {
    done(await (await open("three_rights")).create(NAME, "one"));
    await makeUser("writer", ["SELECT, INSERT, UPDATE ON three_rights"]);
    const store = await openAs(enterAs(bench, "three_rights", { user: "writer" }));
    const { isFit, leftBehind } = await probeStore(store, machineTime, { id: "p", rounds: 1 });
    expect(isFit).toBe(true);
    expect(leftBehind).toContain("probe/p/twice.json");
  });

  test("a database that can't hold every letter is found unfit", async () => {
    await product().ask(
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    const [password = ""] = product().secrets;
    const store = await openAs(enterAs(bench, "latin", { database: "latin", password }));
    const { isFit, findings } = await probeStore(store, machineTime, { id: "p", rounds: 1 });
    expect(isFit).toBe(false);
    expect(findings.map(({ trouble }) => trouble).join()).toContain('in encoding "LATIN1" (22P05)');
  });

  test("a user with a schema of its own has the same journal", async () => {
    await makeUser("schemed", ["CREATE ON SCHEMA public"]);
    await product().ask("CREATE SCHEMA schemed AUTHORIZATION schemed");
    const store = await openAs(enterAs(bench, "one_journal", { user: "schemed" }));
    done(await store.create(NAME, "one"));
    expect(await textOf(await open("one_journal"), NAME)).toBe("one");
  });

  test("who may only read is refused what is written, and reads", async () => {
    const owner = await open("one_right");
    done(await owner.create("b.json", "one"));
    await makeUser("reader", ["SELECT ON one_right"]);
    const store = await openAs(enterAs(bench, "one_right", { user: "reader" }));
    expect(await textOf(store, "b.json")).toBe("one");
    const { reason, message } = await troubleOf(store.create(NAME, "one"));
    expect(reason).toBe("unavailable");
    expect(message).toContain("(permission denied for table one_right (42501); it needs SELECT, ");
  });

  test("who may not make the table is told what it must be", async () => {
    await makeUser("stranger", []);
    const store = await openAs(enterAs(bench, "no_right", { user: "stranger" }));
    expect((await troubleOf(store.create(NAME, "one"))).message).toMatch(
      /permission denied for schema public \(42501\); .*CREATE TABLE IF NOT EXISTS "public"."no_right" \(name text PRIMARY KEY, version text NOT NULL, body text NOT NULL\)\)$/,
    );
  });

  test("a password that is wrong is named, and not repeated", async () => {
    const password = "something-else-altogether";
    const store = await openAs(enterAs(bench, "wrong_password", { password }));
    await expectRefusal(bench, store, 'password authentication failed for user "keeper" (28P01)');
    expect((await troubleOf(store.read(NAME))).message).not.toContain(password);
  });

  test("a password that is missing is named, and asked for with few connections", async () => {
    const { url, environment } = product().enter("no_password");
    const none = { ...environment, PGPASSWORD: "", PGPASSFILE: "/nowhere" };
    const store = await openAs({ url, environment: none });
    const before = countSockets();
    for (let asked = 0; asked < 3; asked++) {
      await expectRefusal(bench, store, "asks for a password, and there is none: set PGPASSWORD");
    }
    expect(countSockets()).toBeLessThanOrEqual(before + 1);
  });

  test("a database that is not there is named", async () => {
    const store = await openAs(enterAs(bench, "no_database", { database: "none" }));
    await expectRefusal(bench, store, 'database "none" does not exist (3D000)');
  });

  test("a schema that is not there is named", async () => {
    const { message } = await troubleOf((await open("none.table")).create(NAME, "one"));
    expect(message).toContain('schema "none" does not exist (3F000)');
  });
}

function declareDatabaseTrouble({ product, open }: Bench<RunningPostgres>): void {
  /** For all who connect from now on, until the test ends. */
  async function set(setting: string, value: string): Promise<void> {
    await product().ask(`ALTER ROLE keeper SET ${setting} = '${value}'`);
    onTestFinished(async () => void (await product().ask(`ALTER ROLE keeper RESET ${setting}`)));
  }

  test("what waits too long for a lock is asked again, and done once", async () => {
    const store = await open("locked");
    const first = done(await store.create(NAME, "one"));
    await set("lock_timeout", "50ms");
    const fresh = await open("locked");
    const release = await product().hold("locked");
    const second = fresh.replace(NAME, first, "two");
    await sleep(200);
    await release();
    expect(done(await second).revision).toBe(2);
  });

  test("the clock is that of the answer, also where it had to wait", async () => {
    const store = await open("waiting");
    const first = done(await store.create(NAME, "one"));
    const release = await product().hold("waiting");
    const second = store.replace(NAME, first, "two");
    await expect
      .poll(() => product().ask(`SELECT ${WAITING}`), { timeout: 10_000 })
      .toHaveLength(1);
    const [row] = await product().ask("SELECT clock_timestamp() AS released");
    await release();
    expect((await second).at.getTime()).toBeGreaterThanOrEqual(Number(row?.released));
  });

  test("the clock is told whatever way the database writes times", async () => {
    await set("datestyle", "German, DMY");
    await set("timezone", "Asia/Kolkata");
    const store = await open("dated");
    const { at } = await store.create(NAME, "one");
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test("the strictest isolation makes writers ask again, and lets one win", async () => {
    await set("default_transaction_isolation", "serializable");
    const stores = await Promise.all(Array.from({ length: 4 }, () => open("strict")));
    const [store] = stores;
    let version = done((await store?.create(NAME, "0")) ?? { value: undefined });
    for (let round = 1; round <= 10; round++) {
      const base = version;
      const told = await Promise.all(stores.map((own) => own.replace(NAME, base, `${round}`)));
      const [won, ...more] = told.flatMap(({ value }) => (value === undefined ? [] : [value]));
      expect(more).toEqual([]);
      version = done({ value: won });
    }
  });

  test("a write that the server breaks off is sent again, and done once", async () => {
    const store = await open("ended");
    const first = done(await store.create(NAME, "one"));
    const release = await product().hold("ended");
    const second = store.replace(NAME, first, "two");
    await expect
      .poll(() => product().ask(`SELECT pg_terminate_backend(pid) AS ended ${WAITING}`), {
        timeout: 10_000,
      })
      .toEqual([{ ended: true }]);
    await release();
    expect(done(await second).revision).toBe(2);
  });

  test("what was told is there after a power cut, also where the database need not wait for the disk", async () => {
    await set("synchronous_commit", "off");
    const store = await open("durable");
    let version = done(await store.create(NAME, "0"));
    // The last of them are less than a page of the database's log, which is written as soon as it is full.
    for (let next = 1; next <= 10; next++) {
      version = done(await store.replace(NAME, version, `${next}`));
    }
    await product().crash();
    expect((await store.read(NAME)).value).toEqual({ text: "10", version });
  });
}
