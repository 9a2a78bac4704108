import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(import.meta.resolve("./beside-a-server-child.ts"));

test("a fault is played in a process in which another server was started first", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toBe("no answer, 1 fault\n");
});
