import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { LOOK_ELSEWHERE } from "../../../cli/journal/journals.ts";
import { findNewest } from "../../faults/journal-files.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { runCli } from "../command.ts";
import { buyWithRival, loseWithoutTrace, ownerOf, startMachine } from "../machine.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("journal list", () => {
  test.each([[], ["--all"]])("says in one sentence that there is nothing: %j", async (...flags) => {
    const { cli, journalDir } = await startMachine();
    const { exitCode, stdout } = await cli(["journal", "list", ...flags]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^The journal in \S+ holds no (open )?purchases; none was ever written to it\. If the stack has its journal elsewhere, name that: .*\.$/,
    );
    expect(stdout).toContain(journalDir);
  });

  test("shows what was bought and is not confirmed yet, and ends with 0", async () => {
    const { cli, beginRun, simulator } = await startMachine();
    await beginRun().buy();
    const { exitCode, stdout } = await cli(["journal", "list"]);
    expect(exitCode).toBe(0);
    const [titles, row] = stdout.split("\n");
    expect(titles).toMatch(/^ID +PHASE +WHAT +PRICE +FOR +STACK +SENT AT +ORDER$/);
    expect(row).toMatch(
      /^[0-9a-f]{12}-1 {2}returned {2}5 IPv4 proxies in USA for 30 days {2}7\.00 USD {2}fleet {2}org\/fleet\/dev {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}\d+$/,
    );
    expect(row?.split(/ {2,}/).at(-1)).toBe(simulator.orders()[0]?.orderNumber);
    expect(stdout).toMatch(
      /\n\nEach is paid, and the engine was told\. There is nothing to do: .*$/,
    );
  });

  test("tells stacks of one name apart by their scopes", async () => {
    const { cli, beginRun } = await startMachine();
    await beginRun({ scope: "staging" }).buy();
    expect((await cli(["journal", "list"])).stdout).toContain("  org/fleet/dev (staging)  ");
  });

  test("names the orders that a lost purchase may be, and ends with 2", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const { exitCode, stdout } = await machine.cli(["journal", "list"]);
    expect(exitCode).toBe(2);
    const ids = machine.simulator.orders().map(({ orderId }) => orderId);
    expect(ids).toHaveLength(2);
    expect(stdout).toContain(`unknown  5 IPv4 proxies in USA`);
    expect(stdout).toContain(ids.join(", "));
    expect(stdout).toContain("Nobody knows yet whether one of them was placed.");
  });

  test("ends with 2 for a purchase that a dead run left unfinished, and with 0 while its run goes on", async () => {
    const { cli, beginRun, simulator } = await startMachine();
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const run = () => {
      reached.resolve();
      return go.promise;
    };
    const hold = { endpoint: "createOrder", phase: "before", fault: { kind: "act", run } } as const;
    simulator.addFault(hold);
    const dead = beginRun().buy();
    await reached.promise;
    expect(await cli(["journal", "list"])).toMatchObject({ exitCode: 2 });
    go.resolve();
    await dead;

    const reachedAgain = Promise.withResolvers<void>();
    const goAgain = Promise.withResolvers<void>();
    const runAgain = () => {
      reachedAgain.resolve();
      return goAgain.promise;
    };
    simulator.clearFaults();
    simulator.addFault({ ...hold, fault: { kind: "act", run: runAgain } });
    const alive = beginRun({ isAlive: true }).buy("other", {
      country: "DEU",
      deliveryTimeoutSeconds: 20,
    });
    alive.catch(() => undefined);
    await reachedAgain.promise;
    const { exitCode, stdout } = await cli(["journal", "list"]);
    goAgain.resolve();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/sending +5 IPv4 proxies in DEU/);
    await alive.catch(() => undefined);
  });

  test("leaves out finished purchases unless --all is given", async () => {
    const machine = await startMachine();
    await loseWithoutTrace(machine);
    const [intent] = await machine.list();
    await machine.cli(["journal", "resolve", intent?.id ?? "", "--closed"]);
    expect((await machine.cli(["journal", "list"])).stdout).toContain("no open purchases");
    expect((await machine.cli(["journal", "list", "--all"])).stdout).toMatch(/closed +5 IPv4/);
    expect(await machine.list()).toEqual([]);
    expect(await machine.list("--all")).toHaveLength(1);
  });

  test("prints the documents with --json, with the same exit code", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const { exitCode, stdout } = await machine.cli(["journal", "list", "--json"]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject([
      { version: 2, phase: "unknown", owner: ownerOf("fleet"), purchase: { kind: "order" } },
    ]);
  });

  test("is the purchase book with --all --json: what was promised and charged, when, for which stack, by which run", async () => {
    const machine = await startMachine();
    const { simulator } = machine;
    await machine.beginRun().buy();
    const [order] = simulator.orders();
    const { host } = new URL(simulator.baseUrl);
    const [first] = JSON.parse((await machine.cli(["journal", "list", "--all", "--json"])).stdout);
    expect(first).toMatchObject({
      ...{ price: 7, cost: 7, currency: "USD", orderNumber: order?.orderNumber },
      ...{ owner: ownerOf("fleet"), stack: "org/fleet/dev", runId: expect.stringMatching(/./) },
      service: expect.stringMatching(`^${host.replace(":", "_")}-`),
    });
    expect(Math.abs(Date.parse(first.sentAt) - Date.now())).toBeLessThan(60_000);

    await machine.cli(["journal", "resolve", first.id, "--released"]);
    const released = { phase: "closed", closedBecause: "released", cost: 7 };
    expect(await machine.list("--all")).toMatchObject([released]);
    expect(await machine.list()).toEqual([]);
  });

  test("a purchase that may not have been paid has no cost in the purchase book", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const [doubtful] = await machine.list("--all");
    expect(doubtful).toMatchObject({ phase: "unknown", price: 7 });
    expect(doubtful).not.toHaveProperty("cost");
    await machine.cli(["journal", "resolve", doubtful?.id ?? "", "--closed"]);
    expect((await machine.list("--all"))[0]).not.toHaveProperty("cost");
  });

  test("without a base URL lists the journals of all services by name", async () => {
    const first = await startMachine();
    const second = await startMachine({ seed: 2 });
    await first.beginRun().buy();
    const env = { PROXYRENTAL_JOURNAL_DIR: first.journalDir };
    const alone = await runCli(["journal", "list"], { env });
    expect(alone.stdout).toMatch(/^ID /);
    const { port } = new URL(second.simulator.baseUrl);
    const folder = `127.0.0.1_${port}-01234567`;
    await mkdir(join(first.journalDir, folder, "open"), { recursive: true });
    const [document] = await first.list();
    await writeFile(
      join(first.journalDir, folder, "open", `${document?.id}.${document?.revision}.json`),
      JSON.stringify(document),
    );
    const { exitCode, stdout } = await runCli(["journal", "list"], { env });
    expect(exitCode).toBe(0);
    expect(stdout.match(/^127\.0\.0\.1_\d+-[0-9a-f]{8}:$/gm)).toHaveLength(2);
    expect(stdout.match(/returned/g)).toHaveLength(2);

    const asked = await runCli(["journal", "show", document?.id ?? ""], { env });
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain(`${document?.id} of ${folder} (returned)`);
    expect(asked.stderr).toContain("--base-url");
    const told = ["--base-url", first.simulator.baseUrl];
    expect(await runCli(["journal", "show", document?.id ?? "", ...told], { env })).toMatchObject({
      exitCode: 0,
    });
  });

  test("resolves the folder from the working directory, and needs neither key nor URL", async () => {
    const { journalDir, beginRun } = await startMachine();
    await beginRun().buy();
    const parts = journalDir.split("/");
    const given = ["--journal-dir", parts.at(-1) ?? ""];
    const { exitCode, stdout } = await runCli(["journal", "list", ...given], {
      cwd: join(journalDir, ".."),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("returned");
  });

  test("a missing folder holds nothing", async () => {
    const folder = join(await makeTemporaryFolder(), "none");
    const { exitCode, stdout } = await runCli(["journal", "list", "--journal-dir", folder]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `The journal in ${folder} holds no open purchases; none was ever written to it. ${LOOK_ELSEWHERE}.`,
    });
  });

  test("an unreadable purchase is an error that names the file, because it may be paid", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const [intent] = await machine.list();
    const { stdout } = await machine.cli(["journal", "list", "--all"]);
    expect(stdout).toContain(intent?.id);
    const [document = ""] = await findNewest(machine.journalDir, /\/account\.json@$/);
    await truncate(document, 100);
    const { exitCode, stderr } = await machine.cli(["journal", "list"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("account.json");
    expect(stderr).not.toContain("    at ");
  });
});

