import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { LOOK_ELSEWHERE } from "../../../cli/journal/journals.ts";
import { describeLocation, parseJournalUrl } from "../../../provider/journals/journal-url.ts";
import { describeProduct } from "../../journals/store-contract.ts";
import { files } from "../../journals/stores/products/files.ts";
import { fakeGcs, gofakes3 } from "../../journals/stores/products/go-server.ts";
import { azurite } from "../../journals/stores/products/npm-server.ts";
import { postgres } from "../../journals/stores/products/postgres.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { runCli } from "../command.ts";
import { buyWithRival, type NamedJournal, startMachine } from "../machine.ts";
import { exportFile } from "../stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

afterAll(() => vi.unstubAllEnvs());

for (const product of [files, postgres, gofakes3, azurite, fakeGcs]) {
  await describeProduct(product, ({ product: running }) => {
    /** A journal of its own, with the credentials that its store reads. */
    function enter(name: string): NamedJournal {
      const { url, environment } = running().enter(name);
      // The runs of these tests are in this process.
      vi.unstubAllEnvs();
      for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
      return { url, env: { ...environment } };
    }

    test("journal list says in one sentence that there is nothing", async () => {
      const journal = enter("empty");
      const { cli } = await startMachine({}, journal);
      // Of one service, and of all.
      for (const env of [{}, { PROXYRENTAL_BASE_URL: "" }]) {
        const { exitCode, stdout } = await cli(["journal", "list"], { env });
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(
          /^The journal in \S.* holds no open purchases; none was ever written to it\. If .*\.$/,
        );
        expect(stdout).toContain(printed(journal));
      }
    });

    test("journal list, show and resolve read and change it, whoever names it", async () => {
      const journal = enter("resolved");
      const machine = await startMachine({}, journal);
      await buyWithRival(machine);
      const [intent] = await machine.list();
      const { id = "", candidates: [own = ""] = [] } = intent ?? {};
      expect(await machine.cli(["journal", "list"])).toMatchObject({
        exitCode: 2,
        stdout: expect.stringContaining("Nobody knows yet whether one of them was placed."),
      });

      const flags = ["--journal", journal.url];
      const env = { ...journal.env };
      const shown = await runCli(["journal", "show", id.slice(0, 6), ...flags], { env });
      expect(shown.exitCode).toBe(0);
      expect(shown.stdout).toContain(`Purchase ${id}, unknown`);
      // Some URLs have characters that a shell reads otherwise.
      expect(shown.stdout).toMatch(/--closed --journal ('\w+:.*'|\w+:[^?&]+)$/m);

      const resolved = await runCli(["journal", "resolve", id, "--order", own, ...flags], { env });
      expect(resolved.exitCode).toBe(0);
      const { exitCode, stdout } = await machine.cli(["journal", "list"]);
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/placed +5 IPv4/)]);
      expect(stdout).toContain(own);
      // The next run takes it over.
      await machine.beginRun().buy();
      expect(machine.simulator.orders()).toHaveLength(2);
    });

    test("without a base URL the journals of all services are listed by name", async () => {
      const journal = enter("all-services");
      const machines = [
        await startMachine({}, journal),
        await startMachine({ seed: 2 }, journal),
      ] as const;
      await machines[0].beginRun().buy("a");
      await machines[1].beginRun().buy("b", { country: "DEU" });
      const env = { PROXYRENTAL_JOURNAL: journal.url, ...journal.env };
      const { exitCode, stdout } = await runCli(["journal", "list"], { env });
      expect(exitCode).toBe(0);
      expect(stdout.match(/^127\.0\.0\.1_\d+-[0-9a-f]{8}:$/gm)).toHaveLength(2);
      expect(stdout.match(/returned/g)).toHaveLength(2);
      for (const { simulator } of machines) {
        const one = await runCli(["journal", "list", "--base-url", simulator.baseUrl], { env });
        expect(one.stdout.match(/returned/g)).toHaveLength(1);
      }
    });

    test("orphans and adopt say what it knows of an order", async () => {
      const { cli, beginRun, list } = await startMachine({}, enter("orphans"));
      const { orderNumber } = await beginRun().buy();
      const [intent] = await list();
      const orphans = await cli(["orphans", await exportFile()]);
      expect(orphans.exitCode).toBe(2);
      expect(orphans.stdout).toContain(`bought for fleet (${intent?.id}, returned)`);
      const adopted = await cli(["adopt"]);
      expect(adopted.exitCode).toBe(0);
      expect(adopted.stdout).toContain(`"${orderNumber}"`);
      expect(adopted.stdout).toContain(`bought for fleet (${intent?.id}, returned)`);
    });

    test("journal check looks at it, whoever names it, and leaves nothing", async () => {
      const journal = enter("checked");
      const { cli, env } = await startMachine({}, journal);
      const quick = ["--rounds", "2"];
      const bare = { ...env, PROXYRENTAL_JOURNAL: undefined };
      for (const [args, given] of [
        [["journal", "check", ...quick], env],
        [["journal", "check", "--journal", journal.url, ...quick], bare],
        [["journal", "check", journal.url, ...quick], bare],
      ] as const) {
        const { exitCode, stdout } = await runCli(args, { env: defined(given) });
        expect(exitCode).toBe(0);
        expect(stdout).toContain(printed(journal));
        expect(stdout).toContain("It can keep a journal.");
      }
      const { stdout } = await cli(["journal", "list"], { env: { PROXYRENTAL_BASE_URL: "" } });
      expect(stdout).toContain("holds no open purchases");
    });
  });
}

