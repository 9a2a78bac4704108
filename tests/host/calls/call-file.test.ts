import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { createClient, isServiceError } from "../../../provider/client/index.ts";
import { openCallRecord } from "../../../provider/host/calls/call-file.ts";
import { readSettings } from "../../../provider/host/settings.ts";
import { openSystemAccount } from "../../../provider/host/system.ts";
import type { FaultRule } from "../../../simulator/index.ts";
import { order } from "../../client/client-under-test.ts";
import { startForTest } from "../../simulator/start.ts";
import { findLeaks, secretsOf } from "../../support/secrecy.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

async function readLines(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A client of a simulator whose calls are recorded with their bodies. */
async function startRecorded(file: string, warnings: string[] = []) {
  const simulator = await startForTest({ pageCap: 1000 });
  const { baseUrl, apiKey } = simulator;
  const warn = (message: string) => void warnings.push(message);
  const observe = openCallRecord({ file, bodies: true }, { apiKey, warn });
  const client = createClient({ baseUrl, apiKey, observe, timeoutMs: 10_000 });
  onTestFinished(() => client.close());
  return { simulator, client };
}

const page = { proxyType: "IPv4", page: 0, size: 100 } as const;

test("no key, login or password is in the file, whatever is answered", async () => {
  const file = join(await makeTemporaryFolder(), "calls.jsonl");
  const { simulator, client } = await startRecorded(file);
  await client.createOrder({ ...order, quantity: 50 });
  const { apiKey } = simulator;
  const quoting = { success: false, error: { code: 9002, message: `no ${apiKey}` } };
  const faults: FaultRule["fault"][] = [
    { kind: "truncate" },
    { kind: "garbage" },
    { kind: "reset" },
    { kind: "status", status: 404 },
    { kind: "answer", patch: () => ({ ...quoting, data: {} }) },
    // A record that the client can't read is still in the answer.
    { kind: "answer", patch: (answer) => ({ ...answer, success: "perhaps" }) },
    { kind: "answer", patch: (answer) => ({ ...answer, error: { code: 1, message: "both" } }) },
  ];
  for (const fault of faults) {
    const rule = simulator.addFault({ endpoint: "listProxies", calls: [1], phase: "after", fault });
    await client.listProxies(page).catch((error) => expect(isServiceError(error)).toBe(true));
    rule.remove();
  }
  const text = await readFile(file, "utf8");
  const logins = simulator.proxies().map(({ login }) => login);
  const secrets = new Set([...secretsOf(simulator), ...logins]);
  expect(secrets.size).toBeGreaterThan(100);
  expect(findLeaks(secrets, [["the record", text]])).toEqual([]);
  expect(text).toContain('"authInfo":{"login":"<LOGIN>","password":"<LOGIN>"}');
  expect(text).toContain("no <API_KEY>");
  expect(text).toContain("left out: ");
  const lines = await readLines(file);
  expect(lines).toHaveLength(simulator.requests().length);
  expect(lines[0]).toMatchObject({ endpoint: "createOrder", outcome: "ok", process: process.pid });
});

test("several processes write whole lines to one file", async () => {
  const file = join(await makeTemporaryFolder(), "calls.jsonl");
  const child = fileURLToPath(new URL("./calling-child.ts", import.meta.url));
  const runs = await Promise.all(
    [1, 2, 3].map(() => execa(process.execPath, [child, file, "200"], { reject: false })),
  );
  expect(runs.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(runs.map(() => [0, ""]));
  const lines = await readLines(file);
  expect(lines).toHaveLength(600);
  expect(new Set(lines.map((line) => line.process)).size).toBe(3);
  for (const { attempt, answer } of lines) {
    expect(answer).toEqual({ text: String(Number(attempt) % 10).repeat(20_000) });
  }
});

test("only this user can read the file", async () => {
  const file = join(await makeTemporaryFolder(), "calls.jsonl");
  const { client } = await startRecorded(file);
  await client.getBalance();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a file that can't be written is said once, and every call goes on", async () => {
  const folder = await makeTemporaryFolder();
  const file = join(folder, "missing", "calls.jsonl");
  const warnings: string[] = [];
  const { simulator, client } = await startRecorded(file, warnings);
  expect(await client.createOrder(order)).toMatchObject({ orderNumber: expect.any(String) });
  await client.listProxies(page);
  expect(warnings).toEqual([
    `calls can't be recorded: ${file} can't be written (ENOENT). Everything else goes on. Set PROXYRENTAL_CALLS to a file in a folder that exists and that you may write to, or unset it.`,
  ]);
  expect(simulator.ledger()).toHaveLength(1);
  // From now on it can be.
  await mkdir(join(folder, "missing"));
  await client.getBalance();
  expect(await readLines(file)).toMatchObject([{ endpoint: "getBalance", attempt: 1 }]);
  expect(warnings).toHaveLength(1);
});

test("a folder in place of the file is said too", async () => {
  const folder = await makeTemporaryFolder();
  await chmod(folder, 0o700);
  const warnings: string[] = [];
  const { client } = await startRecorded(folder, warnings);
  await client.getBalance();
  expect(warnings).toEqual([expect.stringContaining(`${folder} can't be written (EISDIR)`)]);
});

test("an account of a host says it as a warning of the run", async () => {
  const folder = await makeTemporaryFolder();
  const file = join(folder, "missing", "calls.jsonl");
  const { baseUrl, apiKey } = await startForTest();
  const environment = {
    ...{ PROXYRENTAL_BASE_URL: baseUrl, PROXYRENTAL_API_KEY: apiKey },
    ...{ PROXYRENTAL_JOURNAL_DIR: join(folder, "journal"), PROXYRENTAL_CALLS: file },
  };
  const warnings: string[] = [];
  const nothing = () => undefined;
  const log = {
    ...{ info: nothing, progress: nothing, remark: nothing },
    warn: (message: string) => void warnings.push(message),
  };
  const account = openSystemAccount(readSettings({ config: nothing, environment }), { log });
  expect(await account.service.getBalance()).toMatchObject({ currency: "USD" });
  expect(warnings).toEqual([expect.stringContaining(`${file} can't be written (ENOENT)`)]);
});
