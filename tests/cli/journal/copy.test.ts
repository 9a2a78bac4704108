import { cpSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { serviceFolder } from "../../../provider/journals/file/folders.ts";
import { describeProduct } from "../../journals/store-contract.ts";
import { s3rver } from "../../journals/stores/products/npm-server.ts";
import { postgres } from "../../journals/stores/products/postgres.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { runCli } from "../command.ts";
import { type Machine, planOf, startMachine } from "../machine.ts";

vi.setConfig({ testTimeout: 60_000 });

afterAll(() => vi.unstubAllEnvs());

const release = fileURLToPath(import.meta.resolve("../../core/records/releases/0.1.0/journal"));

/** The URL of a folder that is not there yet. */
async function newPlace(): Promise<string> {
  return pathToFileURL(join(await makeTemporaryFolder(), "new")).href;
}

const urlOf = ({ journalDir }: Machine) => pathToFileURL(journalDir).href;

/** All purchases that a journal has, by `journal list --all --json`. */
async function listAll(url: string, env: Record<string, string> = {}): Promise<unknown[]> {
  const { stdout } = await runCli(["journal", "list", "--all", "--json", "--journal", url], {
    env,
  });
  return JSON.parse(stdout);
}

await describeProduct(postgres, ({ product }) => {
  test("a copy to a database and back keeps every purchase, and a run on it takes a paid order over at price 0", async () => {
    const { url: database, environment } = product().enter("copied");
    const { PGPASSWORD = "" } = environment;
    vi.stubEnv("PGPASSWORD", PGPASSWORD);
    const machine = await startMachine();
    const { simulator, beginRun, cli } = machine;
    await beginRun().buy("a");
    await beginRun().buy("b", { country: "DEU" });
    const before = await listAll(urlOf(machine));
    expect(before).toHaveLength(2);

    const env = { PGPASSWORD };
    const there = await cli(["journal", "copy", urlOf(machine), database], { env });
    expect([there.exitCode, there.stderr]).toEqual([0, ""]);
    expect(there.stdout).toContain(`${serviceFolder(simulator.baseUrl)}: 2 purchases\n`);
    expect(there.stdout).toContain(`pulumi config set proxyrental:journal '${database}'`);
    expect(there.stdout).toContain(`Nothing was removed from ${machine.journalDir}.`);
    expect(there.stdout).not.toContain(PGPASSWORD);
    expect(await listAll(urlOf(machine))).toEqual(before);
    expect(await listAll(database, env)).toEqual(before);

    const back = await newPlace();
    const again = await cli(["journal", "copy", database, back, "--json"], { env });
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({
      from: database,
      to: fileURLToPath(back),
      services: [{ service: serviceFolder(simulator.baseUrl), purchases: 2, wasThere: false }],
    });
    expect(await listAll(back)).toEqual(before);

    const orders = simulator.orders();
    // Where it was before, a run that buys is told where it is now.
    for (const [journal, url] of [
      [urlOf(machine), database],
      [database, back],
    ] as const) {
      const checking = beginRun({ journal }).check("a");
      await expect(checking).rejects.toThrow(`this journal was moved to ${url} at `);
      const { stderr } = await runCli(["journal", "list", "--journal", journal], { env });
      expect(stderr).toMatch(/^warning: the journal in /);
      expect(stderr).toContain(`was moved to ${url} at `);
      expect(stderr).not.toContain(PGPASSWORD);
      // What was bought since is not in it, so whoever judges the account by it is told.
      const judging = await machine.cli(["adopt", "--journal", journal], { env });
      expect([judging.exitCode, judging.stdout]).toEqual([1, ""]);
      expect(judging.stderr).toContain(`was moved to ${url} at `);
      const doctor = await machine.cli(["doctor", "--json", "--journal", journal], { env });
      expect(JSON.parse(doctor.stdout).findings).toContainEqual(
        expect.objectContaining({
          ...{ about: "journal", mark: "wrong" },
          text: expect.stringContaining(`was moved to ${url} at `),
        }),
      );
    }
    const run = beginRun({ journal: back });
    expect(await planOf(run, "a")).toMatchObject({ quote: { effect: "recover" } });
    const { orderNumber } = await run.buy("a");
    expect(orderNumber).toBe(orders[0]?.orderNumber);
    expect(simulator.orders()).toEqual(orders);
  });

  test("a place of which the environment says a part is told whole, and the next table is told where it is taken", async () => {
    const { url, environment } = product().enter("taken");
    const place = "postgresql:///postgres?table=taken";
    const { hostname, port } = new URL(url);
    const env = { ...environment, PGHOST: hostname, PGPORT: port, PGUSER: "keeper" };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const machine = await startMachine();
    await machine.beginRun().buy("a");
    const twin = await makeTemporaryFolder();
    cpSync(machine.journalDir, twin, { recursive: true });
    const { stdout } = await machine.cli(["journal", "copy", urlOf(machine), place], { env });
    expect(stdout).toContain(
      `The environment of this machine says which place that is: ${url}. Say the same on all machines.`,
    );
    await machine.beginRun({ journal: place }).buy("b", { country: "DEU" });
    const from = pathToFileURL(twin).href;
    await refused(
      ["journal", "copy", from, place],
      `for instance: npx pulumi-proxyrental journal copy ${from} 'postgresql:///postgres?table=taken_2'`,
      env,
    );
  });

  test("what was done in the copy counts, and not what the folder beside it still says", async () => {
    const { url: database, environment } = product().enter("beside");
    const { PGPASSWORD = "" } = environment;
    vi.stubEnv("PGPASSWORD", PGPASSWORD);
    const machine = await startMachine();
    const { beginRun, cli, simulator, list } = machine;
    await beginRun().buy();
    const [{ id } = { id: "" }] = await list();
    const env = { PGPASSWORD };
    await cli(["journal", "copy", urlOf(machine), database], { env });
    const flags = ["--journal", database];
    expect(await cli(["journal", "resolve", id, "--released", ...flags], { env })).toMatchObject({
      exitCode: 0,
    });
    // The order was given away, so that another one is bought.
    await beginRun({ journal: database }).buy();
    expect(simulator.orders()).toHaveLength(2);
  });
});

describe("journal copy", () => {
  test("takes the journals of all services along, those of release 0.1.0 too", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const old = join(machine.journalDir, "old.example-01234567");
    cpSync(release, old, { recursive: true });
    const to = await newPlace();
    const { exitCode, stdout } = await runCli(["journal", "copy", urlOf(machine), to]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  old.example-01234567: 8 purchases\n");
    expect(stdout).toContain(`  ${serviceFolder(machine.simulator.baseUrl)}: 1 purchase\n`);
    expect(await listAll(to)).toEqual(await listAll(urlOf(machine)));
    expect(await listAll(to)).toHaveLength(9);
  });

  test("with --base-url takes one service along, and the environment does not matter for that", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    cpSync(release, join(machine.journalDir, "old.example-01234567"), { recursive: true });
    const { baseUrl } = machine.simulator;
    const twin = await makeTemporaryFolder();
    cpSync(machine.journalDir, twin, { recursive: true });
    const [one, all] = [await newPlace(), await newPlace()];
    await runCli(["journal", "copy", urlOf(machine), one, "--base-url", baseUrl]);
    expect(await listAll(one)).toHaveLength(1);
    await machine.cli(["journal", "copy", pathToFileURL(twin).href, all]);
    expect(await listAll(all)).toHaveLength(9);
  });

  test("says what was there before, and does nothing about it", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const to = await newPlace();
    const copy = ["journal", "copy", urlOf(machine), to];
    await runCli(copy);
    const { exitCode, stdout } = await runCli(copy);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(": 1 purchase, there before")]);
  });

  test("refuses a place that has another journal, and copies no other service either", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    cpSync(release, join(machine.journalDir, "a.example-01234567"), { recursive: true });
    const twin = await makeTemporaryFolder();
    cpSync(machine.journalDir, twin, { recursive: true });
    const to = await newPlace();
    const other = await startMachine({ seed: 2 });
    // Somebody has bought with the new place already.
    await runCli(["journal", "copy", urlOf(machine), to, "--base-url", machine.simulator.baseUrl]);
    await machine.beginRun({ journal: to }).buy("another", { country: "DEU" });
    const before = await listAll(to);
    const from = pathToFileURL(twin).href;
    await refused(
      ["journal", "copy", from, to],
      `has another journal of this service already: copy to a place that has none, for instance: npx pulumi-proxyrental journal copy ${from} ${to}-2`,
    );
    expect(await listAll(to)).toEqual(before);
    expect(await runCli(["journal", "copy", from, `${to}-2`])).toMatchObject({ exitCode: 0 });
    await refused(
      ["journal", "copy", urlOf(other), await newPlace(), "--base-url", other.simulator.baseUrl],
      `there is no journal in ${other.journalDir}`,
    );
  });

  test("leaves a mark that a person can take away", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const to = await newPlace();
    const reopen = ["journal", "reopen", "--journal", urlOf(machine)];
    await refused(reopen, "is marked as moved");
    await runCli(["journal", "copy", urlOf(machine), to]);
    const [{ id } = { id: "" }] = (await listAll(urlOf(machine))) as { id: string }[];
    await refused(
      ["journal", "resolve", id, "--closed", "--journal", urlOf(machine)],
      `this journal was moved to ${to} at `,
    );
    const { exitCode, stdout } = await runCli(reopen);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`What was bought with ${to} is not in it`);
    await machine.beginRun().buy("another", { country: "DEU" });
    expect(await listAll(urlOf(machine))).toHaveLength(2);
  });

  test("refuses while a run that buys goes on, and copies once it has ended", async () => {
    const machine = await startMachine();
    const { simulator, beginRun } = machine;
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    simulator.addFault({
      ...{ endpoint: "createOrder", phase: "before" },
      fault: {
        kind: "act",
        run: () => {
          reached.resolve();
          return go.promise;
        },
      },
    });
    const buying = beginRun({ isAlive: true }).buy();
    buying.catch(() => undefined);
    await reached.promise;
    const to = await newPlace();
    await refused(
      ["journal", "copy", urlOf(machine), to],
      "goes on: wait until it has ended, and copy again",
    );
    go.resolve();
    await buying.catch(() => undefined);
    expect(await listAll(to)).toEqual([]);
  });

  test("copies what a killed run has left in doubt", async () => {
    const machine = await startMachine();
    machine.simulator.addFault({
      ...{ endpoint: "createOrder", phase: "after", fault: { kind: "reset" } },
    });
    await machine
      .beginRun()
      .buy()
      .catch(() => undefined);
    const to = await newPlace();
    expect(await runCli(["journal", "copy", urlOf(machine), to])).toMatchObject({ exitCode: 0 });
    expect(await listAll(to)).toEqual(await listAll(urlOf(machine)));
  });

  test("refuses a journal of which something can't be read", async () => {
    const from = await makeTemporaryFolder();
    const open = join(from, "old.example-01234567", "open");
    await mkdir(open, { recursive: true });
    await writeFile(join(open, "later-1.1.json"), '{"version": 9}');
    const to = await newPlace();
    await refused(["journal", "copy", pathToFileURL(from).href, to], "later-1.1.json");
    expect(await listAll(to)).toEqual([]);
  });

  const wrong: [string, string, string, string][] = [
    ["a place without journals", "file:///nowhere", "file:///tmp", "there is no journal in"],
    ["one place twice", "file:///a", "file:///a/", "both URLs name one place"],
    [
      "a URL of no kind",
      "ftp://a",
      "file:///a",
      "copy from: the journal's URL: it begins like none",
    ],
    ["another one", "file:///a", "ftp://a", "copy to: the journal's URL: it begins like none of"],
    ["a password", "file:///a", "postgres://a:hunter2@b/c", "no password may stand in it"],
  ];

  test.each(wrong)("refuses %s", async (_, from, to, message) => {
    await refused(["journal", "copy", from, to], message);
  });
});

await describeProduct(s3rver, ({ product }) => {
  test("journal copy refuses it, because it ignores conditions, and writes no journal there", async () => {
    const { url: bucket, environment } = product().enter("unfit");
    const env = { ...environment };
    const machine = await startMachine();
    await machine.beginRun().buy();
    await refused(
      ["journal", "copy", urlOf(machine), bucket],
      "can't keep a journal (expected: ",
      env,
    );
    expect(await listAll(bucket, env)).toEqual([]);
  });
});

async function refused(
  args: readonly string[],
  message: string,
  env: Record<string, string> = {},
): Promise<void> {
  const { exitCode, stdout, stderr } = await runCli(args, { env });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
  expect(stderr.split("\n")).toHaveLength(1);
  expect(stderr).not.toContain("hunter2");
}
