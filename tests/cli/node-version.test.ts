import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../../cli/main.ts");

/** Makes a process say that it is another Node.js. */
const pretend = (version: string) =>
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;

test("on a Node.js that is too old, each command says so in one sentence", async () => {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    ["--import", pretend("20.20.2"), main, "forecast"],
    { reject: false },
  );
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^error: CONFIGURATION_INVALID: pulumi-proxyrental needs Node\.js 22\.12 or newer, and this is 20\.20\.2\. .*Put a newer node first on PATH\.$/,
  );
});
