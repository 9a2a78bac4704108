import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashParts, isComplete, locateCache, publish } from "../../toolchain/cache.ts";

test.each([
  { env: { XDG_CACHE_HOME: "/var/cache", HOME: "/home/a" }, base: "/var/cache" },
  { env: { XDG_CACHE_HOME: "relative", HOME: "/home/a" }, base: "/home/a/.cache" },
  { env: { XDG_CACHE_HOME: "", HOME: "/home/a" }, base: "/home/a/.cache" },
  { env: {}, base: join(homedir(), ".cache") },
])("keeps the cache under $base", ({ env, base }) => {
  expect(locateCache(env)).toBe(join(base, "pulumi-proxyrental", "toolchain"));
});

describe("the cache key", () => {
  const key = (...parts: [string, string][]) => hashParts(new Map(parts));
  const original = key(["go.mod", "a"], ["go.sum", "b"]);

  test("does not depend on the order of the parts", () => {
    expect(key(["go.sum", "b"], ["go.mod", "a"])).toBe(original);
  });

  test.each<{ change: string; parts: [string, string][] }>([
    {
      change: "a text",
      parts: [
        ["go.mod", "a"],
        ["go.sum", "c"],
      ],
    },
    {
      change: "a name",
      parts: [
        ["go.mod", "a"],
        ["other", "b"],
      ],
    },
    { change: "one part less", parts: [["go.mod", "a"]] },
    { change: "a moved boundary", parts: [["go.mod", "a6:go.sum1:b"]] },
  ])("changes with $change", ({ parts }) => {
    expect(key(...parts)).not.toBe(original);
  });
});

describe("publishing a folder", () => {
  let cacheDir = "";
  beforeEach(() => {
    cacheDir = mkdtempSync(join(tmpdir(), "cache-"));
  });
  afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

  const options = (text: string, before: () => Promise<void> = async () => {}) => ({
    isComplete: (folder: string) => isComplete(folder, ["tool"]),
    fill: async (folder: string) => {
      await before();
      await writeFile(join(folder, "tool"), text);
    },
  });

  test("gives a folder its name only when it is complete", async () => {
    let seenWhileFilling: string[] = [];
    const folder = await publish(
      cacheDir,
      "key",
      options("ours", async () => {
        seenWhileFilling = readdirSync(cacheDir);
      }),
    );
    expect(seenWhileFilling).not.toContain("key");
    expect(folder).toBe(join(cacheDir, "key"));
    expect(readdirSync(cacheDir)).toEqual(["key"]);
  });

  test("leaves nothing behind when the work fails or is incomplete", async () => {
    const failing = { ...options(""), fill: () => Promise.reject(new Error("broken line")) };
    await expect(publish(cacheDir, "key", failing)).rejects.toThrow("broken line");
    const empty = { ...options(""), fill: async () => {} };
    await expect(publish(cacheDir, "key", empty)).rejects.toThrow("lacks a program");
    expect(readdirSync(cacheDir)).toEqual([]);
  });

  test("two runs at once end with one whole folder", async () => {
    const folders = await Promise.all([
      publish(cacheDir, "key", options("one")),
      publish(cacheDir, "key", options("two")),
    ]);
    expect(new Set(folders)).toEqual(new Set([join(cacheDir, "key")]));
    expect(["one", "two"]).toContain(await readFile(join(cacheDir, "key", "tool"), "utf8"));
    expect(readdirSync(cacheDir)).toEqual(["key"]);
  });

  test("keeps the folder of a faster run", async () => {
    const faster = () => publish(cacheDir, "key", options("faster")).then(() => {});
    const folder = await publish(cacheDir, "key", options("slower", faster));
    expect(await readFile(join(folder, "tool"), "utf8")).toBe("faster");
  });

  test("replaces a folder that lacks a program", async () => {
    mkdirSync(join(cacheDir, "key"));
    await writeFile(join(cacheDir, "key", "rest"), "");
    const folder = await publish(cacheDir, "key", options("whole"));
    expect(readdirSync(folder)).toEqual(["tool"]);
    expect(readdirSync(cacheDir)).toEqual(["key"]);
  });

  test("removes a killed run's leftovers, but not a running one's", async () => {
    const [old, fresh] = [".staging-old", ".staging-fresh"].map((name) => join(cacheDir, name));
    if (old === undefined || fresh === undefined) throw new Error("unreachable");
    mkdirSync(old);
    mkdirSync(fresh);
    utimesSync(old, 0, 0);
    await publish(cacheDir, "key", options("x"));
    expect([old, fresh].map((folder) => existsSync(folder))).toEqual([false, true]);
  });
});
