import { spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { beginOrder } from "./caller.ts";

const main = join(import.meta.dirname, "../../simulator/main.ts");

function run(...flags: string[]) {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
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

test("prints what to copy, and Ctrl-C ends it while a request is still waiting", async () => {
  const child = run("--seed", "7", "--balance", "500", "--latency", "60000");
  const output = await readUntil(child, "Ctrl-C");
  const read = (name: string) => output.match(new RegExp(`export ${name}=(.+)`))?.[1] ?? "";
  expect(output).toContain("balance 500.00");
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
  [["--nonsense"], "unknown option"],
])("%j ends with one line that says why", async (flags, reason) => {
  const child = run(...flags);
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(output).toContain(reason);
  expect(output.trim().split("\n")).toHaveLength(1);
});