/** How messages name it. */
function printed({ url }: NamedJournal): string {
  return describeLocation(parseJournalUrl(url));
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

describe("where the journal is", () => {
  test("a flag comes before the environment, whichever of the two it is", async () => {
    const folders = [await makeTemporaryFolder(), await makeTemporaryFolder()] as const;
    const [told, other] = folders;
    const url = pathToFileURL(told).href;
    for (const [flags, env] of [
      [["--journal", url], { PROXYRENTAL_JOURNAL: pathToFileURL(other).href }],
      [["--journal", url], { PROXYRENTAL_JOURNAL_DIR: other }],
      [["--journal-dir", told], { PROXYRENTAL_JOURNAL: pathToFileURL(other).href }],
      [[], { PROXYRENTAL_JOURNAL: url }],
    ] as const) {
      const { exitCode, stdout } = await runCli(["journal", "list", ...flags], { env });
      expect([exitCode, stdout]).toEqual([
        0,
        `The journal in ${told} holds no open purchases; none was ever written to it. ${LOOK_ELSEWHERE}.`,
      ]);
    }
  });

  const refusals: [string, string[], Record<string, string>, string][] = [
    [
      "two flags",
      ["journal", "list", "--journal", "file:///a", "--journal-dir", "/b"],
      {},
      "--journal and --journal-dir both say where the journals are: give one",
    ],
    [
      "two variables",
      ["journal", "list"],
      { PROXYRENTAL_JOURNAL: "file:///a", PROXYRENTAL_JOURNAL_DIR: "/b" },
      "PROXYRENTAL_JOURNAL and PROXYRENTAL_JOURNAL_DIR are both set: set one of them",
    ],
    [
      "a store to check that is said twice",
      ["journal", "check", "file:///a", "--journal", "file:///b"],
      {},
      "the store to check is said twice: give its URL, --journal or --journal-dir",
    ],
    [
      "a folder that is not absolute",
      ["journal", "show", "a", "--journal", "file://a"],
      {},
      "PROXYRENTAL_JOURNAL (or --journal) is not accepted (the journal's URL: its folder is not absolute; write it like file:///absolute/folder): set it to file:///folder, s3://",
    ],
    [
      "an unknown kind",
      ["journal", "check"],
      { PROXYRENTAL_JOURNAL: "ftp://host" },
      "(the journal's URL: it begins like none of file:///absolute/folder",
    ],
    [
      "an empty URL",
      ["journal", "resolve", "a", "--journal", ""],
      {},
      "PROXYRENTAL_JOURNAL (or --journal) is empty",
    ],
    [
      "a password",
      ["journal", "list", "--journal", "postgres://a:hunter2@127.0.0.1/db"],
      {},
      "no password may stand in it",
    ],
    [
      "a password in the environment",
      ["journal", "list"],
      { PROXYRENTAL_JOURNAL: "postgres://a:hunter2@127.0.0.1/db" },
      "no password may stand in it",
    ],
    [
      "a store that can't be reached",
      ["journal", "list", "--journal", "postgres://a@127.0.0.1:1/db"],
      { PGPASSWORD: "hunter2" },
      "the journal in postgres://a@127.0.0.1:1/db?table=proxyrental_journal can't be used (",
    ],
  ];

  test.each(refusals)("%s is refused in one sentence", async (_, args, env, message) => {
    const { exitCode, stdout, stderr } = await runCli(args, { env });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr.split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("hunter2");
  });

  test("a missing folder holds nothing", async () => {
    const folder = join(await makeTemporaryFolder(), "none");
    const flags = ["--journal", pathToFileURL(folder).href];
    expect(await runCli(["journal", "list", ...flags])).toMatchObject({
      ...{
        exitCode: 0,
        stdout: `The journal in ${folder} holds no open purchases; none was ever written to it. ${LOOK_ELSEWHERE}.`,
      },
    });
  });
});
