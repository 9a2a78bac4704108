import { describe, expect, test, vi } from "vitest";
import { explainFailure } from "../../cli/failure.ts";
import { JournalError } from "../../provider/core/ports.ts";
import { runCli } from "./command.ts";
import { startMachine } from "./machine.ts";
import { exportFile } from "./stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("an error is one sentence that names what is wrong, without a stack", () => {
  test.each([
    [
      { PROXYRENTAL_BASE_URL: "" },
      "PROXYRENTAL_BASE_URL (or --base-url) is missing: set it to the service's URL, like https://api.example.com (baseUrl of `pulumi config` is not seen here)",
    ],
    [{ PROXYRENTAL_BASE_URL: "ftp://a" }, "PROXYRENTAL_BASE_URL (or --base-url) is not accepted"],
    [
      { PROXYRENTAL_BASE_URL: "api.example.com" },
      "PROXYRENTAL_BASE_URL (or --base-url) is not accepted (it does not begin with https:// or http://): set it to the service's URL, like https://api.example.com",
    ],
    [
      { PROXYRENTAL_API_KEY: "X", PROXYRENTAL_BASE_URL: "" },
      "PROXYRENTAL_BASE_URL (or --base-url) is missing: set it to the service's URL, like https://api.example.com (baseUrl of `pulumi config` is not seen here); PROXYRENTAL_API_KEY is not accepted (a key has at least 8 characters): set it to the account's API key",
    ],
    [
      { PROXYRENTAL_API_KEY: "" },
      "PROXYRENTAL_API_KEY is missing: set it to the account's API key (apiKey of `pulumi config` is not seen here)",
    ],
    [
      { PROXYRENTAL_JOURNAL_DIR: "a/b" },
      "PROXYRENTAL_JOURNAL_DIR (or --journal-dir) is not accepted: set it to an absolute path",
    ],
    [
      { PROXYRENTAL_TIMEOUT_SECONDS: "soon" },
      "PROXYRENTAL_TIMEOUT_SECONDS is not accepted: set it to seconds from 1 to 600",
    ],
    [
      { PROXYRENTAL_BASE_URL: "http://127.0.0.1:1" },
      "can't be reached (ECONNREFUSED); check PROXYRENTAL_BASE_URL",
    ],
  ])("%j", async (env, message) => {
    const { cli } = await startMachine();
    const { exitCode, stdout, stderr } = await cli(["orphans", await exportFile()], { env });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
    expect(stderr.split("\n")).toHaveLength(1);
  });

  test("a journal folder that is a file", async () => {
    const file = await exportFile();
    const { exitCode, stderr } = await runCli(["journal", "list", "--journal-dir", file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`the journals in ${file} can't be read (ENOTDIR`);
    expect(stderr.split("\n")).toHaveLength(1);
  });

  test.each([[["journal", "list", "--nonsense"]], [["journal", "show"]], [["nonsense"]]])(
    "%j",
    async (args) => {
      const { exitCode, stderr } = await runCli(args);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: .+$/);
    },
  );
});

test("if another process changed the purchase first, the error says to look again", () => {
  const conflict = new JournalError("conflict", "another process has changed the purchase a-1");
  expect(explainFailure(conflict)).toBe(
    "another process has changed the purchase a-1; look at it again with `npx pulumi-proxyrental journal list`",
  );
});

describe("the API key is never printed", () => {
  test("when the service rejects it", async () => {
    const { cli } = await startMachine();
    const env = { PROXYRENTAL_API_KEY: "wr/ong key" };
    const { exitCode, stdout, stderr } = await cli(["orphans", await exportFile()], { env });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("rejected the API key");
    expect(stderr).not.toMatch(/wr(\/|%2f)ong/i);
  });

  test("when it was passed as an argument", async () => {
    const { cli, simulator, env } = await startMachine();
    const { apiKey } = simulator;
    for (const args of [
      ["journal", "show", apiKey],
      ["orphans", apiKey],
      ["journal", "list", "--journal-dir", `/nowhere/${apiKey}`],
      ["journal", "list", apiKey],
    ]) {
      const { stdout, stderr } = await cli(args);
      expect(stdout + stderr).not.toContain(apiKey);
      expect(stdout + stderr).not.toBe("");
    }
    expect(env.PROXYRENTAL_API_KEY).toBe(apiKey);
  });

  test("when it follows an unknown flag, and no environment variable holds it", async () => {
    const { exitCode, stderr } = await runCli(["orphans", "--api-key=s3cr3t"]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe("error: unknown option '--api-key'");
  });
});

describe("the password of a URL is not shown", () => {
  const url = "postgres://user:passw0rd@host/db";
  test.each<[args: string[], said: string]>([
    [["journal", "list", url], "too many arguments for 'list'. Expected 0 arguments but got 1."],
    [["journal", "list", "--journal", "postgres://user:a", "passw0rd@host/db"], "but got 1."],
    [["journal", "check", "file:///a", url], "too many arguments for 'check'"],
    [["journal", "copy", "file:///a", "file:///b", url], "too many arguments for 'copy'"],
    [["journal", "list", "--journal-dir", url], "is not accepted: set it to an absolute path"],
    [["journal", url], "unknown command"],
    [["journal", "show", url], "the id of a purchase has letters, digits and - alone"],
    [["journal", "check", url], "no password may stand in it"],
    [["cost", url], "postgres://user:…@host/db can't be read"],
    [["cost", 'https://user:a passw0rd "@host/p'], "https://user:…@host/p can't be read"],
    [["cost", "postgres://user:12345/passw0rd@host/db"], "postgres://user:…@host/db can't be read"],
    [["cost", "postgres://me@corp.com:passw0rd@host/db"], "postgres://me@corp.com:…@host/db can't"],
    [["forecast", "--days", url], "argument 'postgres://user:…@host/db' is invalid."],
  ])("%j", async (args, said) => {
    const { exitCode, stdout, stderr } = await runCli(args);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("passw0rd");
  });

  test.each([
    "https://[::1]:8443/scope/a, me@host",
    "postgres://me@corp@[::1]:8443/scope/a, me@host",
  ])("the host %s is no password", async (given) => {
    const { stderr } = await runCli(["cost", given]);
    expect(stderr).toContain(`${given} can't be read`);
  });

  test("a port is no password", async () => {
    const { stderr } = await runCli(["cost", "https://host:8443/scope/a, me@host"]);
    expect(stderr).toContain("https://host:8443/scope/a, me@host can't be read");
  });
});

test.each([
  [["--help"], ["journal", "orphans [options] <state...>", "cost [options] <preview>", "adopt"]],
  [
    ["journal", "list", "--help"],
    ["--all", "--json", "--journal <url>", "--journal-dir", "Exit codes: 0; 2 where nobody knows"],
  ],
  [
    ["journal", "show", "--help"],
    ["--json", "Exit codes: 0; 1"],
  ],
  [
    ["journal", "resolve", "--help"],
    ["--order <number>", "--closed", "Exit codes: 0 when"],
  ],
  [
    ["orphans", "--help"],
    ["<state...>", "Exit codes: 0 where there are none; 2 where"],
  ],
  [
    ["adopt", "--help"],
    ["--out <file>", "--state <files...>", "Exit codes: 0, also where there is nothing to adopt"],
  ],
])("%j prints help", async (args, parts) => {
  const { exitCode, stdout } = await runCli(args);
  expect(exitCode).toBe(0);
  for (const part of parts) expect(stdout).toContain(part);
});
