import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findLeaks, secretsOf } from "../support/secrecy.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startMachine } from "./machine.ts";
import { exportFile } from "./stack-export.ts";

vi.setConfig({ testTimeout: 60_000 });

const usa = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;

const hint =
  "For the service's support, PROXYRENTAL_CALLS=FILE writes each call of the next run down, without key and logins.";

test("the tool records its calls as the provider does", async () => {
  const { simulator, cli } = await startMachine();
  simulator.placeForeignOrder(usa);
  const file = join(await makeTemporaryFolder(), "calls.jsonl");
  const env = { PROXYRENTAL_CALLS: file, PROXYRENTAL_CALLS_BODIES: "true" };
  const state = await exportFile();
  expect(await cli(["orphans", state], { env })).toMatchObject({ exitCode: 2, stderr: "" });
  expect((await cli(["adopt"], { env })).exitCode).toBe(0);
  const text = await readFile(file, "utf8");
  expect(text.trimEnd().split("\n")).toHaveLength(simulator.requests().length);
  expect(text).toContain('"password":"<LOGIN>"');
  expect(findLeaks(secretsOf(simulator), [["the record", text]])).toEqual([]);
});

test("a record that can't be written is a warning, and the output is the same", async () => {
  const { simulator, cli } = await startMachine();
  simulator.placeForeignOrder(usa);
  const args = ["orphans", "--json", await exportFile()];
  const plain = await cli(args);
  const file = join(await makeTemporaryFolder(), "missing", "calls.jsonl");
  const outcome = await cli(args, { env: { PROXYRENTAL_CALLS: file } });
  expect(outcome).toMatchObject({ exitCode: plain.exitCode, stdout: plain.stdout });
  expect(outcome.stderr).toMatch(
    /^warning: calls can't be recorded: .*\(ENOENT\)\. Everything else/,
  );
  expect(outcome.stderr.split("\n")).toHaveLength(1);
});

test("a wrong variable of it is refused", async () => {
  const { cli } = await startMachine();
  const state = await exportFile();
  const wrong = await cli(["orphans", state], { env: { PROXYRENTAL_CALLS_BODIES: "yes" } });
  expect(wrong).toEqual({
    ...{ exitCode: 1, stdout: "" },
    stderr: "error: PROXYRENTAL_CALLS_BODIES is not accepted: set it to true or false",
  });
});

test("an error that may be the service's says how to record calls, and one about the key does not", async () => {
  const { simulator, cli } = await startMachine();
  const state = await exportFile();
  const other = await cli(["orphans", state], { env: { PROXYRENTAL_API_KEY: "another-key" } });
  expect(other.stderr).toContain("rejected the API key");
  expect(other.stderr).not.toContain("PROXYRENTAL_CALLS");
  const status = { kind: "status", status: 404 } as const;
  simulator.addFault({ endpoint: "any", phase: "before", fault: status });
  const failed = await cli(["orphans", state]);
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr.endsWith(hint)).toBe(true);
});
