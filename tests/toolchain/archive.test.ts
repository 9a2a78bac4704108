import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { makeArchive } from "../../toolchain/package/archive.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const long = `${"folder-with-a-long-name/".repeat(5)}file.txt`;

const files = [
  { path: "run", content: "#!/bin/sh\n", isProgram: true },
  { path: "docs/empty.txt", content: "" },
  { path: long, content: Buffer.alloc(1_300, 7) },
];

test("tar unpacks an archive: names, contents, and what is a program", async () => {
  const folder = await makeTemporaryFolder();
  const archive = join(folder, "archive.tar.gz");
  await writeFile(archive, makeArchive(files));
  const unpacked = join(folder, "unpacked");
  await mkdir(unpacked);
  await execa("tar", ["-xzf", archive, "-C", unpacked]);
  for (const { path, content, isProgram } of files) {
    expect(await readFile(join(unpacked, path))).toEqual(Buffer.from(content));
    expect((await stat(join(unpacked, path))).mode & 0o111).toBe(isProgram ? 0o111 : 0);
  }
});

test("the same files make the same bytes, in whatever order they come", () => {
  expect(makeArchive(files.toReversed()).equals(makeArchive(files))).toBe(true);
});