describe("journal show", () => {
  test("shows the charged price beside the confirmed one if they differ", async () => {
    const machine = await startMachine();
    const { simulator } = machine;
    simulator.addFault({
      ...{ endpoint: "createOrder", phase: "before" },
      fault: { kind: "act", run: () => simulator.setPriceFactor("IPv4", "2") },
    });
    await machine.beginRun().buy();
    const [intent] = await machine.list();
    const { stdout } = await machine.cli(["journal", "show", intent?.id ?? ""]);
    expect(stdout).toMatch(/what +5 IPv4 proxies in USA for 30 days for 7\.00 USD\n/);
    expect(stdout).toMatch(/charged +14\.00 USD\n/);
    expect((await machine.cli(["journal", "list"])).stdout).toContain("14.00 USD");
  });

  test("accepts the beginning of an id, and shows the purchase and what to do", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const [intent] = await machine.list();
    const { exitCode, stdout } = await machine.cli([
      "journal",
      "show",
      (intent?.id ?? "").slice(0, 4),
    ]);
    expect(exitCode).toBe(0);
    const [own = "", rival = ""] = intent?.candidates ?? [];
    for (const part of [
      `Purchase ${intent?.id}, unknown: its answer was lost`,
      "5 IPv4 proxies in USA for 30 days for 7.00 USD",
      `fleet (${ownerOf("fleet")})`,
      "balance before  1000.00 USD",
      `may be order    ${own}, ${rival}`,
      "Z  sending\n",
      "Z  unknown\n",
      "Run `pulumi up`: it looks at the account anew",
      `journal resolve ${intent?.id} --order ${own}\n`,
      `journal resolve ${intent?.id} --order ${rival}\n`,
      `journal resolve ${intent?.id} --closed\n`,
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test("repeats the given flags in the commands to copy", async () => {
    const machine = await startMachine();
    await buyWithRival(machine);
    const [intent] = await machine.list();
    const { baseUrl } = machine.simulator;
    const flags = ["--base-url", baseUrl, "--journal-dir", machine.journalDir];
    const { stdout } = await runCli(["journal", "show", intent?.id ?? "", ...flags]);
    expect(stdout).toContain(
      `--closed --base-url ${baseUrl} --journal-dir ${machine.journalDir}\n`,
    );
  });

  test("says of a paid order that the next run recovers it", async () => {
    const machine = await startMachine();
    const { orderNumber } = await machine.beginRun().buy();
    const [intent] = await machine.list();
    const { stdout } = await machine.cli(["journal", "show", intent?.id ?? ""]);
    expect(stdout).toContain(`it is paid, as order ${orderNumber}`);
    expect(stdout).toContain(`adoptOrderNumber: "${orderNumber}"`);
    expect(
      JSON.parse((await machine.cli(["journal", "show", intent?.id ?? "", "--json"])).stdout),
    ).toEqual(intent);
  });

  test("accepts a whole id although others begin with it", async () => {
    const machine = await startMachine();
    await machine.beginRun().buy();
    const [intent] = await machine.list();
    if (intent === undefined) throw new Error("nothing was written down");
    const [path = ""] = await findNewest(machine.journalDir, /\/account\.json@$/);
    const [header = "", ...rest] = (await readFile(path, "utf8")).split("\n");
    const document = JSON.parse(rest.join("\n"));
    document.underWay.push({ ...intent, id: `${intent.id}0` });
    await writeFile(path, `${header}\n${JSON.stringify(document)}`);
    const { exitCode, stdout } = await machine.cli(["journal", "show", intent.id]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Purchase ${intent.id}, returned`);
    expect(await machine.cli(["journal", "show", intent.id.slice(0, -1)])).toMatchObject({
      exitCode: 1,
    });
  });

  test("names the purchases if the id fits several, as of one that was bought again", async () => {
    const machine = await startMachine();
    await loseWithoutTrace(machine);
    const [lost] = await machine.list();
    await machine.cli(["journal", "resolve", lost?.id ?? "", "--closed"]);
    await machine.beginRun().buy();
    const [begin = ""] = lost?.id.split("-") ?? [];
    const { exitCode, stderr } = await machine.cli(["journal", "show", begin]);
    expect(exitCode).toBe(1);
    for (const named of [`${begin}-1 (closed)`, `${begin}-2 (returned)`]) {
      expect(stderr).toContain(named);
    }
  });

  test("names the purchases if the id is unknown", async () => {
    const machine = await startMachine();
    const none = await machine.cli(["journal", "show", "abc"]);
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("begins with abc; it holds none");
    await machine.beginRun().buy("a");
    await machine.beginRun().buy("b", { country: "DEU" });
    const ids = (await machine.list()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const unknown = await machine.cli(["journal", "show", "zzz"]);
    expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
    for (const id of ids) expect(unknown.stderr).toContain(`${id} (returned)`);
  });
});
