import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

let folder: string;

/** The provider as it is installed where none of the libraries is, or only those that are given. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proxyrental-libraries-"));
  await cp(join(root, "provider"), join(folder, "provider"), { recursive: true });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  const installed = await readdir(join(root, "node_modules"));
  const optional = new Set(["@aws-sdk", "@google-cloud", "@azure", "pg"]);
  await mkdir(join(folder, "node_modules"));
  for (const name of installed) if (!optional.has(name)) await install(name);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function install(name: string): Promise<void> {
  const place = join(folder, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(root, "node_modules", name), place);
}

/** Why a URL can't be opened. */
async function openElsewhere(url: string, env: Record<string, string> = {}): Promise<string> {
  const script = `
    import { parseJournalUrl } from "./provider/journals/journal-url.ts";
    import { openLocation } from "./provider/journals/open-documents.ts";
    import { machineTime } from "./provider/journals/machine-time.ts";
    const error = await openLocation(parseJournalUrl(process.argv[1]), machineTime).catch((error) => error);
    console.log(JSON.stringify([error.name, error.reason, error.message]));
  `;
  const { stdout } = await execa(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script, url],
    { cwd: folder, env, extendEnv: false },
  );
  const [name, reason, message] = JSON.parse(stdout);
  expect({ name, reason }).toEqual({ name: "JournalError", reason: "unavailable" });
  return message;
}

test.each([
  ["s3://bucket/a", "@aws-sdk/client-s3"],
  ["gs://bucket/a", "@google-cloud/storage"],
  ["azblob://container/a", "@azure/storage-blob"],
  ["postgres://user@host/db?table=a", "pg"],
])("%s without its library says how to install it", async (url, library) => {
  expect(await openElsewhere(url)).toBe(
    `the journal in ${url} can't be used (the package ${library} is not installed; install it with \`npm install ${library}\`)`,
  );
});

test("a login to Azure asks for the library of logins", async () => {
  await install("@azure/storage-blob");
  const url = "azblob://container/a";
  const env = { AZURE_STORAGE_ACCOUNT: "team" };
  expect(await openElsewhere(url, env)).toBe(
    `the journal in ${url} can't be used (the package @azure/identity is not installed; install it with \`npm install @azure/identity\`)`,
  );
});

test("a library that is there and lacks something itself is not called missing", async () => {
  const place = join(folder, "node_modules/pg");
  await mkdir(place);
  await writeFile(join(place, "package.json"), '{"name":"pg","type":"module","main":"index.js"}');
  await writeFile(join(place, "index.js"), 'import "pg-of-another-time";');
  const message = await openElsewhere("postgres://user@host/db");
  expect(message).toContain("Cannot find package 'pg-of-another-time'");
  expect(message).not.toContain("is not installed");
});
