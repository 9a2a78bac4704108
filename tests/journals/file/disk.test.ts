import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolders } from "../../../provider/journals/file/disk.ts";
import { makeFolder } from "./folders.ts";

describe("a folder that is made", () => {
  test("has those above it, for this user alone; the uppermost new one is told", async () => {
    const above = makeFolder();
    const folder = join(above, "a", "b");
    expect(await makeFolders(folder)).toBe(join(above, "a"));
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(await makeFolders(folder)).toBeUndefined();
    expect(await makeFolders(join(folder, "c"))).toBe(join(folder, "c"));
  });

  test("is made by all who do so at the same time", async () => {
    const folder = join(makeFolder(), "a", "b");
    await Promise.all(["c", "d", "e"].map((name) => makeFolders(join(folder, name))));
    expect(statSync(join(folder, "e")).isDirectory()).toBe(true);
  });

  test("is refused where a file is", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    await expect(makeFolders(file)).rejects.toThrow("EEXIST");
    await expect(makeFolders(join(file, "a"))).rejects.toThrow("ENOTDIR");
  });

  test.skipIf(process.platform !== "linux")("is refused where none can be made", async () => {
    await expect(makeFolders("/proc/journal/open")).rejects.toThrow("ENOENT");
  });
});
