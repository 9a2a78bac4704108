import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { storeNeeds } from "../../core/support/store-needs.ts";
import { describeProduct } from "../../journals/store-contract.ts";
import { azurite, s3rver } from "../../journals/stores/products/npm-server.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { runCli } from "../command.ts";

await describeProduct(azurite, ({ product }) => {
  test("a store that is fit: what was found, and 0", async () => {
    const { url, environment: env } = product().enter("checked");
    const { exitCode, stdout, stderr } = await runCli(["journal", "check", url, "--rounds", "2"], {
      env,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "azblob://journal/tests/checked:",
      ...storeNeeds.map((need) => `  ok      ${need}`),
      "Its clock and this machine's agree.",
      "It can keep a journal.",
    ]);
  });

  test("--json: the same as a document", async () => {
    const { url, environment: env } = product().enter("checked");
    const flags = ["--json", "--rounds", "1"];
    const { exitCode, stdout } = await runCli(["journal", "check", url, ...flags], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ place: "azblob://journal/tests/checked", isFit: true, leftBehind: [] },
      ...{ findings: storeNeeds.map((need) => ({ need })), clockAheadMs: expect.any(Number) },
    });
  });

  test("one that can't be reached: a sentence without the key, and 1", async () => {
    const { url, environment: env } = product().enter("checked", 1);
    const { exitCode, stdout, stderr } = await runCli(["journal", "check", url], { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^error: the journal in azblob:\/\/\S+ can't be used \([^\n]+\)$/);
    for (const secret of product().secrets) expect(stderr).not.toContain(secret);
  });
});

await describeProduct(s3rver, ({ product }) => {
  test("a store that ignores conditions: what is wrong with it, and 1", async () => {
    const { url, environment: env } = product().enter("checked");
    const { exitCode, stdout, stderr } = await runCli(["journal", "check", url, "--rounds", "1"], {
      env,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    const [, letters = "", making = "", ...others] = storeNeeds;
    const lines = stdout.split("\n");
    expect(lines).toContain(`  FAILED  ${making}: it was made a second time`);
    expect(lines).toContain(`  ok      ${letters}`);
    expect(lines).toContain(`  ok      ${others.at(-1)}`);
    expect(lines.at(-1)).toBe(
      "It can't keep a journal: with it, two runs could buy the same at once.",
    );
  });

  test("--json: the same as a document, and 1", async () => {
    const { url, environment: env } = product().enter("checked");
    const flags = ["--json", "--rounds", "1"];
    const { exitCode, stdout } = await runCli(["journal", "check", url, ...flags], { env });
    expect(exitCode).toBe(1);
    const { isFit, findings } = JSON.parse(stdout);
    expect(isFit).toBe(false);
    expect(findings).toContainEqual({ need: storeNeeds[2], trouble: "it was made a second time" });
  });
});

test("without a URL the folder of all journals is meant, and nothing is left in it", async () => {
  const folder = join(await makeTemporaryFolder(), "journals");
  const args = ["journal", "check", "--rounds", "1", "--journal-dir", folder];
  const { exitCode, stdout } = await runCli(args);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("It can keep a journal.");
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
  expect((await runCli(["journal", "check", pathToFileURL(folder).href])).exitCode).toBe(0);
});

test("a folder that can't be made: why, once, and 1", async () => {
  const home = await makeTemporaryFolder();
  const folder = join(home, "journals");
  await symlink(join(home, "nowhere", "journals"), folder);
  const place = pathToFileURL(folder).href;
  const { exitCode, stdout } = await runCli(["journal", "check", place, "--rounds", "1"]);
  expect(exitCode).toBe(1);
  const [first, second, ...others] = stdout.split("\n");
  expect(first).toBe(`${place}:`);
  expect(second).toMatch(/^ {2}FAILED {2}everything: the journal in \S+ can't be used \(E.*\)$/);
  expect(others).toEqual(["It can't keep a journal."]);
});

test.each([
  ["ftp://host", "the journal's URL: it begins like none of file:///absolute/folder, "],
  ["postgres://user:secret@host/db", "the journal's URL: no password may stand in it; leave it "],
])("%s is refused in one sentence, with 1", async (url, sentence) => {
  const { exitCode, stdout, stderr } = await runCli(["journal", "check", url]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^error: [^\n]+$/);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("secret");
});
