import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { resolveOpenQuestions } from "../../simulator/open-questions.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { beginOrder, orders } from "./caller.ts";
import { startForTest } from "./start.ts";

const main = join(import.meta.dirname, "../../cli/main.ts");

/** The command as a person runs it. */
function run(...flags: string[]) {
  const child = spawn(process.execPath, [main, "simulator", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function readUntil(child: ReturnType<typeof run>, last: string): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes(last)) return output;
  }
  throw new Error(`It ended without "${last}": ${output}`);
}

async function writeTemporary(content: string): Promise<string> {
  const folder = await makeTemporaryFolder();
  const file = join(folder, "file.json");
  await writeFile(file, content);
  return file;
}

test("prints URL and key to copy, and Ctrl-C ends it while a request is still waiting", async () => {
  const child = run("--seed", "7", "--balance", "500", "--latency", "60000");
  const output = await readUntil(child, "Ctrl-C");
  const read = (name: string) => output.match(new RegExp(`export ${name}=(.+)`))?.[1] ?? "";
  expect(output).toContain("balance 500.00");
  const controlUrl = output.match(/Control API and page at (.+)/)?.[1] ?? "";
  expect((await fetch(`${controlUrl}/clock`)).status).toBe(200);
  expect(read("PROXYRENTAL_API_KEY")).toMatch(/^demo-key-/);
  expect(isAbsolute(read("PROXYRENTAL_JOURNAL_DIR"))).toBe(true);
  const waiting = await beginOrder(read("PROXYRENTAL_BASE_URL"), read("PROXYRENTAL_API_KEY"));
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await waiting.outcome).toMatchObject({ code: "ECONNRESET" });
});

test.each([
  [["--port", "x"], "whole number"],
  [["--port", "70000"], "port"],
  [["--balance", "much"], "amount"],
  [["--page-cap", "0"], "At least 1"],
  [["--preset", "nasty"], "strict, hostile"],
  [["--ipv6-ids-as", "json"], "list, string, either"],
  [["--minimum-quantity", "IPv5=2"], "IPv6=10"],
  [["--delivery-batch", "3"], "3/500"],
  [["--unavailable-percent", "101"], "0 to 100"],
  [["--at", "noon"], "2026-03-01T12:00:00Z"],
  [["--account", "main"], '"main" is taken'],
  [["--control-port", "70000"], "65535"],
  [["--catalogue", "nowhere.json"], '"nowhere.json" can\'t be read'],
  [["--load", "nowhere.json"], '"nowhere.json" can\'t be read'],
  [["--like", "nowhere"], "recording.json\" can't be read: ENOENT"],
  [["--nonsense"], "unknown option"],
])("%j ends with one line that says why", async (flags, reason) => {
  const child = run(...flags);
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(output).toContain(reason);
  expect(output.trim().split("\n")).toHaveLength(1);
});

test("prints the OpenAPI document and ends", async () => {
  const document = JSON.parse(await text(run("--print-openapi").stdout));
  expect(document).toMatchObject({ openapi: "3.1.0" });
});

test("accepts the catalogue that it prints", async () => {
  const printed = await text(run("--print-catalogue").stdout);
  const file = await writeTemporary(printed);
  const output = await readUntil(run("--catalogue", file), "Ctrl-C");
  expect(output).toContain("Key: demo-key-");
});

test("starts from a snapshot, with its state and time", async () => {
  const simulator = await startForTest({ balance: "77.00" });
  simulator.advance({ days: 400 });
  const file = await writeTemporary(JSON.stringify(simulator.save()));
  const output = await readUntil(run("--load", file), "Ctrl-C");
  expect(output).toContain("balance 77.00");
  const controlUrl = output.match(/Control API and page at (.+)/)?.[1] ?? "";
  const { now } = (await (await fetch(`${controlUrl}/clock`)).json()) as { now: string };
  expect(Date.parse(now)).toBeGreaterThanOrEqual(simulator.now().getTime() - 60_000);
});

test("starts like a recording; flags that are named besides win", async () => {
  const folder = join(await writeTemporary(""), "..");
  const unseen = { answer: null, how: "not seen" };
  const questions = Object.keys(resolveOpenQuestions({})).map((name) => [name, unseen]);
  const none = { IPv4: [], IPv6: [], MOBILE: [], ISP: [] };
  const recording = {
    form: "pulumi-proxyrental recording",
    version: 1,
    recordedAt: "2026-03-01T12:00:00.000Z",
    answers: { ...Object.fromEntries(questions), pageCap: { answer: 7, how: "seen" } },
    ...{ types: [], countries: none, rentPeriodDays: none, mobileOperators: {} },
    ...{ promoCodes: [], prices: [], orders: [], money: { balance: 77.5, currency: "EUR" } },
  };
  await writeFile(join(folder, "recording.json"), JSON.stringify(recording));
  const settingsOf = async (...flags: string[]) => {
    const output = await readUntil(run("--like", folder, ...flags), "Ctrl-C");
    const controlUrl = output.match(/Control API and page at (.+)/)?.[1] ?? "";
    return (await fetch(`${controlUrl}/settings`)).json();
  };
  expect(await settingsOf()).toMatchObject({ pageCap: 7, balance: "77.50", currency: "EUR" });
  const named = await settingsOf("--preset", "strict", "--balance", "5", "--ipv6-ids-as", "list");
  expect(named).toMatchObject({ pageCap: 10, balance: "5.00", ipv6IdsAs: "list" });
});

test("--help lists each open question of the service's document", async () => {
  const help = await text(run("--help").stdout);
  for (const name of Object.keys(resolveOpenQuestions({}))) {
    expect(help).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  }
});

test("the same seed, time and calls give the same bytes, with headers, in another process", async () => {
  const transcribe = async () => {
    const output = await readUntil(run("--at", "2026-03-01T12:00:00Z", "--port", "0"), "Ctrl-C");
    const read = (name: string) => output.match(new RegExp(`export ${name}=(.+)`))?.[1] ?? "";
    const url = `${read("PROXYRENTAL_BASE_URL")}/client/api/v1/${read("PROXYRENTAL_API_KEY")}`;
    const send = async (path: string, body: object) => {
      const response = await fetch(`${url}/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return [...response.headers, await response.text()];
    };
    return [
      await send("calculate/order", orders.IPv4),
      await send("order", orders.IPv4),
      await send("order", orders.MOBILE),
      await send("ipAddress?proxyType=IPv4", { proxyType: "IPv4", page: 0, size: 100 }),
      await send("order", { ...orders.IPv4, country: "XXX" }),
    ];
  };
  expect(await transcribe()).toEqual(await transcribe());
});
